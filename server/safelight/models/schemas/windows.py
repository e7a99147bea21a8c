"""``minProperties`` and ``maxProperties``: which properties may and must stand together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from safelight.models.schemas.limits import MAX_WINDOWS

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("windows",)

Window = tuple[list[str], set[str]]
"""The properties that may be written, in their order, and those that must be."""


def windows(names: Iterable[str], required: frozenset[str], least: int, most: int | None) -> list[Window]:
    """Sets of properties that keep the counts, none where there is no such set.

    Exact for one property more than the required ones; stricter for several, which then have to be neighbours.
    """
    listed = list(names)
    if not least and most is None:
        return [(listed, set(required))]
    optional = [name for name in listed if name not in required]
    if least > len(listed) or (most is not None and (most < least or most < len(required))):
        return []
    room = len(optional) if most is None else min(most - len(required), len(optional))
    needed = max(0, least - len(required))
    found: list[Window] = []
    for start in range(len(optional) - room + 1):
        inside = optional[start : start + room]
        for first in range(len(inside) - needed + 1 if needed else 1):
            # What precedes the first of those that must be written belongs to the windows before this one.
            kept = set(inside[first:])
            must = {*required, *inside[first : first + needed]}
            found.append(([name for name in listed if name in required or name in kept], must))
            if len(found) == MAX_WINDOWS:
                return found
    return found
