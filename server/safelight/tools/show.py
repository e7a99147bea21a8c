"""Showing photos in Lightroom's grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.errors import ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import missing_photos
from safelight.tools.targets import count_target, frozen, resolve_target, target_of
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import ShowPhotosArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.catalog.catalogs import Catalogs
    from safelight.wire.models import Preview

__all__ = ("ShowPhotos",)

MOST: Final = 5000


class ShowPhotos:
    """Changes what the user sees, not the photos."""

    spec = TOOLS["show_photos"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def count(self, arguments: dict[str, Any]) -> int | None:
        """How many photos the target has."""
        return await count_target(self._catalogs, target_of(parse(arguments, ShowPhotosArguments)))

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """With the photos as of now."""
        return await frozen(self._catalogs, arguments)

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """No photo changes."""
        return None

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """Show and select the photos, at most 5,000. PHOTO_NOT_FOUND when the catalog has none of them."""
        target = target_of(parse(arguments, ShowPhotosArguments))
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        if not resolved.photo_ids:
            raise ToolError("NO_PHOTOS", "There are no photos to show: the set is empty.")
        photo_ids = list(resolved.photo_ids[:MOST])
        shown = await catalog.source.command(bridge.ShowPhotosArguments(photo_ids=photo_ids), bridge.ShowPhotosOutcome)
        if shown.shown == 0:
            raise ToolError("PHOTO_NOT_FOUND", missing_photos(photo_ids)[0])
        warnings = [*resolved.warnings, *missing_photos(shown.missing)]
        if len(resolved.photo_ids) > MOST:
            warnings.append(f"Only the first {MOST} of {len(resolved.photo_ids)} photos are shown.")
        content: dict[str, Any] = {"shown": shown.shown}
        if warnings:
            content["warnings"] = warnings
        return ToolAnswer(content=content)
