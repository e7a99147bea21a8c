"""The normal form of texts, numbers and truth values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from safelight.models.schemas.facts import Facts, within
from safelight.models.schemas.limits import ARGUMENT_CHARS, SAFE_INTEGER
from safelight.models.schemas.literal import whole_step

if TYPE_CHECKING:
    from safelight.models.schemas.assertions import Read as Schema

__all__ = ("boolean_form", "crossed", "integer_forms", "is_whole", "numbers_excluded", "text_form")

_MULTIPLES: Final = 200
_GAPS: Final = 16


def text_form(flat: Facts) -> Schema | None:
    """A text within its counts and the cap."""
    least = flat.least_chars
    texts = [value for value in flat.excluded if isinstance(value, str)]
    if "" in texts:
        least = max(least, 1)
    if flat.firm and any(texts):
        return None
    most = ARGUMENT_CHARS if flat.most_chars is None else min(flat.most_chars, ARGUMENT_CHARS)
    if least > most:
        return None
    return {"type": "string", **({"minLength": least} if least else {}), "maxLength": most}


def boolean_form(flat: Facts) -> Schema | None:
    """Both truth values, or the one that is left."""
    gone = [value for value in flat.excluded if isinstance(value, bool)]
    if not gone:
        return {"type": "boolean"}
    left: list[object] = [value for value in (True, False) if value not in gone]
    return {"enum": left} if left else None


def numbers_excluded(flat: Facts) -> list[float]:
    """The single numbers that are left out."""
    return [value for value in flat.excluded if isinstance(value, int | float) and not isinstance(value, bool)]


def crossed(flat: Facts) -> bool:
    """Whether no number lies between the bounds."""
    return (
        flat.low is not None
        and flat.high is not None
        and not (within(flat.low[0], flat.low, flat.high) or flat.low[0] < flat.high[0])
    )


def is_whole(number: float) -> bool:
    """Whether a number has no fraction."""
    return number == int(number)


def integer_forms(flat: Facts) -> list[Schema]:
    """The ranges of whole numbers, or their list where multiples leave few."""
    low, high = -SAFE_INTEGER, SAFE_INTEGER
    if flat.low is not None:
        edge = math.ceil(flat.low[0])
        low = max(low, edge + (flat.low[1] and edge == flat.low[0]))
    if flat.high is not None:
        edge = math.floor(flat.high[0])
        high = min(high, edge - (flat.high[1] and edge == flat.high[0]))
    if low > high:
        return []
    gone = sorted({int(value) for value in numbers_excluded(flat) if value == int(value) and low <= value <= high})
    every = 1
    for one in flat.steps:
        every = min(math.lcm(every, min(whole_step(one), 2 * SAFE_INTEGER)), 2 * SAFE_INTEGER)
    if every > 1 and (high - low) // every <= _MULTIPLES:
        left = [value for value in range(-(-low // every) * every, high + 1, every) if value not in gone]
        return [{"enum": left}] if left else []
    if len(gone) > _GAPS:
        return [] if flat.firm else [{"type": "integer", "minimum": low, "maximum": high}]
    edges = [low - 1, *gone, high + 1]
    return [
        {"type": "integer", "minimum": below + 1, "maximum": above - 1}
        for below, above in zip(edges, edges[1:], strict=False)
        if above - below > 1
    ]
