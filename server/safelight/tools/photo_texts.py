"""Photos as a tool's answer shows them."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.wire.bridge_models import PhotoRecord

__all__ = ("FieldGroup", "compact", "detailed", "missing_photos", "shutter_text")

FieldGroup: TypeAlias = Literal["exif", "iptc", "place", "file"]

IN_A_LIST: Final = (
    *("photo_id", "file_name", "title", "caption", "rating", "flag", "label", "captured", "keywords"),
    *("city", "country", "virtual_copy", "copy_name"),
)
USUAL: Final = (*IN_A_LIST, "camera", "lens", "iso", "width", "height", "file_format")
GROUPS: Final[dict[FieldGroup, tuple[str, ...]]] = {
    "exif": ("camera", "lens", "iso", "aperture", "shutter", "focal_length"),
    "iptc": ("headline", "creator", "copyright"),
    "place": ("location", "city", "state", "country", "latitude", "longitude"),
    "file": ("folder", "width", "height", "file_format"),
}
SHOWN_MISSING: Final = 5
_LONG_S: Final = 0.3
"""Exposures from here on are told in seconds, shorter ones as a fraction, as cameras do."""


def detailed(record: PhotoRecord, fields: Iterable[FieldGroup] = ()) -> dict[str, Any]:
    """What is set of the usual details and of these groups, as the contract's Photo."""
    names = dict.fromkeys((*USUAL, *(name for group in fields for name in GROUPS[group])))
    values = msgspec.to_builtins(record)
    if record.path is not msgspec.UNSET:
        values["folder"] = _folder(record.path)
    if record.shutter is not msgspec.UNSET:
        values["shutter"] = shutter_text(record.shutter)
    return {name: values[name] for name in names if values.get(name) not in (None, "", [])}


def compact(record: PhotoRecord) -> dict[str, Any]:
    """What tells photos apart in a list: no technical details, no "is not a virtual copy"."""
    values = msgspec.to_builtins(record)
    return {
        name: values[name]
        for name in IN_A_LIST
        if values.get(name) not in (None, "", []) and (name, values[name]) != ("virtual_copy", False)
    }


def shutter_text(seconds: float) -> str:
    """An exposure as cameras show it: "1/250", "0.5", "30"."""
    if seconds <= 0:
        return "0"
    return f"1/{round(1 / seconds)}" if seconds < _LONG_S else f"{seconds:.1f}".removesuffix(".0")


def missing_photos(photo_ids: Sequence[str]) -> list[str]:
    """Sentences about ids that the catalog does not know; none for none."""
    if not photo_ids:
        return []
    named = ", ".join(photo_ids[:SHOWN_MISSING])
    rest = len(photo_ids) - SHOWN_MISSING
    more = f" and {rest} more" if rest > 0 else ""
    return [f"Not in the open catalog: {named}{more}. Search again for the photos that you mean."]


def _folder(path: str) -> str:
    kind = PurePosixPath if path.startswith("/") else PureWindowsPath
    return str(kind(path).parent)
