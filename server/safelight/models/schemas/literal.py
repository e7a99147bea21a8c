"""Single values: how the grammar spells them, when two are the same, and what can be told of a text at once."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, cast

from safelight.models.schemas.limits import SAFE_INTEGER

__all__ = ("as_literal", "is_number", "key_of", "match", "multiple", "smaller_than", "whole_step", "writable")

_LARGEST: Final = 2**63
_LONG: Final = 100
_QUANTIFIERS: Final = 2
_RISKY: Final = re.compile(r"\)[*+?{]|\\[1-9kgZAzpPuUxcbB]|\(\?[^:]|\[\[|--|&&|~~|\|\|")


def is_number(value: object) -> bool:
    """Whether this is a number that JSON can hold; ``True`` is none."""
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, float) and math.isfinite(value)
    )


def writable(text: str) -> bool:
    """Whether both engines can write ``text`` as a name or value: no half surrogate pairs, and no U+007F."""
    if "\x7f" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_literal(value: object) -> tuple[bool, object]:
    """Whether the grammar can write this scalar, and how: whole fractions as whole numbers."""
    if value is None or isinstance(value, bool):
        return True, value
    if isinstance(value, str):
        return writable(value), str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return False, None
        return True, int(value) if value.is_integer() and abs(value) <= SAFE_INTEGER else float(value)
    return isinstance(value, int) and abs(value) < _LARGEST, value


def key_of(value: object) -> Any:
    """Equal for values that JSON holds to be the same: 1 and 1.0 are, 1 and true are not."""
    return (type(value), value) if value is None or isinstance(value, bool | str) else value


def multiple(value: float, step: float) -> bool:
    """Whether ``value`` is a multiple of ``step``, reckoned with the decimals as they are written."""
    return _exact(value) % _exact(step) == 0


def whole_step(step: float) -> int:
    """The whole number that a whole multiple of ``step`` is a multiple of."""
    return _exact(step).numerator


def _exact(number: float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(str(number))


def smaller_than(parts: int, value: object) -> bool:
    """Whether ``value`` has fewer parts, each counted wherever it stands: a dict may stand in itself."""
    waiting = [value]
    for _ in range(parts):
        if not waiting:
            return True
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(cast("dict[object, object]", one).values())
        elif isinstance(one, list):
            waiting.extend(cast("list[object]", one))
    return not waiting


def match(pattern: str, text: str) -> bool | None:
    """Whether ``pattern`` is found in ``text``; None where Python and ECMAScript could differ, or trying takes long."""
    if len(text) > _LONG or len(pattern) > _LONG or text.endswith("\n"):
        return None
    compiled = _compiled(pattern)
    if compiled is None:
        return None
    found = compiled[0].search(text) is not None
    return found if text.isascii() or found == (compiled[1].search(text) is not None) else None


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    bare = re.sub(r"\\.|\[(?:\\.|[^\]\\])*\]", "x", pattern)
    if sum(map(bare.count, "*+{")) > _QUANTIFIERS or bare.count("?") > 2 * _QUANTIFIERS or _RISKY.search(pattern):
        return None
    try:
        return re.compile(pattern, re.ASCII), re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None
