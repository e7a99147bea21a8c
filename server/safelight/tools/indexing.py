"""The tool that brings the index up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.reach import OnNoPhotos
from safelight.wire.tool_models import IndexPhotosArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.catalog.indexing import Indexing
    from safelight.gate.running import RunningCall

__all__ = ("IndexPhotos",)


class IndexPhotos(OnNoPhotos):
    """Starts reading the catalog, or joins who does."""

    spec = TOOLS["index_photos"]

    def __init__(self, indexing: Indexing) -> None:
        self._indexing = indexing

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """The job. Raises ``ToolError`` NO_MODEL for embeddings without a model that makes them."""
        del call
        what = parse(arguments, IndexPhotosArguments).what
        job = await self._indexing.sync("catalog" if what is UNSET else what)
        return ToolAnswer(content=msgspec.to_builtins(job))
