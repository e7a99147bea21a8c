"""Tools for develop presets."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.catalog.fold import fold
from safelight.errors import ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.develop import OpenEndedWriter
from safelight.tools.reach import ChangesPhotos, OnNoPhotos
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import ApplyPresetArguments, ListPresetsArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.running import RunningCall

__all__ = ("ApplyPreset", "ListPresets")

PAGE: Final = 50
SIMILAR: Final = 3
NAMED: Final = 5


class ListPresets(OnNoPhotos):
    """The develop presets of this Lightroom."""

    spec = TOOLS["list_presets"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Those whose name or folder holds ``query``, page by page."""
        del call
        wanted = parse(arguments, ListPresetsArguments)
        query = "" if wanted.query is UNSET else fold(wanted.query)
        catalog = await self._catalogs.present()
        found = [p for p in await _presets(catalog) if query in fold(p.name) or query in fold(p.folder)]
        offset = 0 if wanted.offset is UNSET else wanted.offset
        limit = PAGE if wanted.limit is UNSET else wanted.limit
        presets = [
            {"preset_id": p.preset_id, "name": p.name, "folder": p.folder} for p in found[offset : offset + limit]
        ]
        return ToolAnswer(content={"count": len(found), "presets": presets})


class ApplyPreset(ChangesPhotos):
    """Applies a preset by its name or id."""

    spec = TOOLS["apply_preset"]

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call on the photos that its target has now, with the id of the preset. Raises as ``writer``."""
        preset = await self._meant(await self._catalogs.present(), arguments)
        return {**await super().freeze(arguments), "preset": preset.preset_id}

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> OpenEndedWriter:
        """Raises ``ToolError`` PRESET_NOT_FOUND, naming similar ones, or PRESET_AMBIGUOUS."""
        preset = await self._meant(catalog, arguments)

        async def send(photo_ids: list[str]) -> bridge.DevelopOutcome:
            command = bridge.ApplyPresetArguments(
                undo_name=f"Safelight: {preset.name}"[:80], preset_id=preset.preset_id, photo_ids=photo_ids
            )
            return await catalog.source.command(command, bridge.ApplyPresetOutcome)

        return OpenEndedWriter(catalog, send, {"preset": preset.name})

    async def _meant(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> bridge.PresetRecord:
        return _the_one(parse(arguments, ApplyPresetArguments).preset.strip(), await _presets(catalog))


async def _presets(catalog: OpenCatalog) -> list[bridge.PresetRecord]:
    return (await catalog.source.command(bridge.ListPresetsArguments(), bridge.ListPresetsOutcome)).presets


def _the_one(wanted: str, presets: list[bridge.PresetRecord]) -> bridge.PresetRecord:
    """The one with this id, or else this very name, or else this name but for case and accents."""
    by_id = [preset for preset in presets if preset.preset_id == wanted]
    named = by_id or [preset for preset in presets if preset.name.strip() == wanted]
    named = named or [preset for preset in presets if fold(preset.name.strip()) == fold(wanted)]
    if len(named) == 1:
        return named[0]
    if named:
        choices = ", ".join(f"{preset.preset_id} (in {preset.folder})" for preset in named[:NAMED])
        message = f'There are {len(named)} presets "{wanted}". Give the preset_id: {choices}.'
        raise ToolError("PRESET_AMBIGUOUS", message)
    names = {fold(preset.name): preset.name for preset in presets}
    similar = [names[name] for name in difflib.get_close_matches(fold(wanted), list(names), SIMILAR)]
    hint = f" Similar ones are {', '.join(similar)}." if similar else " See list_presets."
    raise ToolError("PRESET_NOT_FOUND", f'There is no develop preset "{wanted}".{hint}')
