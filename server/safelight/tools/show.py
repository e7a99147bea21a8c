"""Showing photos in Lightroom's grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.errors import ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import missing_photos
from safelight.tools.reach import OnPhotos
from safelight.tools.targets import resolve_target, target_of
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import ShowPhotosArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.gate.running import RunningCall

__all__ = ("ShowPhotos",)

MOST: Final = 5000


class ShowPhotos(OnPhotos):
    """Changes what the user sees, not the photos."""

    spec = TOOLS["show_photos"]

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Show and select the photos, at most 5,000. PHOTO_NOT_FOUND when the catalog has none of them."""
        del call
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
