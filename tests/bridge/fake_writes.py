"""What the fake plug-in does with keywords, develop settings, versions and exports: no more than tests need that the
simulated Lightroom cannot help (codes, lost answers, very many photos)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.wire import bridge_models as wire
from tests.bridge.fake_answers import Json, PluginFailure, taken, until

if TYPE_CHECKING:
    from tests.bridge.fake_plugin import FakePlugin

__all__ = ("FakeWrites",)

DEFAULTS: Final[Json] = {"Exposure2012": 0, "Contrast2012": 0, "ProcessVersion": "15.4", "WhiteBalance": "As Shot"}


class FakeWrites:
    """``develop`` holds the settings of photos that have some of their own, ``exported`` what was written."""

    def __init__(self, plugin: FakePlugin) -> None:
        self.develop: dict[str, Json] = {}
        self.exported: list[str] = []
        self.handlers: dict[str, Callable[[Json], Any]] = {
            "edit_keywords": self._edit_keywords,
            "read_develop": self._read_develop,
            "write_develop": self._write_develop,
            "list_presets": self._list_presets,
            "apply_preset": self._apply_preset,
            "list_snapshots": self._list_snapshots,
            "create_snapshots": self._create_snapshots,
            "create_virtual_copies": self._create_virtual_copies,
            "export_photos": self._export_photos,
        }
        self._plugin = plugin

    def _part(self, photo_ids: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
        """The photos that are written, and what the answer says of the others."""
        attempted, left = until(photo_ids, self._plugin.most_photos_a_write)
        there = [i for i in attempted if i in self._plugin.photos]
        failed = self._plugin.unknown(attempted)
        return there, {"failed": failed, "not_attempted": left, "stopped": self._plugin.stopped(left)}

    def _edit_keywords(self, arguments: Json) -> wire.EditKeywordsOutcome:
        changes = {change.photo_id: change for change in taken(arguments, wire.EditKeywordsArguments).changes}
        there, rest = self._part(list(changes))
        for photo_id in there:
            if photo_id in self._plugin.ignores:
                continue
            has, change = self._plugin.photos[photo_id].keywords, changes[photo_id]
            removed = {" > ".join(path) for path in change.remove}
            kept = [path for path in ([] if has is UNSET else has) if path not in removed]
            self._plugin.edit(photo_id, keywords=sorted({*kept, *(" > ".join(path) for path in change.add)}))
        return wire.EditKeywordsOutcome(applied=[self._plugin.photos[i] for i in there], **rest)

    def _record(self, photo_id: str) -> wire.DevelopRecord:
        settings = DEFAULTS | self.develop.get(photo_id, {})
        return wire.DevelopRecord(photo_id=photo_id, raw=False, settings=settings)

    def _read_develop(self, arguments: Json) -> wire.ReadDevelopOutcome:
        wanted = taken(arguments, wire.ReadDevelopArguments).photo_ids
        return wire.ReadDevelopOutcome(
            photos=[self._record(i) for i in wanted if i in self._plugin.photos],
            missing=[i for i in wanted if i not in self._plugin.photos],
        )

    def _write_develop(self, arguments: Json) -> wire.WriteDevelopOutcome:
        changes = {change.photo_id: change for change in taken(arguments, wire.WriteDevelopArguments).changes}
        there, rest = self._part(list(changes))
        for photo_id in there:
            if photo_id not in self._plugin.ignores:
                self.develop[photo_id] = self.develop.get(photo_id, {}) | changes[photo_id].settings
        return wire.WriteDevelopOutcome(applied=[self._record(i) for i in there], **rest)

    def _list_presets(self, arguments: Json) -> wire.ListPresetsOutcome:
        taken(arguments, wire.ListPresetsArguments)
        named = [("1", "Soft"), ("2", "Hard"), ("3", "Soft"), ("4", "Café"), ("5", "soft ")]
        return wire.ListPresetsOutcome(
            presets=[wire.PresetRecord(preset_id=f"preset-{n}", name=name, folder=f"Folder {n}") for n, name in named]
        )

    def _apply_preset(self, arguments: Json) -> wire.ApplyPresetOutcome:
        wanted = taken(arguments, wire.ApplyPresetArguments)
        there, rest = self._part(wanted.photo_ids)
        for photo_id in there:
            self.develop[photo_id] = self.develop.get(photo_id, {}) | {"Contrast2012": 10}
        return wire.ApplyPresetOutcome(applied=[self._record(i) for i in there], **rest)

    def _list_snapshots(self, arguments: Json) -> wire.ListSnapshotsOutcome:
        wanted = taken(arguments, wire.ListSnapshotsArguments).photo_ids
        return wire.ListSnapshotsOutcome(snapshots=[], missing=[i for i in wanted if i not in self._plugin.photos])

    def _create_snapshots(self, arguments: Json) -> wire.CreateSnapshotsOutcome:
        there, rest = self._part(taken(arguments, wire.CreateSnapshotsArguments).photo_ids)
        return wire.CreateSnapshotsOutcome(applied=there, **rest)

    def _create_virtual_copies(self, arguments: Json) -> wire.CreateVirtualCopiesOutcome:
        there, rest = self._part(taken(arguments, wire.CreateVirtualCopiesArguments).photo_ids)
        copies = [wire.CopyRecord(photo_id=i, copy_id=f"{i}-copy") for i in there]
        for copy in copies:
            record = msgspec.structs.replace(self._plugin.photos[copy.photo_id], photo_id=copy.copy_id)
            self._plugin.photos[copy.copy_id] = record
        return wire.CreateVirtualCopiesOutcome(copies=copies, **rest)

    def _export_photos(self, arguments: Json) -> wire.ExportPhotosOutcome:
        wanted = taken(arguments, wire.ExportPhotosArguments)
        if wanted.folder.startswith("/nowhere"):
            raise PluginFailure("FOLDER_NOT_WRITABLE", "Choose another folder; nothing can be written into /nowhere")
        there, rest = self._part(wanted.photo_ids)
        self.exported += there
        records = [wire.ExportRecord(photo_id=i, path=f"{wanted.folder}/{i}.jpg") for i in there]
        return wire.ExportPhotosOutcome(exported=records, **rest)
