"""What the parts of a schema that hold in one place say together: types, bounds, choices, texts."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, Final, cast

from safelight.models.schemas.words import plain, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.models.schemas.joined import Node

__all__ = ("bounds", "enumerated", "implied_types", "lengths", "texts", "types")

_TYPES: Final = ("string", "integer", "number", "boolean", "null", "array", "object")
_IMPLIED: Final = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"),
    "string": ("minLength", "maxLength", "pattern", "format", "contentEncoding"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
_FORMATS: Final = frozenset(
    ("date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uuid", "uri")
)
_LONGEST_PATTERN: Final = 500
_EXOTIC: Final = re.compile(
    r"\(\?(?![:=!])|\\[AGZzpPkKQEXRhHN]|[*+?}]\+|\[\[|\[\^\[|--|&&|~~|\|\||\\x\{|\\u\{|\[:", re.ASCII
)
"""What not every engine of regular expressions reads alike."""

_MOST_MEMBERS: Final = 1_000
_SAFE: Final = 2**53 - 1


def types(nodes: Iterable[Node], words: list[str]) -> list[str] | None:
    """The types that all nodes allow, in the order of the first that says; None where none says anything."""
    common: list[str] | None = None
    for node in nodes:
        if "type" not in node:
            continue
        written: object = node["type"]
        said = cast("list[object]", written) if isinstance(written, list) else [written]
        known = [one for one in dict.fromkeys(filter(_is_text, said)) if one in _TYPES]
        if not known:
            words.append(f"Type: {shown(cast('object', written))}.")
        elif common is None:
            common = known
        else:
            common = _common(common, known)
    if common and "number" in common:
        common = [one for one in common if one != "integer"]
    return common


def implied_types(nodes: Sequence[Node]) -> list[str] | None:
    """The type that the keywords speak of."""
    for kind, keywords in _IMPLIED.items():
        if any(keyword in node for node in nodes for keyword in keywords):
            return [kind]
    return None


def enumerated(nodes: Iterable[Node]) -> list[Any] | None:
    """The values that all nodes allow, each once; None where none names any."""
    common: dict[tuple[str, str], Any] | None = None
    for node in nodes:
        for key in ("const", "enum"):
            named: Any = [node["const"]] if key == "const" and "const" in node else node.get("enum")
            if key not in node or not isinstance(named, list):
                continue
            found = {_identity(value): value for value in map(_plain, cast("list[object]", named)) if value is not _ODD}
            common = found if common is None else {key: common[key] for key in common if key in found}
    return None if common is None else list(common.values())


def texts(nodes: Iterable[Node], words: list[str]) -> Node:
    """``pattern`` and ``format`` of a string. What some service could refuse, and a second one, goes into words."""
    out: Node = {}
    for node in nodes:
        for key, allowed in (("pattern", _is_pattern), ("format", _is_format)):
            said = node.get(key)
            if not isinstance(said, str) or said == out.get(key):
                continue
            if key not in out and allowed(said):
                out[key] = said
            else:
                words.append(f"{'Matches' if key == 'pattern' else 'Format'} {shown(said)}.")
    return out


def lengths(nodes: Sequence[Node], of: str, most: int, words: list[str]) -> Node | None:
    """The counts ``min<of>`` and ``max<of>``; larger ones than ``most`` go into words. None where nothing is left."""
    low = max((n for node in nodes if (n := _count(node.get(f"min{of}"))) is not None), default=0)
    high = min((n for node in nodes if (n := _count(node.get(f"max{of}"))) is not None), default=None)
    if high is not None and low > high:
        return None
    what = "characters" if of == "Length" else "items"
    out: Node = {}
    for key, count, word in ((f"min{of}", low or None, "At least"), (f"max{of}", high, "At most")):
        if count is not None and count <= most:
            out[key] = count
        elif count is not None:
            words.append(f"{word} {shown(count)} {what}.")
    return out


def bounds(nodes: Iterable[Node], words: list[str], *, whole: bool) -> Node | None:
    """The bounds of a number, exclusive ones as numbers; those of a whole number inclusive. None where nothing is
    left between them."""
    lows: list[tuple[float, bool]] = []
    highs: list[tuple[float, bool]] = []
    for node in nodes:
        for found, plain_key, exclusive_key in (
            (lows, "minimum", "exclusiveMinimum"),
            (highs, "maximum", "exclusiveMaximum"),
        ):
            exclusive = node.get(exclusive_key)
            if (bound := _number(node.get(plain_key))) is not None:
                found.append((bound, exclusive is True))
            if (bound := _number(exclusive)) is not None:
                found.append((bound, True))
    low = max(lows, default=None)
    high = min(highs, key=lambda bound: (bound[0], not bound[1]), default=None)
    if whole:
        low = low and (math.floor(low[0]) + 1 if low[1] else math.ceil(low[0]), False)
        high = high and (math.ceil(high[0]) - 1 if high[1] else math.floor(high[0]), False)
    if low and high and (low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))):
        return None
    out: Node = {}
    for bound, key, word in ((low, "inimum", "At least"), (high, "aximum", "At most")):
        if bound is None:
            continue
        letter = "m" if not bound[1] else "exclusiveM"
        if abs(bound[0]) <= _SAFE:
            out[letter + key] = bound[0]
        else:
            words.append(f"{word} {shown(bound[0])}.")
    return out


class _Odd:
    """Stands for a member that is no JSON."""


_ODD: Final = _Odd()


def _plain(value: object) -> object:
    try:
        copied = plain(value)
    except ValueError:
        return _ODD
    return int(copied) if isinstance(copied, float) and copied.is_integer() and abs(copied) <= _SAFE else copied


def _identity(value: object) -> tuple[str, str]:
    return type(value).__name__, repr(value)


def _common(mine: list[str], theirs: list[str]) -> list[str]:
    common = [one for one in mine if one in theirs or (one == "integer" and "number" in theirs)]
    if "number" in mine and "integer" in theirs and "number" not in theirs:
        common.append("integer")
    return list(dict.fromkeys(common))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_format(text: str) -> bool:
    return text in _FORMATS


def _is_pattern(text: str) -> bool:
    if len(text) > _LONGEST_PATTERN or _EXOTIC.search(text) or not text.isprintable():
        return False
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def _count(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number >= 0 and number == int(number) else None
