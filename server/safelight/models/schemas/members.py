"""The values of an ``enum`` in portable form: non-empty strings and numbers, grouped by type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.models.schemas.words import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.models.schemas.joined import Node

__all__ = ("members",)

_MOST: Final = 1_000


def members(values: Sequence[Any], types: Sequence[str] | None, words: list[str]) -> list[Node]:
    """The alternatives that the values of these types make, none when no value is of them. An empty text, a single
    truth value, and values with parts are told in words, since services refuse them in an ``enum``."""
    grouped: dict[str, list[Any]] = {}
    for value in values:
        if types is None or _fits(value, types):
            grouped.setdefault(_kind(value), []).append(value)
    return [_alternative(kind, group, types, words) for kind, group in grouped.items()]


def _alternative(kind: str, group: list[Any], types: Sequence[str] | None, words: list[str]) -> Node:
    if kind == "null":
        return {"type": "null"}
    if kind == "number":
        whole = all(isinstance(value, int) for value in group)
        return _listed("integer" if whole and (types is None or "integer" in types) else "number", group, words)
    if kind == "string":
        return _listed("string", group, words)
    if kind != "boolean" or len(group) == 1:
        words.append(f"Only {' or '.join(shown(value) for value in group[:10])}.")
    return {"type": "array", "items": {}} if kind == "array" else {"type": kind}


def _listed(kind: str, group: list[Any], words: list[str]) -> Node:
    told = [value for value in group if value != ""]
    if len(told) < len(group):
        words.append('May be "" too.' if told else 'Only "".')
    if len(told) > _MOST:
        words.append(f"One of {', '.join(map(shown, told[:10]))} and {len(told) - 10:,} more.")
        return {"type": kind}
    return {"type": kind, "enum": told} if told else {"type": kind}


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else "array" if isinstance(value, list) else "object"


def _fits(value: object, types: Sequence[str]) -> bool:
    kind = _kind(value)
    return kind in types or (kind == "number" and isinstance(value, int) and "integer" in types)
