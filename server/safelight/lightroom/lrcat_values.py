"""Single values of a catalog file, whose columns hold numbers, texts and nothing in any mixture."""

from __future__ import annotations

import math
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from safelight.lightroom.photo import Pick

__all__ = ("aperture", "captured", "gps", "number", "pick", "shutter", "stars", "text", "upright", "whole")

_CAPTURED: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?)?)?", re.ASCII
)
_LEAST: Final = (1, 1, 1, 0, 0, 0)

_TURNED: Final = frozenset({"BC", "DA", "AD", "CB"})
"""Orientations that put the longer side upright; the letters are the corners of the picture, clockwise."""

_APEX: Final = 64.0
"""No camera is near it, and a power of two with it is a number still."""


def number(value: Any) -> float | None:
    """The number, or the one that a text holds; None for anything else."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None else round(found)


def text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def stars(value: Any) -> int | None:
    """1 to 5; None for a photo without a rating, which Lightroom writes as nothing or as 0."""
    found = whole(value)
    return found if found in {1, 2, 3, 4, 5} else None


def pick(value: Any) -> Pick:
    found = whole(value)
    return cast("Pick", found) if found in {-1, 0, 1} else 0


def captured(value: Any) -> datetime | None:
    """Local time of the camera. Only a year, or a year and a month, are known of some scans: the first day stands for
    it. A zone behind the time is left out, as Lightroom shows the time without one."""
    found = _CAPTURED.match(text(value))
    if not found:
        return None
    parts = zip(found.groups()[:6], _LEAST, strict=True)
    year, month, day, hour, minute, second = (int(part or least) for part, least in parts)
    microsecond = int((found[7] or "0").ljust(6, "0"))
    try:
        return datetime(year, month, day, hour, minute, second, microsecond)  # noqa: DTZ001 - local time of the camera
    except ValueError:
        return None


def aperture(apex: Any) -> float | None:
    """The f-number of an APEX aperture: 2 is f/2, 4 is f/4."""
    found = number(apex)
    return None if found is None or abs(found) > _APEX else round(2 ** (found / 2), 2)


def shutter(apex: Any) -> float | None:
    """Seconds of an APEX shutter speed: 0 is one second, 7 is 1/128 s."""
    found = number(apex)
    return None if found is None or abs(found) > _APEX else float(f"{2**-found:.4g}")


def gps(latitude: Any, longitude: Any) -> tuple[float, float] | None:
    north, east = number(latitude), number(longitude)
    if north is None or east is None or abs(north) > 90 or abs(east) > 180:
        return None
    return north, east


def upright(width: Any, height: Any, orientation: Any) -> tuple[int, int]:
    """Width and height as the photo is shown."""
    size = max(0, whole(width) or 0), max(0, whole(height) or 0)
    return (size[1], size[0]) if text(orientation) in _TURNED else size
