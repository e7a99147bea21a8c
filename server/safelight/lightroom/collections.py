"""The collections, smart collections and collection sets of a simulated catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct, structs

from safelight.lightroom.search_description import SearchDescription

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ("Collection", "CollectionKind", "CollectionTree", "NameExists")

CollectionKind = Literal["collection", "smart", "set"]

_FIRST_ID = 1000


class NameExists(Exception):
    """The place has a collection of that name already."""


class Collection(Struct, frozen=True, kw_only=True):
    """A collection, a smart collection or a set; ``parent`` is the set that holds it."""

    local_id: int
    name: str
    kind: CollectionKind = "collection"
    parent: int | None = None
    photo_ids: tuple[int, ...] = ()
    """Of a collection; a smart one and a set have none of their own."""
    search: SearchDescription | None = None
    """Of a smart collection."""


class CollectionTree:
    """By local id, which no other collection ever gets, and in the order of their making."""

    def __init__(self) -> None:
        self._by_id: dict[int, Collection] = {}
        self._last_id = _FIRST_ID - 1

    def __contains__(self, local_id: object) -> bool:
        return local_id in self._by_id

    def __getitem__(self, local_id: int) -> Collection:
        return self._by_id[local_id]

    def get(self, local_id: int) -> Collection | None:
        return self._by_id.get(local_id)

    def all(self) -> tuple[Collection, ...]:
        return tuple(self._by_id.values())

    def restore(self, collections: Sequence[Collection]) -> None:
        """Goes back to what ``all`` told."""
        self._by_id = {collection.local_id: collection for collection in collections}

    def children(self, parent: int | None) -> list[Collection]:
        return [collection for collection in self._by_id.values() if collection.parent == parent]

    def named(self, name: str, parent: int | None) -> Collection | None:
        return next((child for child in self.children(parent) if child.name == name), None)

    def below(self, local_id: int) -> list[Collection]:
        """The collections, smart ones included, in a set and in the sets in it; or the collection itself."""
        collection = self._by_id[local_id]
        if collection.kind != "set":
            return [collection]
        return [one for child in self.children(local_id) for one in self.below(child.local_id)]

    def add(
        self,
        name: str,
        kind: CollectionKind,
        parent: int | None,
        photo_ids: Iterable[int] = (),
        search: SearchDescription | None = None,
    ) -> Collection:
        """Raises ``NameExists`` when its place has a collection or a set of that name."""
        if self.named(name, parent) is not None:
            raise NameExists(name)
        self._last_id += 1
        collection = Collection(
            local_id=self._last_id, name=name, kind=kind, parent=parent, photo_ids=tuple(photo_ids), search=search
        )
        self._by_id[collection.local_id] = collection
        return collection

    def add_photos(self, local_id: int, photo_ids: Iterable[int]) -> None:
        """Those that it has already stay where they are."""
        collection = self._by_id[local_id]
        members = tuple(dict.fromkeys((*collection.photo_ids, *photo_ids)))
        self._by_id[local_id] = structs.replace(collection, photo_ids=members)

    def remove_photos(self, local_id: int, photo_ids: Iterable[int]) -> None:
        collection = self._by_id[local_id]
        removed = set(photo_ids)
        members = tuple(member for member in collection.photo_ids if member not in removed)
        self._by_id[local_id] = structs.replace(collection, photo_ids=members)

    def delete(self, local_id: int) -> None:
        """A set goes with all that is in it."""
        for child in self.children(local_id):
            self.delete(child.local_id)
        del self._by_id[local_id]
