"""The metadata keys of the SDK that are simulated: what each reads from a photo and which values each takes.

Lightroom throws on a key that a getter does not know, and title, caption and other texts are known to the formatted
getter only; so does this. A refusal is a ``LightroomRefusal`` with the sentence that Lua gets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC
from pathlib import PurePath
from typing import Any

from lupa.lua51 import lua_type

from safelight.lightroom.clock import LIGHTROOM_EPOCH
from safelight.lightroom.lua_value import mapping
from safelight.lightroom.photo import Photo

__all__ = ("FORMATTED", "RAW", "SETTABLE", "LightroomRefusal", "change_of", "getter")


class LightroomRefusal(Exception):
    """Lightroom throws here; the text is its error."""


Getter = Callable[[Photo], Any]

_COLORS = ("red", "yellow", "green", "blue", "purple")

_MINUTE_STEPS = 60 * 10_000
"""Coordinates are kept in minutes with four decimals."""


def _color(photo: Photo) -> str:
    if not photo.label:
        return "none"
    return photo.label.lower() if photo.label.lower() in _COLORS else "other"


def _captured_seconds(photo: Photo) -> float | None:
    return photo.captured.replace(tzinfo=UTC).timestamp() - LIGHTROOM_EPOCH if photo.captured else None


def _dimensions(photo: Photo) -> dict[str, int]:
    return {"width": photo.width, "height": photo.height}


RAW: Mapping[str, Getter] = {
    "uuid": lambda photo: photo.uuid,
    "path": lambda photo: photo.path,
    "rating": lambda photo: photo.rating,
    "pickStatus": lambda photo: photo.pick,
    "colorNameForLabel": _color,
    "dateTimeOriginal": _captured_seconds,
    "dateTimeOriginalISO8601": lambda photo: photo.captured.isoformat() if photo.captured else None,
    "isoSpeedRating": lambda photo: photo.iso,
    "aperture": lambda photo: photo.aperture,
    "shutterSpeed": lambda photo: photo.shutter,
    "focalLength": lambda photo: photo.focal_length,
    "gps": lambda photo: {"latitude": photo.gps[0], "longitude": photo.gps[1]} if photo.gps else None,
    "keywords": lambda photo: photo.keywords,
    "width": lambda photo: photo.width,
    "height": lambda photo: photo.height,
    "dimensions": _dimensions,
    "croppedDimensions": _dimensions,
    "aspectRatio": lambda photo: photo.width / photo.height if photo.height else None,
    "fileFormat": lambda photo: photo.file_format,
    "isVirtualCopy": lambda photo: photo.copy_of is not None,
    "masterPhoto": lambda photo: photo.copy_of,
    # the double turns the number of the photo into its copies
    "virtualCopies": lambda photo: photo.local_id,
    "countVirtualCopies": lambda photo: photo.local_id,
    "isCropped": lambda photo: False,
    "isVideo": lambda photo: False,
    "lastEditTime": lambda photo: photo.last_edit,
}

FORMATTED: Mapping[str, Getter] = {
    "fileName": lambda photo: photo.file_name,
    "folderName": lambda photo: PurePath(photo.path).parent.name,
    "copyName": lambda photo: photo.copy_name,
    "title": lambda photo: photo.title,
    "caption": lambda photo: photo.caption,
    "label": lambda photo: photo.label,
    "rating": lambda photo: photo.rating,
    "headline": lambda photo: photo.headline,
    "creator": lambda photo: photo.creator,
    "copyright": lambda photo: photo.copyright,
    "location": lambda photo: photo.location,
    "city": lambda photo: photo.city,
    "stateProvince": lambda photo: photo.state,
    "country": lambda photo: photo.country,
    "cameraModel": lambda photo: photo.camera,
    "lens": lambda photo: photo.lens,
    "isoSpeedRating": lambda photo: f"ISO {photo.iso}" if photo.iso else None,
    "dimensions": lambda photo: f"{photo.width} x {photo.height}",
}


def getter(table: Mapping[str, Getter], key: str) -> Getter:
    """What reads the key; throws as Lightroom does for a key that this getter does not have."""
    found = table.get(key)
    if found is None:
        other, name = (FORMATTED, "getFormattedMetadata") if table is RAW else (RAW, "getRawMetadata")
        hint = f' ("{key}" is a key of {name})' if key in other else ""
        raise LightroomRefusal(f'unknown metadata key: "{key}"{hint}')
    return found


def _rating(value: Any) -> dict[str, Any]:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 5):
        raise LightroomRefusal(f"rating must be nil or 1 to 5, not {value!r}")
    return {"rating": value}


def _pick(value: Any) -> dict[str, Any]:
    if value not in (-1, 0, 1):
        raise LightroomRefusal(f"pickStatus must be -1, 0 or 1, not {value!r}")
    return {"pick": value}


def _said(key: str, value: Any) -> str:
    if not isinstance(value, bytes):
        raise LightroomRefusal(f"{key} must be a text, not {value!r}")
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise LightroomRefusal(f"{key} is not UTF-8") from None


def _text(key: str, field: str) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {field: _said(key, value)}


def _color_name(value: Any) -> dict[str, Any]:
    name = _said("colorNameForLabel", value)
    if name.lower() == "none":
        return {"label": ""}
    # any other text is taken as if it were typed into the label's field
    return {"label": name.capitalize() if name.lower() in _COLORS else name}


def _gps(value: Any) -> dict[str, Any]:
    if value is None:
        return {"gps": None}
    place = mapping(value) if lua_type(value) == "table" else {}
    if place.keys() != {"latitude", "longitude"}:
        raise LightroomRefusal(f"gps must be nil or a table with latitude and longitude, not {place or value!r}")
    return {"gps": (_degrees(place["latitude"], 90), _degrees(place["longitude"], 180))}


def _degrees(value: Any, most: int) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -most <= value <= most:
        raise LightroomRefusal(f"gps must be degrees from -{most} to {most}, not {value!r}")
    return round(value * _MINUTE_STEPS) / _MINUTE_STEPS


SETTABLE: Mapping[str, Callable[[Any], dict[str, Any]]] = {
    "rating": _rating,
    "pickStatus": _pick,
    "colorNameForLabel": _color_name,
    "gps": _gps,
    **{
        key: _text(key, field)
        for key, field in (
            ("title", "title"),
            ("caption", "caption"),
            ("label", "label"),
            ("copyName", "copy_name"),
            ("headline", "headline"),
            ("creator", "creator"),
            ("copyright", "copyright"),
            ("location", "location"),
            ("city", "city"),
            ("stateProvince", "state"),
            ("country", "country"),
        )
    },
}


def change_of(key: str, value: Any) -> dict[str, Any]:
    """The fields of a photo that setting this key changes."""
    change = SETTABLE.get(key)
    if change is None:
        raise LightroomRefusal(f'unknown metadata key for setRawMetadata: "{key}"')
    return change(value)
