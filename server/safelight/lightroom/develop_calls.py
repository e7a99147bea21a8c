"""What the Lua doubles of develop settings, presets, snapshots and virtual copies call."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec import structs

from safelight.lightroom.clock import LIGHTROOM_EPOCH
from safelight.lightroom.develop import PENDING, after_write, auto_tones, own, settings_of
from safelight.lightroom.develop_presets import FOLDERS, Preset, preset_of
from safelight.lightroom.lua_value import LuaEngine, LuaTable, plain, text, to_lua
from safelight.lightroom.metadata import LightroomRefusal
from safelight.lightroom.photo import Photo, Snapshot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.lightroom.catalog import Catalog
    from safelight.lightroom.scheduler import Scheduler

__all__ = ("DevelopCalls",)

_AUTO_SECONDS: Final = 1.0
"""How long Auto takes where it is not asked to be done at once."""


class DevelopCalls:
    """All of it runs in the scheduler's thread."""

    REFUSABLE = (
        "develop_settings apply_develop_settings apply_develop_preset develop_snapshots create_develop_snapshot "
        "apply_develop_snapshot delete_develop_snapshot create_virtual_copies preset_settings"
    )
    PLAIN = "preset_folders presets_in preset_exists preset_name preset_folder virtual_copies_of select_nothing"

    def __init__(self, lua: LuaEngine, catalog: Catalog, scheduler: Scheduler) -> None:
        self._lua = lua
        self._catalog = catalog
        self._scheduler = scheduler
        self._unsettled: dict[int, tuple[float, dict[str, Any]]] = {}
        self.settle_seconds = 0.0
        """How long after a write the old settings are still read."""
        self._told_from: dict[int, float] = {}
        self.copies_settle_seconds = 0.0
        """How long a new virtual copy is not told among those of its photo."""
        self._history: dict[int, list[str]] = {}

    # --- settings ------------------------------------------------------------------------------------------------

    def develop_settings(self, photo: int) -> LuaTable:
        until, shown = self._unsettled.get(photo, (0.0, {}))
        if self._scheduler.clock.now() < until:
            return to_lua(self._lua, shown)
        return to_lua(self._lua, settings_of(self._catalog.by_id(photo)))

    def apply_develop_settings(self, photo: int, settings: LuaTable, history: bytes | None, flatten: bool) -> None:
        given = plain(settings)
        if not isinstance(given, dict):
            raise LightroomRefusal("applyDevelopSettings takes a table of settings by name")
        self._write(
            photo,
            cast("dict[str, Any]", given),
            "Develop Settings" if history is None else text(history),
            is_at_once=flatten,
        )

    def _write(self, photo: int, given: Mapping[str, Any], history: str, *, is_at_once: bool = True) -> None:
        before = self._catalog.by_id(photo)
        shown = settings_of(before)
        seconds = self.settle_seconds
        if given.get("AutoTone") is True and not (is_at_once and seconds == 0.0):
            shown = {**shown, **dict.fromkeys(auto_tones(before), PENDING)}
            seconds = max(seconds, _AUTO_SECONDS)
        self._keep(before, after_write(before, given), history)
        self._unsettled[photo] = (self._scheduler.clock.now() + seconds, shown)

    def _keep(self, photo: Photo, settings: Mapping[str, Any], history: str) -> None:
        self._catalog.change_photo(photo.local_id, develop=own(photo, settings), last_edit=self._now())
        self._history.setdefault(photo.local_id, []).append(history)

    def history_of(self, photo: int) -> tuple[str, ...]:
        """Names of the photo's history steps, oldest first."""
        return tuple(self._history.get(photo, ()))

    def _now(self) -> float:
        return self._scheduler.clock.now() - LIGHTROOM_EPOCH

    # --- presets -------------------------------------------------------------------------------------------------

    def preset_folders(self) -> LuaTable:
        return to_lua(self._lua, list(FOLDERS))

    def presets_in(self, folder: bytes) -> LuaTable:
        return to_lua(self._lua, [preset.preset_id for preset in FOLDERS[text(folder)]])

    def preset_exists(self, preset_id: bytes) -> bool:
        return preset_of(text(preset_id)) is not None

    def preset_name(self, preset_id: bytes) -> bytes:
        return self._preset(preset_id).name.encode()

    def preset_folder(self, preset_id: bytes) -> bytes:
        preset = self._preset(preset_id)
        return next(name for name, presets in FOLDERS.items() if preset in presets).encode()

    def preset_settings(self, preset_id: bytes) -> LuaTable:
        return to_lua(self._lua, self._preset(preset_id).settings)

    def apply_develop_preset(self, photo: int, preset_id: bytes) -> None:
        preset = self._preset(preset_id)
        self._write(photo, preset.settings, f"Preset: {preset.name}")

    def _preset(self, preset_id: bytes) -> Preset:
        preset = preset_of(text(preset_id))
        if preset is None:
            raise LightroomRefusal("there is no such develop preset")
        return preset

    # --- snapshots; a photo and its virtual copies have them in common -------------------------------------------

    def develop_snapshots(self, photo: int) -> LuaTable:
        snapshots = self._family_head(photo).snapshots
        return to_lua(
            self._lua,
            [{"snapshotID": one.snapshot_id, "name": one.name, "id_global": one.snapshot_id} for one in snapshots],
        )

    def create_develop_snapshot(self, photo: int, name: bytes, update_in_place: bool) -> bool:
        head = self._family_head(photo)
        same = next((one for one in head.snapshots if one.name == text(name)), None)
        if same is not None and not update_in_place:
            return False
        made = Snapshot(
            snapshot_id=str(uuid.uuid4()).upper() if same is None else same.snapshot_id,
            name=text(name),
            settings=settings_of(self._catalog.by_id(photo)),
        )
        others = tuple(one for one in head.snapshots if one is not same)
        self._catalog.change_photo(head.local_id, snapshots=(*others, made), last_edit=self._now())
        return True

    def apply_develop_snapshot(self, photo: int, snapshot_id: bytes) -> None:
        snapshot = self._snapshot(photo, snapshot_id)
        self._keep(self._catalog.by_id(photo), snapshot.settings, f"Snapshot: {snapshot.name}")

    def delete_develop_snapshot(self, photo: int, snapshot_id: bytes) -> None:
        head, snapshot = self._family_head(photo), self._snapshot(photo, snapshot_id)
        left = tuple(one for one in head.snapshots if one is not snapshot)
        self._catalog.change_photo(head.local_id, snapshots=left, last_edit=self._now())

    def _snapshot(self, photo: int, snapshot_id: bytes) -> Snapshot:
        for snapshot in self._family_head(photo).snapshots:
            if snapshot.snapshot_id == text(snapshot_id):
                return snapshot
        raise LightroomRefusal("the photo has no such snapshot")

    def _family_head(self, photo: int) -> Photo:
        found = self._catalog.by_id(photo)
        return found if found.copy_of is None else self._catalog.by_id(found.copy_of)

    # --- virtual copies ------------------------------------------------------------------------------------------

    def virtual_copies_of(self, photo: int) -> LuaTable:
        now = self._scheduler.clock.now()
        copies = [one.local_id for one in self._copies(photo)]
        return self._lua.table_from([one for one in copies if self._told_from.get(one, now) <= now])

    def create_virtual_copies(self, name: bytes | None) -> LuaTable:
        if not self._scheduler.gate.is_free:
            raise LightroomRefusal("blocked by another write access call")
        made: list[int] = []
        for photo in self._catalog.selected_ids():
            copy = self._copy(photo, name)
            self._catalog.add_virtual_copy(copy)
            self._told_from[copy.local_id] = self._scheduler.clock.now() + self.copies_settle_seconds
            made.append(copy.local_id)
        self._catalog.select_ids(made)
        return self._lua.table_from(made)

    def select_nothing(self) -> None:
        self._catalog.select_ids((), may_clear=True)

    def _copy(self, photo: int, name: bytes | None) -> Photo:
        found, head = self._catalog.by_id(photo), self._family_head(photo)
        return structs.replace(
            found,
            local_id=max(self._catalog.ids()) + 1,
            uuid=str(uuid.uuid4()).upper(),
            copy_of=head.local_id,
            copy_name=f"Copy {len(self._copies(head.local_id)) + 1}" if name is None else text(name),
            snapshots=(),
            last_edit=self._now(),
        )

    def _copies(self, photo: int) -> list[Photo]:
        return [one for one in self._catalog.photos() if one.copy_of == photo]
