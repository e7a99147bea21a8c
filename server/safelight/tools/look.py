"""The tools that find photos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.errors import ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import missing_photos
from safelight.tools.reach import OnNoPhotos
from safelight.tools.search import PhotoSearch, page_content
from safelight.wire.tool_models import FindSimilarArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.catalog.catalogs import Catalogs
    from safelight.gate.running import RunningCall

__all__ = ("FindSimilar", "SearchPhotos")

PAGE: Final = 10
BY_TIME: Final = "No image model is installed, so these are the photos taken within an hour of it, nearest first."


class SearchPhotos(OnNoPhotos):
    """Searches the index."""

    spec = TOOLS["search_photos"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._search = PhotoSearch(catalogs)

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A set of all that was found and its first page. See ``PhotoSearch.page`` for what it raises."""
        del call
        return ToolAnswer(content=await self._search.page(arguments))


class FindSimilar(OnNoPhotos):
    """Finds photos like one photo; without an image model, by when they were taken."""

    spec = TOOLS["find_similar"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A set of the photos of the hours around it. Raises ``ToolError`` PHOTO_NOT_FOUND."""
        del call
        given = parse(arguments, FindSimilarArguments)
        catalog = await self._catalogs.present()
        stale = await catalog.sync.freshen()
        found = await catalog.index.taken_around(given.photo_id, PAGE if given.limit is UNSET else given.limit)
        if found is None:
            raise ToolError("PHOTO_NOT_FOUND", missing_photos([given.photo_id])[0])
        return ToolAnswer(content=page_content(found, [BY_TIME, *found.warnings, *([stale] if stale else [])]))
