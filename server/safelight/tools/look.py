"""The tool that searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from safelight.gate.tool import ToolAnswer
from safelight.tools.reach import OnNoPhotos
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.gate.running import RunningCall
    from safelight.tools.search import PhotoSearch

__all__ = ("SearchPhotos",)


class SearchPhotos(OnNoPhotos):
    """Searches the index."""

    spec = TOOLS["search_photos"]

    def __init__(self, search: PhotoSearch) -> None:
        self._search = search

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A set of all that was found and its first page. See ``PhotoSearch.page`` for what it raises."""
        del call
        return ToolAnswer(content=await self._search.page(arguments))
