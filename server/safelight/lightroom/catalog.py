"""The simulated catalog: photos, collections, what is selected and seen, and changes in gates that can be undone."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs

from safelight.lightroom.collections import Collection, CollectionKind, CollectionTree
from safelight.lightroom.keywords import KeywordTree
from safelight.lightroom.photo import Keyword, Photo, PictureSource
from safelight.lightroom.search_description import SearchDescription, matches

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("ALL_PHOTOS", "PREVIOUS_IMPORT", "Catalog", "Source", "ViewFilter")

ALL_PHOTOS = "kAllPhotos"
PREVIOUS_IMPORT = "kPreviousImport"
"""A source that Lightroom shows and whose photos the SDK does not give."""

Source = int | str
"""A collection's number, one of the constants above, or a folder's path."""

_LAST_IMPORTED = 12

_FIRST_SELECTED = 3


class ViewFilter(Struct, frozen=True):
    """The Library filter, as far as it is simulated: stars of its bar Attribute, a part of the file's name of its bar
    Text, the camera of its bar Metadata. Each bar is on or off by itself.
    """

    is_active: bool = False
    min_rating: int = 0
    is_searched: bool = False
    search: str = ""
    is_browsed: bool = False
    camera: str = ""

    def lets(self, photo: Photo) -> bool:
        return (
            (not self.is_active or (photo.rating or 0) >= self.min_rating)
            and (not self.is_searched or self.search.lower() in photo.file_name.lower())
            and (not self.is_browsed or photo.camera == self.camera)
        )


class _Open(Struct):
    """A gate that is open: its name in the Undo menu, and how to go back."""

    name: str | None
    photos: dict[int, Photo]
    collections: tuple[Collection, ...]
    properties: dict[str, Any]
    keywords: int


class Catalog:
    """Safe to read from any thread. Changes happen between ``open_gate`` and ``close_gate``."""

    def __init__(
        self, photos: Iterable[Photo], pictures: PictureSource, *, path: str, keywords: Iterable[Keyword] = ()
    ) -> None:
        self.path = path
        self.pictures = pictures
        self.lock = threading.RLock()
        self._photos = {photo.local_id: photo for photo in photos}
        self._by_uuid = {photo.uuid: photo.local_id for photo in self._photos.values()}
        self._collections = CollectionTree()
        self._properties: dict[str, Any] = {}
        self.keywords = KeywordTree(keywords)
        self._undo_names: list[str] = []
        self._open: _Open | None = None
        self._sources: tuple[Source, ...] = (ALL_PHOTOS,)
        self._filter = ViewFilter()
        self._shows_subfolders = True
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
            return self._collections.all()

    def collection(self, name: str) -> Collection:
        """The collection of that name; raises ``KeyError`` when there is none."""
        for collection in self.collections():
            if collection.name == name:
                return collection
        raise KeyError(name)

    def collection_by_id(self, local_id: int) -> Collection | None:
        return self._collections.get(local_id)

    def children(self, parent: int | None) -> list[Collection]:
        return self._collections.children(parent)

    def photos_in(self, local_id: int) -> list[int]:
        """The photos of a collection, of a smart one as they fit now, or of all collections in a set."""
        with self.lock:
            ids: dict[int, None] = {}
            for collection in self._collections.below(local_id):
                ids.update(dict.fromkeys(self._members(collection)))
            return list(ids)

    def _members(self, collection: Collection) -> Iterable[int]:
        return collection.photo_ids if collection.search is None else self.matching(collection.search)

    def matching(self, search: SearchDescription) -> list[int]:
        with self.lock:
            return [photo.local_id for photo in self._photos.values() if matches(search, photo, self)]

    def keyword_names(self, photo: Photo) -> list[str]:
        return [self.keywords[keyword].name for keyword in photo.keywords]

    def collections_of(self, local_id: int) -> list[Collection]:
        """The collections that hold the photo; no smart ones."""
        return [one for one in self._collections.all() if local_id in one.photo_ids]

    def collection_names(self, photo: Photo) -> list[str]:
        return [collection.name for collection in self.collections_of(photo.local_id)]

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

    def subfolders(self, path: str) -> list[str]:
        """The folders right below a folder."""
        inside = path.rstrip("/") + "/"
        below = [photo.path[len(inside) :] for photo in self._photos.values() if photo.path.startswith(inside)]
        return sorted({inside + rest.partition("/")[0] for rest in below if "/" in rest})

    def _photos_of(self, source: Source) -> Iterable[int]:
        if source == ALL_PHOTOS:
            return self._photos
        if source == PREVIOUS_IMPORT:
            return list(self._photos)[-_LAST_IMPORTED:]
        if isinstance(source, str):
            return self.in_folder(source, with_children=self._shows_subfolders)
        return self.photos_in(source) if source in self._collections else []

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

    def show_subfolders(self, *, shown: bool) -> None:
        """Library > Show Photos in Subfolders, which the SDK does not tell."""
        with self.lock:
            self._shows_subfolders = shown
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

    def _leave_deleted(self) -> None:
        kept = tuple(one for one in self._sources if isinstance(one, str) or one in self._collections)
        if kept != self._sources:
            self.show_sources(kept or (ALL_PHOTOS,))

    def _drop_hidden(self) -> None:
        visible = set(self.visible_ids())
        self._selected = tuple(local_id for local_id in self._selected if local_id in visible)

    # --- changes, in a gate --------------------------------------------------------------------------------------

    def open_gate(self, name: str | None) -> None:
        """``name`` is what the Undo menu will say; None for the plug-in's own fields, which take no step there."""
        with self.lock:
            self._open = _Open(name, {}, self._collections.all(), dict(self._properties), len(self.keywords))

    def close_gate(self, *, commit: bool) -> None:
        """Keeps all changes of the gate, or none."""
        with self.lock:
            gate, self._open = self._open, None
            if gate is None:
                return
            if not commit:
                self._photos.update(gate.photos)
                self._collections.restore(gate.collections)
                self._properties = gate.properties
                self.keywords.cut(gate.keywords)
            elif gate.name is not None and (
                gate.photos or self._collections.all() != gate.collections or len(self.keywords) != gate.keywords
            ):
                self._undo_names.append(gate.name)
            self._leave_deleted()

    def change_photo(self, local_id: int, **values: Any) -> None:
        with self.lock:
            photo = self._photos[local_id]
            if self._open is not None:
                self._open.photos.setdefault(local_id, photo)
            self._photos[local_id] = structs.replace(photo, **values)

    def add_virtual_copy(self, copy: Photo) -> None:
        """Needs no gate, as in Lightroom. A collection that is being looked at gets the copy too."""
        with self.lock:
            self._photos[copy.local_id] = copy
            self._by_uuid[copy.uuid] = copy.local_id
            self._undo_names.append("Create Virtual Copies")
            for source in self._sources:
                if isinstance(source, int) and self._collections[source].kind == "collection":
                    self.add_to_collection(source, (copy.local_id,))

    def set_property(self, name: str, value: Any) -> None:
        with self.lock:
            self._properties[name] = value

    def add_collection(
        self,
        name: str,
        kind: CollectionKind = "collection",
        parent: int | None = None,
        photo_ids: Iterable[int] = (),
        search: SearchDescription | None = None,
    ) -> Collection:
        """Raises ``NameExists`` when its place has one of that name. A smart one without ``search`` stays empty."""
        with self.lock:
            return self._collections.add(name, kind, parent, photo_ids, search)

    def add_to_collection(self, local_id: int, photo_ids: Iterable[int]) -> None:
        with self.lock:
            self._collections.add_photos(local_id, photo_ids)

    def remove_from_collection(self, local_id: int, photo_ids: Iterable[int]) -> None:
        with self.lock:
            self._collections.remove_photos(local_id, photo_ids)

    def delete_collection(self, local_id: int) -> None:
        """A set goes with all that is in it. What was shown of it is no longer shown once the gate is closed."""
        with self.lock:
            self._collections.delete(local_id)
