"""The tool that finds photos like one photo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.errors import NotByMeaning, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.likeness import why_no_pictures
from safelight.tools.photo_texts import missing_photos
from safelight.tools.reach import OnNoPhotos
from safelight.tools.search import page_content
from safelight.wire.tool_models import FindSimilarArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.catalog.index import Found
    from safelight.catalog.meaning import Meaning
    from safelight.gate.running import RunningCall

__all__ = ("FindSimilar",)

PAGE: Final = 10
NOT_SEEN: Final = "The picture of this photo has not been indexed yet (index_photos with pictures does it)"
BY_TIME: Final = "so these are the photos that the same camera took within ten minutes of it, nearest first."


class FindSimilar(OnNoPhotos):
    """Compares pictures; without an image model, times of capture."""

    spec = TOOLS["find_similar"]

    def __init__(self, catalogs: Catalogs, meaning: Meaning) -> None:
        self._catalogs = catalogs
        self._meaning = meaning

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A set of at most 100 photos that stand out, the most alike first, without the photo itself; by time there may
        be more. Raises ``ToolError`` PHOTO_NOT_FOUND."""
        del call
        given = parse(arguments, FindSimilarArguments)
        catalog = await self._catalogs.present()
        stale = await catalog.sync.freshen()
        limit = PAGE if given.limit is UNSET else given.limit
        found, warnings = await self._find(catalog, given.photo_id, limit)
        return ToolAnswer(content=page_content(found, [*warnings, *found.warnings, *([stale] if stale else [])]))

    async def _find(self, catalog: OpenCatalog, photo_id: str, limit: int) -> tuple[Found, list[str]]:
        try:
            likeness = await self._meaning.of_picture(catalog)
        except NotByMeaning as error:
            why = why_no_pictures(error)
        else:
            alike = await catalog.index.alike(photo_id, likeness.scored, limit)
            if alike is not None:
                return alike, []
            why = NOT_SEEN
        around = await catalog.index.taken_around(photo_id, limit)
        if around is None:
            raise ToolError("PHOTO_NOT_FOUND", missing_photos([photo_id])[0])
        return around, [f"{why}, {BY_TIME}"]
