"""Photos and collections of a simulated catalog."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Protocol

from msgspec import Struct

__all__ = ("Collection", "CollectionKind", "Photo", "Pick", "PictureSource")

Pick = Literal[-1, 0, 1]
CollectionKind = Literal["collection", "smart", "set"]


class Photo(Struct, frozen=True, kw_only=True):
    """A photo or, with ``copy_of``, a virtual copy, which shares the file of its master and nothing else."""

    local_id: int
    uuid: str
    path: str
    file_name: str
    title: str = ""
    caption: str = ""
    rating: int | None = None
    pick: Pick = 0
    label: str = ""
    captured: datetime | None = None
    keywords: tuple[str, ...] = ()
    city: str = ""
    country: str = ""
    camera: str = ""
    lens: str = ""
    iso: int | None = None
    width: int = 0
    height: int = 0
    file_format: str = "JPG"
    copy_of: int | None = None
    copy_name: str = ""
    last_edit: float = 0.0
    """Seconds since 2001-01-01 UTC."""


class Collection(Struct, frozen=True, kw_only=True):
    """A collection, a smart collection or a set; ``parent`` is the set that holds it."""

    local_id: int
    name: str
    kind: CollectionKind = "collection"
    parent: int | None = None
    photo_ids: tuple[int, ...] = ()


class PictureSource(Protocol):
    """Where the pictures of a catalog come from."""

    def jpeg(self, photo: Photo, size: int) -> bytes:
        """The photo as a JPEG whose longer side is at most ``size``; called in a thread of its own."""
        ...
