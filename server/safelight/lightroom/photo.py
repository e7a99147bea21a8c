"""Photos and keywords of a simulated catalog."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Protocol

from msgspec import Struct

__all__ = ("Keyword", "Photo", "Pick", "PictureSource", "Snapshot")

Pick = Literal[-1, 0, 1]


class Keyword(Struct, frozen=True, kw_only=True):
    """A keyword; ``parent`` is the one above it. The same name may stand under several parents."""

    local_id: int
    name: str
    parent: int | None = None
    include_on_export: bool = True
    synonyms: tuple[str, ...] = ()


class Snapshot(Struct, frozen=True, kw_only=True):
    """Develop settings under a name."""

    snapshot_id: str
    name: str
    settings: dict[str, Any]


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
    keywords: tuple[int, ...] = ()
    """Local ids of its keywords."""
    headline: str = ""
    creator: str = ""
    copyright: str = ""
    location: str = ""
    city: str = ""
    state: str = ""
    country: str = ""
    gps: tuple[float, float] | None = None
    """Latitude and longitude in degrees."""
    camera: str = ""
    lens: str = ""
    iso: int | None = None
    aperture: float | None = None
    shutter: float | None = None
    """Seconds."""
    focal_length: float | None = None
    width: int = 0
    height: int = 0
    file_format: str = "JPG"
    copy_of: int | None = None
    copy_name: str = ""
    is_offline: bool = False
    """The file cannot be reached."""
    develop: dict[str, Any] | None = None
    """Settings of its own; None for the defaults of its kind."""
    snapshots: tuple[Snapshot, ...] = ()
    last_edit: float = 0.0
    """Seconds since 2001-01-01 UTC."""


class PictureSource(Protocol):
    """Where the pictures of a catalog come from."""

    def jpeg(self, photo: Photo, size: int) -> bytes:
        """The photo as a JPEG whose longer side is at most ``size``; called in a thread of its own."""
        ...
