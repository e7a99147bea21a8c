"""What the Lua doubles of the catalog call: names of Lua on one side, the simulated catalog on the other.

Functions in ``REFUSABLE`` answer true and a value, or false and Lightroom's refusal; the others just a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from safelight.lightroom.catalog import Catalog, ViewFilter
from safelight.lightroom.clock import LIGHTROOM_EPOCH
from safelight.lightroom.lua_value import LuaEngine, LuaTable, mapping, sequence, text, to_lua
from safelight.lightroom.metadata import FORMATTED, RAW, Getter, change_of, getter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.lightroom.scheduler import Scheduler
    from safelight.lightroom.thumbnails import Thumbnails

__all__ = ("CatalogCalls",)


class CatalogCalls:
    """All of it runs in the scheduler's thread."""

    REFUSABLE = "read_raw read_formatted write_metadata batch_raw batch_formatted set_sources folder_photos"
    PLAIN = (
        "catalog_path all_photos find_uuid active_photo target_photos selected_or_all select active_sources "
        "view_filter set_view_filter get_property set_property open_gate close_gate needs_timeout "
        "current_module show_module show_view request_thumbnail subfolders"
    )

    def __init__(
        self, lua: LuaEngine, catalog: Catalog, scheduler: Scheduler, thumbnails: Thumbnails, *, is_strict: bool
    ) -> None:
        self._lua = lua
        self._catalog = catalog
        self._scheduler = scheduler
        self._thumbnails = thumbnails
        self._is_strict = is_strict
        self.selection_settle_seconds = 0.0
        """How long after it was asked for a selection is still the old one."""

    # --- photos --------------------------------------------------------------------------------------------------

    def read_raw(self, photo: int, key: bytes) -> Any:
        return to_lua(self._lua, getter(RAW, text(key))(self._catalog.by_id(photo)))

    def read_formatted(self, photo: int, key: bytes) -> Any:
        return to_lua(self._lua, getter(FORMATTED, text(key))(self._catalog.by_id(photo)))

    def batch_raw(self, photos: LuaTable, keys: LuaTable | None) -> LuaTable:
        return self._batch(RAW, photos, keys)

    def batch_formatted(self, photos: LuaTable, keys: LuaTable | None) -> LuaTable:
        return self._batch(FORMATTED, photos, keys)

    def _batch(self, table: Mapping[str, Getter], photos: LuaTable, keys: LuaTable | None) -> LuaTable:
        names = [text(key) for key in sequence(keys)] if keys is not None else list(table)
        readers = [(name.encode(), getter(table, name)) for name in names]
        lua, catalog = self._lua, self._catalog
        rows: list[LuaTable] = []
        for local_id in sequence(photos):
            photo = catalog.by_id(local_id)
            rows.append(lua.table_from({name: to_lua(lua, read(photo)) for name, read in readers}))
        return lua.table_from(rows)

    def write_metadata(self, photo: int, key: bytes, value: Any) -> None:
        change = change_of(text(key), value)
        self._catalog.change_photo(photo, **change, last_edit=self._scheduler.clock.now() - LIGHTROOM_EPOCH)

    def request_thumbnail(self, number: int, photo: int, size: float) -> None:
        self._thumbnails.request(number, self._catalog.by_id(photo), int(size))

    # --- the catalog ---------------------------------------------------------------------------------------------

    def catalog_path(self) -> bytes:
        return self._catalog.path.encode()

    def all_photos(self) -> LuaTable:
        return self._lua.table_from(self._catalog.ids())

    def find_uuid(self, uuid: bytes) -> int | None:
        return self._catalog.id_of(text(uuid))

    def get_property(self, name: bytes) -> Any:
        return to_lua(self._lua, self._catalog.properties.get(text(name)))

    def set_property(self, name: bytes, value: Any) -> None:
        self._catalog.set_property(text(name), text(value) if isinstance(value, bytes) else value)

    def needs_timeout(self) -> bool:
        return self._is_strict or not self._scheduler.gate.is_free

    def open_gate(self, name: bytes | None) -> None:
        self._catalog.open_gate(None if name is None else text(name))

    def close_gate(self, commit: bool) -> None:
        self._catalog.close_gate(commit=commit)
        self._scheduler.gate.release()

    # --- what is seen --------------------------------------------------------------------------------------------

    def active_photo(self) -> int | None:
        selected = self._catalog.selected_ids()
        return selected[0] if selected else None

    def target_photos(self) -> LuaTable:
        # without a selection this is the whole filmstrip: the trap that plug-ins fall into
        return self._lua.table_from(list(self._catalog.selected_ids() or self._catalog.visible_ids()))

    def selected_or_all(self) -> LuaTable:
        selected = self._catalog.selected_ids()
        return self._lua.table_from(list(selected) if len(selected) > 1 else self._catalog.visible_ids())

    def select(self, active: int, others: LuaTable) -> None:
        wanted = [active, *sequence(others)]
        if self.selection_settle_seconds:
            self._scheduler.after(self.selection_settle_seconds, lambda: self._catalog.select_ids(wanted))
        else:
            self._catalog.select_ids(wanted)

    def active_sources(self) -> LuaTable:
        return to_lua(self._lua, list(self._catalog.sources))

    def set_sources(self, sources: LuaTable) -> None:
        self._catalog.show_sources([text(one) if isinstance(one, bytes) else one for one in sequence(sources)])

    def folder_photos(self, path: bytes, with_children: bool) -> LuaTable:
        return self._lua.table_from(self._catalog.in_folder(text(path), with_children=with_children))

    def subfolders(self, path: bytes) -> LuaTable:
        return to_lua(self._lua, self._catalog.subfolders(text(path)))

    def view_filter(self) -> LuaTable:
        now = self._catalog.view_filter
        values = {
            "filtersActive": now.is_active,
            "minRating": now.min_rating,
            "ratingOp": ">=",
            "searchStringActive": now.is_searched,
            "searchString": now.search,
            "searchOp": "all",
            "searchTarget": "filename",
            "columnBrowserActive": now.is_browsed,
            "columnBrowserDesc": [{"criteria": "camera"}],
        }
        return to_lua(self._lua, values)

    def set_view_filter(self, wanted: LuaTable) -> bool:
        values = mapping(wanted)
        return self._catalog.filter_view(
            ViewFilter(
                is_active=bool(values.get("filtersActive")),
                min_rating=int(values.get("minRating") or 0),
                is_searched=bool(values.get("searchStringActive")),
                search=values.get("searchString") or "",
                is_browsed=bool(values.get("columnBrowserActive")),
                # what is chosen in the columns is not told, and stays
                camera=self._catalog.view_filter.camera,
            )
        )

    def current_module(self) -> bytes:
        return self._catalog.view[0].encode()

    def show_module(self, name: bytes) -> None:
        self._catalog.show(module=text(name))

    def show_view(self, name: bytes) -> None:
        self._catalog.show(view=text(name))
