"""Numbers that come to an end: a model that is free to may write digits for ever."""

from __future__ import annotations

from typing import Any, Final

from safelight.engines.grammar.parts import with_parts

__all__ = ("LARGEST", "bounded_numbers")

LARGEST: Final = 2**53 - 1
"""What a float of 64 bits still tells apart from its neighbours, so that no reader rounds it."""


def bounded_numbers(schema: dict[str, Any], number: dict[str, Any]) -> dict[str, Any]:
    """The schema in normal form with ``number`` in place of each number without bounds."""
    if schema == {"type": "number"}:
        return number
    return with_parts(schema, lambda part: bounded_numbers(part, number))
