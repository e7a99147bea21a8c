"""The fields that a filter can name, and what their values are."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

__all__ = ("FIELDS", "LACKS", "Field", "Operator", "file_type_of")

Operator: TypeAlias = Literal[":", "=", "!=", "<", "<=", ">", ">="]

_IS: Final[tuple[Operator, ...]] = (":", "=", "!=")
_ALL: Final[tuple[Operator, ...]] = (":", "=", "!=", "<", "<=", ">", ">=")

Kind: TypeAlias = Literal[
    "number", "day", "name", "file_name", "words", "keyword", "choice", "label", "yes_no", "lacks"
]


class Field(msgspec.Struct, frozen=True):
    """``column`` is that of the table ``photos``, or of ``words``; ``values`` are the only ones where there are any."""

    kind: Kind
    column: str
    operators: tuple[Operator, ...] = _IS
    values: tuple[str, ...] = ()


LACKS: Final = {"title": 1, "caption": 2, "keywords": 4, "gps": 8, "copyright": 16}
"""What a photo can lack, as bits of the column ``lacks``."""

FIELDS: Final[dict[str, Field]] = {
    "rating": Field("number", "rating", _ALL),
    "iso": Field("number", "iso", _ALL),
    "aperture": Field("number", "aperture", _ALL),
    "shutter": Field("number", "shutter", _ALL),
    "focal": Field("number", "focal", _ALL),
    "lat": Field("number", "lat", _ALL),
    "lon": Field("number", "lon", _ALL),
    "width": Field("number", "width", _ALL),
    "height": Field("number", "height", _ALL),
    "year": Field("number", "year", _ALL),
    "captured": Field("day", "captured", _ALL),
    "camera": Field("name", "camera"),
    "lens": Field("name", "lens"),
    "place": Field("name", "place"),
    "folder": Field("name", "folder"),
    "file_name": Field("file_name", "file_name"),
    "text": Field("words", ""),
    "title": Field("words", "title"),
    "caption": Field("words", "caption"),
    "keyword": Field("keyword", ""),
    "flag": Field("choice", "flag", _IS, ("pick", "none", "reject")),
    "label": Field("label", "label"),
    "file_type": Field("choice", "file_type", _IS, ("raw", "dng", "jpeg", "tiff", "psd", "png", "heic", "video")),
    "adjusted": Field("yes_no", "adjusted", _IS, ("yes", "no")),
    "virtual_copy": Field("yes_no", "virtual_copy", _IS, ("yes", "no")),
    "missing": Field("lacks", "lacks", _IS, tuple(LACKS)),
}

_FILE_TYPES: Final = {"jpg": "jpeg", "tif": "tiff", "heif": "heic"}


def file_type_of(file_format: str) -> str:
    """Lightroom's file format in our words; "" when it says none."""
    name = file_format.lower()
    return _FILE_TYPES.get(name, name)
