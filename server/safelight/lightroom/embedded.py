"""Metadata inside a picture file and in its sidecar: EXIF, IPTC, XMP."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from defusedxml import ElementTree
from msgspec import Struct, structs
from PIL import Image, IptcImagePlugin
from PIL.ExifTags import GPS, IFD, Base

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

__all__ = ("Embedded", "embedded_metadata")

_log = logging.getLogger(__name__)

_TURNED = (5, 6, 7, 8)

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_XMP = "{http://ns.adobe.com/xap/1.0/}"
_PHOTOSHOP = "{http://ns.adobe.com/photoshop/1.0/}"
_LIGHTROOM = "{http://ns.adobe.com/lightroom/1.0/}"
_IPTC_CORE = "{http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/}"


class Embedded(Struct, frozen=True, kw_only=True):
    """What a file says about itself; empty where it says nothing."""

    title: str = ""
    caption: str = ""
    rating: int | None = None
    label: str = ""
    captured: datetime | None = None
    keywords: tuple[tuple[str, ...], ...] = ()
    """Paths of names, from the top."""
    headline: str = ""
    creator: str = ""
    copyright: str = ""
    location: str = ""
    city: str = ""
    state: str = ""
    country: str = ""
    gps: tuple[float, float] | None = None
    camera: str = ""
    lens: str = ""
    iso: int | None = None
    aperture: float | None = None
    shutter: float | None = None
    focal_length: float | None = None
    width: int = 0
    height: int = 0


def embedded_metadata(picture: Image.Image, path: Path) -> Embedded:
    """Reads the headers only. A broken part is left out and named in the log."""
    found: dict[str, Any] = {}
    for read in (_exif, _iptc, _xmp):
        try:
            found |= read(picture)
        except Exception as error:  # noqa: BLE001 - broken metadata comes in every shape and must not cost the photo
            _log.warning("%s: metadata left out: %s", path, error)
    for sidecar in (path.with_suffix(".xmp"), path.with_name(path.name + ".xmp")):
        if sidecar.is_file():
            try:
                found |= _from_xmp(sidecar.read_bytes())
            except (OSError, ElementTree.ParseError, ValueError) as error:
                _log.warning("%s: left out: %s", sidecar, error)
    return structs.replace(Embedded(), **found)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            value = value.decode("latin-1")
    return str(value).replace("\x00", "").strip() if value is not None else ""


def _said(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in ("", None, ())}


def _exif(picture: Image.Image) -> dict[str, Any]:
    exif = picture.getexif()
    details = exif.get_ifd(IFD.Exif)
    width, height = picture.size
    if exif.get(Base.Orientation) in _TURNED:
        width, height = height, width
    iso = details.get(Base.ISOSpeedRatings)
    if isinstance(iso, tuple):
        iso = cast("tuple[Any, ...]", iso)[0] if iso else None
    taken = _text(details.get(Base.DateTimeOriginal)) or _text(exif.get(Base.DateTime))
    return _said(
        width=width,
        height=height,
        caption=_text(exif.get(Base.ImageDescription)),
        creator=_text(exif.get(Base.Artist)),
        copyright=_text(exif.get(Base.Copyright)),
        captured=_exif_time(taken),
        camera=_text(exif.get(Base.Model)),
        lens=_text(details.get(Base.LensModel)),
        iso=int(iso) if iso else None,
        aperture=_positive(details.get(Base.FNumber)),
        shutter=_positive(details.get(Base.ExposureTime)),
        focal_length=_positive(details.get(Base.FocalLength)),
        gps=_exif_place(exif.get_ifd(IFD.GPSInfo)),
    )


def _positive(value: Any) -> float | None:
    # a fraction of nothing is not a number, and comes out false
    return float(value) if value is not None and float(value) > 0 else None


def _exif_place(tags: Mapping[int, Any]) -> tuple[float, float] | None:
    latitude = _degrees(tags.get(GPS.GPSLatitude), tags.get(GPS.GPSLatitudeRef), "S", 90)
    longitude = _degrees(tags.get(GPS.GPSLongitude), tags.get(GPS.GPSLongitudeRef), "W", 180)
    return None if latitude is None or longitude is None else (latitude, longitude)


def _degrees(parts: Any, side: Any, negative: str, most: int) -> float | None:
    """Degrees, minutes and seconds as one number; None for what is none or lies off the earth."""
    if parts is None:
        return None
    value = sum(float(part) / 60**power for power, part in enumerate(parts))
    return (-value if _text(side) == negative else value) if 0 <= value <= most else None


def _exif_time(text: str) -> datetime | None:
    try:
        # local time of the camera, as Lightroom shows it
        return datetime.strptime(text[:19], "%Y:%m:%d %H:%M:%S")  # noqa: DTZ007
    except ValueError:
        return None


def _iptc(picture: Image.Image) -> dict[str, Any]:
    if picture.format not in ("JPEG", "TIFF"):
        return {}
    fields = cast("Mapping[tuple[int, int], Any]", IptcImagePlugin.getiptcinfo(cast("Any", picture)) or {})
    words: Any = fields.get((2, 25), [])
    keywords = cast("list[Any]", words) if isinstance(words, list) else [words]
    return _said(
        title=_text(fields.get((2, 5))),
        caption=_text(fields.get((2, 120))),
        keywords=_paths((_text(word) for word in keywords), ()),
        headline=_text(fields.get((2, 105))),
        creator=_text(fields.get((2, 80))),
        copyright=_text(fields.get((2, 116))),
        location=_text(fields.get((2, 92))),
        city=_text(fields.get((2, 90))),
        state=_text(fields.get((2, 95))),
        country=_text(fields.get((2, 101))),
    )


def _paths(words: Iterable[str], trees: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Keywords as paths: ``trees`` are written "above|below"; ``words`` repeat their names beside those without one."""
    paths = {tuple(name.strip() for name in tree.split("|") if name.strip()) for tree in trees} - {()}
    known = {name for path in paths for name in path}
    flat = {(word,) for word in words if word and word not in known}
    return tuple(sorted(paths | flat, key=lambda path: [name.lower() for name in path]))


