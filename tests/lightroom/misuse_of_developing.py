"""Wrong uses of develop settings, presets, snapshots and virtual copies."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

_PRESET: Final = "local preset = LrApplication.developPresetFolders()[1]:getDevelopPresets()[1] "

MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "develop": (
        Misuse(
            "develop settings outside a gate",
            "photo:applyDevelopSettings({ Texture = 5 })",
            "must be called inside write access",
            "gate(function() photo:applyDevelopSettings({ Texture = 5 }) end)",
        ),
        Misuse(
            "develop settings in a private gate",
            "catalog:withPrivateWriteAccessDo("
            "function() photo:applyDevelopSettings({ Texture = 5 }) end, { timeout = 1 })",
            "must be called inside write access",
        ),
        Misuse(
            "develop settings read inside a gate",
            "gate(function() photo:getDevelopSettings() end)",
            "must not be called inside a write gate",
            "assert(photo:getDevelopSettings().Exposure2012 == 0)",
        ),
        Misuse(
            "develop settings read inside a plain pcall",
            "assert(pcall(photo.getDevelopSettings, photo))",
            "attempt to yield across metamethod/C-call boundary",
            "assert(LrTasks.pcall(photo.getDevelopSettings, photo))",
        ),
        Misuse(
            "develop settings as one setting and its value",
            'gate(function() photo:applyDevelopSettings("Texture", 5) end)',
            "table expected, got string",
        ),
        Misuse(
            "develop settings as a list",
            "gate(function() photo:applyDevelopSettings({ 1, 2 }) end)",
            "a table of settings by name",
        ),
        Misuse(
            "a history name that is no text",
            "gate(function() photo:applyDevelopSettings({ Texture = 5 }, true) end)",
            "string|nil expected, got boolean",
            'gate(function() photo:applyDevelopSettings({ Texture = 5 }, "Crisper", true) end)',
        ),
        Misuse("the calls of the Develop module", 'import("LrDevelopController")', "has no 'LrDevelopController'"),
        Misuse(
            "quick develop, which changes the active photo instead",
            'gate(function() photo:quickDevelopAdjustImage("Exposure", "small") end)',
            "LrPhoto has no 'quickDevelopAdjustImage'",
        ),
        Misuse("the clipboard of settings", "photo:copySettings()", "LrPhoto has no 'copySettings'"),
        Misuse(
            "a preset outside a gate",
            _PRESET + "photo:applyDevelopPreset(preset)",
            "must be called inside write access",
            _PRESET + "gate(function() photo:applyDevelopPreset(preset) end)",
        ),
        Misuse(
            "a preset by its name",
            'gate(function() photo:applyDevelopPreset("Natural Light") end)',
            "LrDevelopPreset expected, got string",
        ),
        Misuse(
            "a preset by its id without asking whether there is one",
            'local preset = LrApplication.developPresetByUuid("none") '
            "gate(function() photo:applyDevelopPreset(preset) end)",
            "LrDevelopPreset expected, got nil",
            _PRESET + "assert(LrApplication.developPresetByUuid(preset:getUuid()) == preset) "
            'assert(preset:getParent():getName() == "Color - Natural")',
        ),
        Misuse(
            "part of a preset",
            _PRESET + "gate(function() photo:applyDevelopPreset(preset, nil, 50) end)",
            "applies presets in full",
        ),
        Misuse(
            "a snapshot outside a gate",
            'photo:createDevelopSnapshot("Now", false)',
            "must be called inside write access",
            'gate(function() assert(photo:createDevelopSnapshot("Now", false)) end) '
            'gate(function() assert(not photo:createDevelopSnapshot("Now", false)) end) '
            'gate(function() assert(photo:createDevelopSnapshot("Now", true)) end) '
            "assert(#photo:getDevelopSnapshots() == 1)",
        ),
        Misuse(
            "a snapshot that says nothing of one with its name",
            'gate(function() photo:createDevelopSnapshot("Now") end)',
            "boolean expected, got nil",
        ),
        Misuse(
            "a snapshot by its name",
            'gate(function() photo:createDevelopSnapshot("Now", false) end) '
            'gate(function() photo:applyDevelopSnapshot("Now") end)',
            "the photo has no such snapshot",
            'gate(function() photo:createDevelopSnapshot("Now", false) end) '
            "local id = photo:getDevelopSnapshots()[1].snapshotID "
            "gate(function() photo:applyDevelopSnapshot(id) end) "
            "gate(function() photo:deleteDevelopSnapshot(id) end) assert(#photo:getDevelopSnapshots() == 0)",
        ),
        Misuse(
            "virtual copies of given photos",
            "catalog:createVirtualCopies({ photo })",
            "string|nil expected, got table",
            "catalog:setSelectedPhotos(photo, {}) local copies = catalog:createVirtualCopies() "
            'assert(#copies == 1 and copies[1]:getRawMetadata("masterPhoto") == photo) '
            "assert(catalog:getTargetPhoto() == copies[1])",
        ),
        Misuse(
            "virtual copies inside a gate",
            "gate(function() catalog:createVirtualCopies() end)",
            "must not be called inside a write gate",
        ),
    ),
}
