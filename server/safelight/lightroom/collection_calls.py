"""What the Lua doubles of collections, smart collections, sets and searches call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from safelight.lightroom.collections import Collection, CollectionKind, NameExists
from safelight.lightroom.lua_value import LuaEngine, LuaTable, plain, sequence, text, to_lua
from safelight.lightroom.metadata import LightroomRefusal
from safelight.lightroom.search_description import Combination, SearchDescription, search_description

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from safelight.lightroom.catalog import Catalog
    from safelight.lightroom.photo import Photo

__all__ = ("CollectionCalls",)

_SORTS: dict[str, Callable[[Photo], Any]] = {
    "captureTime": lambda photo: photo.captured.isoformat() if photo.captured else "",
    "fileName": lambda photo: photo.file_name,
    "extension": lambda photo: photo.file_name.rsplit(".", 1)[-1],
}


class CollectionCalls:
    """All of it runs in the scheduler's thread."""

    REFUSABLE = (
        "collection_name collection_parent is_smart is_set collection_photos search_description children "
        "add_to_collection remove_from_collection delete_collection create_collection create_collection_set "
        "create_smart_collection find_photos collections_of_photo"
    )
    PLAIN = "find_collection"

    def __init__(self, lua: LuaEngine, catalog: Catalog) -> None:
        self._lua = lua
        self._catalog = catalog

    # --- reading -------------------------------------------------------------------------------------------------

    def collection_name(self, collection: int) -> bytes:
        return self._collection(collection).name.encode()

    def collection_parent(self, collection: int) -> int | None:
        return self._collection(collection).parent

    def is_smart(self, collection: int) -> bool:
        return self._collection(collection).kind == "smart"

    def is_set(self, collection: int) -> bool:
        return self._collection(collection).kind == "set"

    def collection_photos(self, collection: int) -> LuaTable:
        return self._lua.table_from(self._catalog.photos_in(self._collection(collection).local_id))

    def search_description(self, collection: int) -> Any:
        search = self._collection(collection).search
        return None if search is None else to_lua(self._lua, _table(search))

    def children(self, parent: int | None, kinds: bytes) -> LuaTable:
        wanted = text(kinds)
        found = self._catalog.children(parent if parent is None else self._collection(parent).local_id)
        return self._lua.table_from(
            [one.local_id for one in found if wanted == "all" or (one.kind == "set") == (wanted == "sets")]
        )

    def find_collection(self, local_id: int) -> int | None:
        found = self._catalog.collection_by_id(local_id)
        return found.local_id if found else None

    def collections_of_photo(self, photo: int) -> LuaTable:
        return self._lua.table_from([one.local_id for one in self._catalog.collections_of(photo)])

    def find_photos(self, search: LuaTable, sort: bytes, ascending: bool) -> LuaTable:
        key = _SORTS.get(text(sort))
        if key is None:
            raise LightroomRefusal(f"findPhotos cannot sort by {text(sort)!r}, only by {', '.join(_SORTS)}")
        found = [self._catalog.by_id(one) for one in self._catalog.matching(search_description(plain(search)))]
        return self._lua.table_from([photo.local_id for photo in sorted(found, key=key, reverse=not ascending)])

    # --- changes -------------------------------------------------------------------------------------------------

    def create_collection(self, name: bytes, parent: int | None, can_return_prior: bool) -> LuaTable:
        return self._create(name, "collection", parent, can_return_prior)

    def create_collection_set(self, name: bytes, parent: int | None, can_return_prior: bool) -> LuaTable:
        return self._create(name, "set", parent, can_return_prior)

    def create_smart_collection(
        self, name: bytes, parent: int | None, can_return_prior: bool, search: LuaTable
    ) -> LuaTable:
        return self._create(name, "smart", parent, can_return_prior, search_description(plain(search)))

    def _create(
        self,
        name: bytes,
        kind: CollectionKind,
        parent: int | None,
        can_return_prior: bool,
        search: SearchDescription | None = None,
    ) -> LuaTable:
        place = parent if parent is None else self._collection(parent).local_id
        try:
            made = self._catalog.add_collection(text(name), kind, place, search=search)
        except NameExists:
            prior = next(one for one in self._catalog.children(place) if one.name == text(name))
            is_wanted = can_return_prior and prior.kind == kind
            return to_lua(self._lua, {"id": prior.local_id if is_wanted else None, "isNew": False})
        return to_lua(self._lua, {"id": made.local_id, "isNew": True})

    def add_to_collection(self, collection: int, photos: LuaTable) -> None:
        self._plain(collection, "photos cannot be added to a smart collection")
        self._catalog.add_to_collection(collection, sequence(photos))

    def remove_from_collection(self, collection: int, photos: LuaTable) -> None:
        self._plain(collection, "photos cannot be removed from a smart collection")
        self._catalog.remove_from_collection(collection, sequence(photos))

    def delete_collection(self, collection: int) -> None:
        self._catalog.delete_collection(self._collection(collection).local_id)

    def _collection(self, local_id: int) -> Collection:
        found = self._catalog.collection_by_id(local_id)
        if found is None:
            raise LightroomRefusal("the collection is no longer in the catalog")
        return found

    def _plain(self, local_id: int, refusal: str) -> None:
        if self._collection(local_id).kind == "smart":
            raise LightroomRefusal(refusal)


def _table(search: SearchDescription) -> dict[Any, Any]:
    """The table that the SDK gives for a description."""
    if isinstance(search, Combination):
        parts: Iterable[tuple[int | Literal["combine"], Any]] = enumerate(map(_table, search.parts), 1)
        return {**dict(parts), "combine": search.combine}
    entries: dict[Any, Any] = msgspec.structs.asdict(search)
    return {name: value for name, value in entries.items() if value is not None}