def _xmp(picture: Image.Image) -> dict[str, Any]:
    packet = picture.info.get("xmp")
    return _from_xmp(packet.rstrip(b"\x00 \r\n")) if isinstance(packet, bytes) else {}


def _from_xmp(packet: bytes) -> dict[str, Any]:
    root = ElementTree.fromstring(packet)
    rating = _value(root, f"{_XMP}Rating")
    return _said(
        title=_first(root, f"{_DC}title"),
        caption=_first(root, f"{_DC}description"),
        keywords=_paths(_items(root, f"{_DC}subject"), _items(root, f"{_LIGHTROOM}hierarchicalSubject")),
        headline=_value(root, f"{_PHOTOSHOP}Headline"),
        creator=_first(root, f"{_DC}creator"),
        copyright=_first(root, f"{_DC}rights"),
        location=_value(root, f"{_IPTC_CORE}Location"),
        rating=_stars(rating),
        label=_value(root, f"{_XMP}Label"),
        city=_value(root, f"{_PHOTOSHOP}City"),
        state=_value(root, f"{_PHOTOSHOP}State"),
        country=_value(root, f"{_PHOTOSHOP}Country"),
    )


def _stars(text: str) -> int | None:
    try:
        stars = int(float(text))
    except ValueError:
        return None
    # -1 means rejected, which is a flag in Lightroom
    return stars if 1 <= stars <= 5 else None


def _items(root: Any, name: str) -> list[str]:
    return [_text(item.text) for element in root.iter(name) for item in element.iter(f"{_RDF}li")]


def _first(root: Any, name: str) -> str:
    return next(iter(_items(root, name)), "")


def _value(root: Any, name: str) -> str:
    """A simple property, which XMP writes as an attribute or as an element."""
    for description in root.iter(f"{_RDF}Description"):
        if name in description.attrib:
            return _text(description.attrib[name])
    for element in root.iter(name):
        return _text(element.text)
    return ""
