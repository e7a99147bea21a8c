"""What Lightroom makes of develop settings: which a photo has, and what a write leaves of what it was given."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

from safelight.lightroom.develop_settings import CLAMPED, NON_RAW, PROFILES, RAW, TONES, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.lightroom.photo import Photo

__all__ = ("PENDING", "after_write", "auto_tones", "defaults", "has_adjustments", "is_raw", "own", "settings_of")

PENDING: Final = -999999
"""What a tone reads while Auto is still being worked out."""

_WHITE_BALANCE: Final = ("Temperature", "Tint", "IncrementalTemperature", "IncrementalTint")


def is_raw(photo: Photo) -> bool:
    """Whether its white balance is in kelvin."""
    return photo.file_format in ("RAW", "DNG")


def _table(photo: Photo) -> Mapping[str, Setting]:
    return RAW if is_raw(photo) else NON_RAW


def defaults(photo: Photo) -> dict[str, Any]:
    """All settings of an untouched photo of its kind."""
    return {name: setting.default for name, setting in _table(photo).items()}


def settings_of(photo: Photo) -> dict[str, Any]:
    """All settings of the photo as it is."""
    return {**defaults(photo), **(photo.develop or {})}


def own(photo: Photo, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    """The settings that are no defaults; None when all are. It is what ``Photo.develop`` holds."""
    table = _table(photo)
    changed = {
        name: value for name, value in settings.items() if name not in table or not _same(table[name].default, value)
    }
    return changed or None


def has_adjustments(photo: Photo) -> bool:
    """What Lightroom's search for ``hasAdjustments`` goes by."""
    return photo.develop is not None and own(photo, photo.develop) is not None


def auto_tones(photo: Photo) -> dict[str, float]:
    """What Auto finds for the photo; the same each time."""
    seed = zlib.crc32(photo.uuid.encode())
    tones: dict[str, float] = {}
    for place, name in enumerate(TONES):
        step = (seed >> (3 * place)) % 61 - 30
        tones[name] = step / 20 if name == "Exposure2012" else step
    return tones


def after_write(photo: Photo, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All settings after a write of these. What does not fit leaves the old value, without a word."""
    now = settings_of(photo)
    table = _table(photo)
    taken = {
        name: value
        for name, given in settings.items()
        if name in now and (value := _taken(name, table.get(name), given)) is not None
    }
    if taken.get("WhiteBalance") == "As Shot":
        taken.update({name: table[name].default for name in _WHITE_BALANCE if name in table and name not in taken})
    elif "WhiteBalance" not in taken and any(name in taken for name in _WHITE_BALANCE):
        taken["WhiteBalance"] = "Custom"
    if settings.get("AutoTone") is True:
        taken.update(auto_tones(photo))
    return {**now, **taken}


def _taken(name: str, setting: Setting | None, given: Any) -> Any:
    """The value that a write leaves; None when the old one stays."""
    if setting is None:
        return given
    if setting.least is None or setting.most is None:
        is_kept = _kind(given) != _kind(setting.default) or (name == "CameraProfile" and given not in PROFILES)
        return None if is_kept else given
    if _kind(given) != "number":
        return None
    if setting.least <= given <= setting.most:
        return given
    return min(max(given, setting.least), setting.most) if name in CLAMPED else None


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else "table"


def _same(one: Any, other: Any) -> bool:
    """Tables as values: an empty one is neither list nor mapping, and lists come as tuples or lists."""
    if _kind(one) == _kind(other) == "table" and not (isinstance(one, dict) or isinstance(other, dict)):
        return list(one) == list(other)
    return bool(one == other) or (_kind(one) == _kind(other) == "table" and not one and not other)
