"""The simulated catalog: photos, collections, what is selected and seen, and changes in gates that can be undone."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from safelight.lightroom.photo import Collection, CollectionKind, Photo, PictureSource

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("ALL_PHOTOS", "PREVIOUS_IMPORT", "Catalog", "NameExists", "Source", "ViewFilter")

ALL_PHOTOS = "kAllPhotos"
PREVIOUS_IMPORT = "kPreviousImport"
"""A source that Lightroom shows and whose photos the SDK does not give."""

Source = int | str
"""A collection's number, one of the constants above, or a folder's path."""

_LAST_IMPORTED = 12

_FIRST_SELECTED = 3


class NameExists(Exception):
    """A collection with that name is there already."""


class ViewFilter(Struct, frozen=True):
    """The Library filter, as far as it is simulated: stars."""

    is_active: bool = False
    min_rating: int = 0

    def lets(self, photo: Photo) -> bool:
        return not self.is_active or (photo.rating or 0) >= self.min_rating


class _Open(Struct):
    """A gate that is open: its name in the Undo menu, and how to go back."""

    name: str | None
    photos: dict[int, Photo]
    collections: dict[int, Collection]
    properties: dict[str, Any]


class Catalog:
    """Safe to read from any thread. Changes happen between ``open_gate`` and ``close_gate``."""

    def __init__(self, photos: Iterable[Photo], pictures: PictureSource, *, path: str) -> None:
        self.path = path
        self.pictures = pictures
        self.lock = threading.RLock()
        self._photos = {photo.local_id: photo for photo in photos}
        self._by_uuid = {photo.uuid: photo.local_id for photo in self._photos.values()}
        self._collections: dict[int, Collection] = {}
        self._properties: dict[str, Any] = {}
        self._undo_names: list[str] = []
        self._open: _Open | None = None
        self._sources: tuple[Source, ...] = (ALL_PHOTOS,)
        self._filter = ViewFilter()
        self._selected: tuple[int, ...] = tuple(self._photos)[:_FIRST_SELECTED]
        self._view = ("library", "grid")

    # --- reading -------------------------------------------------------------------------------------------------

    def photos(self) -> tuple[Photo, ...]:
        with self.lock:
            return tuple(self._photos.values())

    def photo(self, uuid: str) -> Photo:
        """The photo as it is now; raises ``KeyError`` for an unknown uuid."""
        with self.lock:
            return self._photos[self._by_uuid[uuid]]

    def by_id(self, local_id: int) -> Photo:
        return self._photos[local_id]

    def ids(self) -> list[int]:
        return list(self._photos)

    def id_of(self, uuid: str) -> int | None:
        return self._by_uuid.get(uuid)

    def collections(self) -> tuple[Collection, ...]:
        with self.lock:
            return tuple(self._collections.values())

    def collection(self, name: str) -> Collection:
        """The collection of that name; raises ``KeyError`` when there is none."""
        for collection in self.collections():
            if collection.name == name:
                return collection
        raise KeyError(name)

    def collection_by_id(self, local_id: int) -> Collection | None:
        return self._collections.get(local_id)

    def children(self, parent: int | None) -> list[Collection]:
        return [collection for collection in self._collections.values() if collection.parent == parent]

    @property
    def properties(self) -> dict[str, Any]:
        with self.lock:
            return dict(self._properties)

    @property
    def undo_names(self) -> tuple[str, ...]:
        """What the Undo menu would say, oldest first."""
        with self.lock:
            return tuple(self._undo_names)

    @property
    def selection(self) -> tuple[str, ...]:
        """uuids of the selected photos, the active one first."""
        with self.lock:
            return tuple(self._photos[local_id].uuid for local_id in self._selected)

    @property
    def view(self) -> tuple[str, str]:
        """The module and the view in it."""
        return self._view

    @property
    def view_filter(self) -> ViewFilter:
        return self._filter

    @property
    def sources(self) -> tuple[Source, ...]:
        return self._sources

    def selected_ids(self) -> tuple[int, ...]:
        return self._selected

    def visible_ids(self) -> list[int]:
        """What the grid shows: the photos of the active sources that pass the filter."""
        with self.lock:
            ids: dict[int, None] = {}
            for source in self._sources:
                ids.update(dict.fromkeys(self._photos_of(source)))
            return [local_id for local_id in ids if self._filter.lets(self._photos[local_id])]

    def in_folder(self, path: str, *, with_children: bool) -> list[int]:
        """The photos in a folder, or in it and all below it."""
        inside = path.rstrip("/") + "/"
        photos = [photo for photo in self._photos.values() if photo.path.startswith(inside)]
        return [photo.local_id for photo in photos if with_children or "/" not in photo.path[len(inside) :]]

    def _photos_of(self, source: Source) -> Iterable[int]:
        if source == ALL_PHOTOS:
            return self._photos
        if source == PREVIOUS_IMPORT:
            return list(self._photos)[-_LAST_IMPORTED:]
        if isinstance(source, str):
            return self.in_folder(source, with_children=True)
        collection = self._collections[source]
        if collection.kind != "set":
            return collection.photo_ids
        return [one for child in self.children(source) for one in self._photos_of(child.local_id)]

    # --- what is seen; no gate needed ----------------------------------------------------------------------------

    def select(self, uuids: Iterable[str]) -> None:
        """Selects the visible ones among these photos; none of them leaves nothing selected."""
        with self.lock:
            self.select_ids([self._by_uuid[uuid] for uuid in uuids], may_clear=True)

    def select_ids(self, ids: Iterable[int], *, may_clear: bool = False) -> None:
        with self.lock:
            visible = set(self.visible_ids())
            wanted = tuple(dict.fromkeys(local_id for local_id in ids if local_id in visible))
            if wanted or may_clear:
                self._selected = wanted

    def show_sources(self, sources: Iterable[Source]) -> None:
        with self.lock:
            self._sources = tuple(sources)
            self._drop_hidden()

    def filter_view(self, view_filter: ViewFilter) -> bool:
        """Whether the filter changed."""
        with self.lock:
            has_changed = view_filter != self._filter
            self._filter = view_filter
            self._drop_hidden()
            return has_changed

    def show(self, *, module: str | None = None, view: str | None = None) -> None:
        self._view = (module or self._view[0], view or self._view[1])

    def _drop_hidden(self) -> None:
        visible = set(self.visible_ids())
        self._selected = tuple(local_id for local_id in self._selected if local_id in visible)

    # --- changes, in a gate --------------------------------------------------------------------------------------

    def open_gate(self, name: str | None) -> None:
        """``name`` is what the Undo menu will say; None for the plug-in's own fields, which take no step there."""
        with self.lock:
            self._open = _Open(name, {}, dict(self._collections), dict(self._properties))

    def close_gate(self, *, commit: bool) -> None:
        """Keeps all changes of the gate, or none."""
        with self.lock:
            gate, self._open = self._open, None
            if gate is None:
                return
            if not commit:
                self._photos.update(gate.photos)
                self._collections, self._properties = gate.collections, gate.properties
            elif gate.name is not None and (gate.photos or self._collections != gate.collections):
                self._undo_names.append(gate.name)

    def change_photo(self, local_id: int, **values: Any) -> None:
        with self.lock:
            photo = self._photos[local_id]
            if self._open is not None:
                self._open.photos.setdefault(local_id, photo)
            self._photos[local_id] = structs.replace(photo, **values)

    def set_property(self, name: str, value: Any) -> None:
        with self.lock:
            self._properties[name] = value

    def add_collection(
        self, name: str, kind: CollectionKind = "collection", parent: int | None = None, photo_ids: Iterable[int] = ()
    ) -> Collection:
        """Raises ``NameExists`` when its place has a collection of that name."""
        with self.lock:
            if any(child.name == name for child in self.children(parent)):
                raise NameExists(name)
            number = 1000 + len(self._collections)
            collection = Collection(local_id=number, name=name, kind=kind, parent=parent, photo_ids=tuple(photo_ids))
            self._collections[number] = collection
            return collection

    def add_to_collection(self, local_id: int, photo_ids: Iterable[int]) -> None:
        with self.lock:
            collection = self._collections[local_id]
            members = tuple(dict.fromkeys((*collection.photo_ids, *photo_ids)))
            self._collections[local_id] = structs.replace(collection, photo_ids=members)
