"""Tools for develop settings: read, set, copy, automatic tones, reset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.errors import ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.develop import DevelopWriter, OpenEndedWriter, Unchangeable, Wanted, read_develop
from safelight.tools.develop_table import GROUPS, NAMES, Group, Slider, copied, in_words, slider_of
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
    from collections.abc import Iterable, Mapping

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.running import RunningCall

__all__ = ("AutoTone", "CopyDevelopSettings", "GetDevelopSettings", "ResetDevelop", "SetDevelopSettings")

PAGE: Final = 10
STEPS: Final = 100
"""The most that the temperature of a photo which is not raw can be."""


class GetDevelopSettings(OnPhotos):
    """Reads the settings that have a name here."""

    spec = TOOLS["get_develop_settings"]

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A page of the target's photos with their settings. Unknown ids are named; PHOTO_NOT_FOUND when all are."""
        del call
        wanted = parse(arguments, GetDevelopSettingsArguments)
        catalog, page = await page_of(self._catalogs, wanted, PAGE)
        records = await read_develop(catalog, page.photo_ids)
        lost = [photo_id for photo_id in page.photo_ids if photo_id not in records]
        if lost and not records:
            raise ToolError("PHOTO_NOT_FOUND", missing_photos(lost)[0])
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
            if mistaken := _other_scale(settings.get("temperature"), raw=record.raw, is_relative=is_relative):
                return Unchangeable(mistaken)
            wanted: dict[str, Any] = {}
            for name, value in settings.items():
                slider = slider_of(name, record.settings, raw=record.raw)
                base = present.get(name, 0) if is_relative else 0
                if not isinstance(base, int | float) or isinstance(base, bool):
                    return Unchangeable(f"The photo has no {name} that could be changed by an amount.")
                # Without a slider the writer says that there is none.
                wanted[name] = value if slider is None else slider.limited(base + value)
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
            kept = settings if record.raw == source.raw else _of_any_kind(settings)
            if not kept:
                return Unchangeable("White balance cannot be copied between raw photos and others.")
            version = {**record.settings, **kept}
            if _sliders(kept, version, raw=record.raw) != _sliders(kept, source.settings, raw=record.raw):
                return Unchangeable(
                    "The photos are developed with process versions whose sliders differ. Copy all settings instead."
                )
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


def _of_any_kind(settings: dict[str, Any]) -> dict[str, Any]:
    """Without what means nothing between raw photos and others: kelvin, and the camera's profile."""
    white_balance = GROUPS["white_balance"]
    return {n: v for n, v in settings.items() if n not in white_balance and not n.startswith("CameraProfile")}


def _sliders(names: Iterable[str], settings: Mapping[str, Any], *, raw: bool) -> dict[str, Slider | None]:
    return {name: slider_of(name, settings, raw=raw) for name in names if name in NAMES}


def _other_scale(temperature: float | None, *, raw: bool, is_relative: bool) -> str | None:
    """Why a temperature cannot be meant for this kind of photo."""
    if temperature is None:
        return None
    if not raw and abs(temperature) > STEPS * (2 if is_relative else 1):
        return f"The photo is not raw: its temperature goes from -{STEPS} to {STEPS}, not in kelvin."
    if raw and not is_relative and temperature <= STEPS:
        return "The photo is raw: its temperature is in kelvin, from 2000 to 50000."
    return None


def _shown(record: bridge.DevelopRecord) -> dict[str, Any]:
    named = in_words(record.settings, raw=record.raw)
    return {"photo_id": record.photo_id, "settings": {name: named[name] for name in NAMES if name in named}}
