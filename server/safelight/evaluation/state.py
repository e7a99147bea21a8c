"""What a catalog holds at one moment, as plain values (pure but for ``state_of``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from safelight.lightroom import Photo

if TYPE_CHECKING:
    from safelight.lightroom import Catalog

__all__ = ("Held", "Seen", "State", "state_of")

_FLAGS: Final = {-1: "reject", 0: "none", 1: "pick"}


class Seen(msgspec.Struct, frozen=True):
    """A photo. ``paths`` are its keywords with those above them."""

    photo: Photo
    paths: frozenset[tuple[str, ...]]

    @property
    def keywords(self) -> frozenset[str]:
        return frozenset(path[-1] for path in self.paths)

    @property
    def rating(self) -> int:
        return self.photo.rating or 0

    @property
    def flag(self) -> str:
        return _FLAGS[self.photo.pick]

    @property
    def label(self) -> str:
        return self.photo.label.lower() or "none"

    @property
    def captured(self) -> str:
        """Local time, ISO 8601; empty where it is not known."""
        return self.photo.captured.isoformat() if self.photo.captured else ""


class Held(msgspec.Struct, frozen=True):
    """A collection, and the uuids of the photos in it."""

    name: str
    kind: str
    parent: int | None
    photos: frozenset[str]


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Photos by uuid, collections by number, names of keywords, and the selected photos."""

    photos: dict[str, Seen]
    collections: dict[int, Held]
    keywords: frozenset[tuple[str, ...]]
    selection: frozenset[str]


def state_of(catalog: Catalog) -> State:
    """The catalog as it is now."""
    with catalog.lock:
        photos = catalog.photos()
        tree = catalog.keywords
        return State(
            photos={photo.uuid: Seen(photo, frozenset(map(tree.path, photo.keywords))) for photo in photos},
            collections={
                one.local_id: Held(
                    one.name,
                    one.kind,
                    one.parent,
                    frozenset(catalog.by_id(number).uuid for number in one.photo_ids),
                )
                for one in catalog.collections()
            },
            keywords=frozenset(tree.path(keyword.local_id) for keyword in tree.all()),
            selection=frozenset(catalog.selection),
        )
