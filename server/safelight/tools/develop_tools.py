"""Tools for develop settings: read, set, copy, automatic tones, reset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.errors import ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.develop import DevelopWriter, OpenEndedWriter, Unchangeable, Wanted, read_develop
from safelight.tools.develop_table import GROUPS, NAMES, Group, copied, in_words, slider_of
from safelight.tools.photo_texts import missing_photos
from safelight.tools.reach import ChangesPhotos, OnPhotos
from safelight.tools.targets import page_of
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import (
    CopyDevelopSettingsArguments,
    GetDevelopSettingsArguments,
    SetDevelopSettingsArguments,
)
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.running import RunningCall

__all__ = ("AutoTone", "CopyDevelopSettings", "GetDevelopSettings", "ResetDevelop", "SetDevelopSettings")

PAGE: Final = 10


class GetDevelopSettings(OnPhotos):
    """Reads the settings that have a name here."""

    spec = TOOLS["get_develop_settings"]

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A page of the target's photos with their settings. Raises as ``resolve_target`` does."""
        del call
        wanted = parse(arguments, GetDevelopSettingsArguments)
        catalog, page = await page_of(self._catalogs, wanted, PAGE)
        records = await read_develop(catalog, page.photo_ids)
        lost = [photo_id for photo_id in page.photo_ids if photo_id not in records]
        content: dict[str, Any] = {
            "count": page.count,
            "photos": [_shown(records[photo_id]) for photo_id in page.photo_ids if photo_id in records],
        }
        if warnings := [*page.warnings, *missing_photos(lost)]:
            content["warnings"] = warnings
        return ToolAnswer(content=content)


class SetDevelopSettings(ChangesPhotos):
    """Sets settings, or moves them by an amount; each is limited to its slider."""

    spec = TOOLS["set_develop_settings"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> DevelopWriter:
        """The values that each photo shall have."""
        given = parse(arguments, SetDevelopSettingsArguments)
        settings: dict[str, float] = {
            name: value for name in NAMES if (value := getattr(given.settings, name)) is not UNSET
        }
        if not settings:
            raise ToolError("NOTHING_TO_CHANGE", "Give at least one setting to change.")
        is_relative = given.relative is not UNSET and given.relative

        def wanted_of(record: bridge.DevelopRecord, present: dict[str, Any]) -> Wanted | Unchangeable:
            wanted: dict[str, Any] = {}
            for name, value in settings.items():
                slider = slider_of(name, record.settings, raw=record.raw)
                if slider is None:
                    return Unchangeable(f"The photo is developed with an older process version, which has no {name}.")
                base = present.get(name, 0) if is_relative else 0
                if not isinstance(base, int | float) or isinstance(base, bool):
                    return Unchangeable(f"The photo has no {name} that could be changed by an amount.")
                wanted[name] = slider.limited(base + value)
            return Wanted(wanted)

        return DevelopWriter(catalog, wanted_of, "Safelight: develop settings")


class CopyDevelopSettings(ChangesPhotos):
    """Copies what belongs to no single picture: no crop, no spots, no masks."""

    spec = TOOLS["copy_develop_settings"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> DevelopWriter:
        """Reads the settings to copy. Raises ``ToolError`` PHOTO_NOT_FOUND."""
        given = parse(arguments, CopyDevelopSettingsArguments)
        source = (await read_develop(catalog, [given.photo_id])).get(given.photo_id)
        if source is None:
            raise ToolError("PHOTO_NOT_FOUND", missing_photos([given.photo_id])[0])
        only: frozenset[Group] = frozenset(() if given.only is UNSET else given.only)
        settings = copied(in_words(source.settings, raw=source.raw), only)

        def wanted_of(record: bridge.DevelopRecord, present: dict[str, Any]) -> Wanted | Unchangeable:
            del present
            if record.raw == source.raw:
                return Wanted(settings)
            # Kelvin mean nothing to a photo that is not raw, and the other way round.
            kept = {name: value for name, value in settings.items() if name not in GROUPS["white_balance"]}
            if not kept:
                return Unchangeable("White balance cannot be copied between raw photos and others.")
            return Wanted(kept)

        return DevelopWriter(catalog, wanted_of, "Safelight: copy develop settings")


class AutoTone(ChangesPhotos):
    """Lightroom's own automatic tones."""

    spec = TOOLS["auto_tone"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> OpenEndedWriter:
        """What Lightroom makes of each photo is known only afterwards."""
        del arguments

        async def send(photo_ids: list[str]) -> bridge.DevelopOutcome:
            command = bridge.AutoToneArguments(undo_name="Safelight: auto tone", photo_ids=photo_ids)
            return await catalog.source.command(command, bridge.AutoToneOutcome)

        return OpenEndedWriter(catalog, send, {"tones": "automatic"})


class ResetDevelop(ChangesPhotos):
    """Back to the defaults."""

    spec = TOOLS["reset_develop"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> OpenEndedWriter:
        """The defaults are Lightroom's."""
        del arguments

        async def send(photo_ids: list[str]) -> bridge.DevelopOutcome:
            command = bridge.ResetDevelopArguments(undo_name="Safelight: reset develop", photo_ids=photo_ids)
            return await catalog.source.command(command, bridge.ResetDevelopOutcome)

        return OpenEndedWriter(catalog, send, {"develop settings": "defaults"})


def _shown(record: bridge.DevelopRecord) -> dict[str, Any]:
    named = in_words(record.settings, raw=record.raw)
    return {"photo_id": record.photo_id, "settings": {name: named[name] for name in NAMES if name in named}}
