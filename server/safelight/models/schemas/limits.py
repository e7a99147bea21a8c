"""The caps that every grammar keeps, so that no string, list or number can be written without end."""

from __future__ import annotations

from typing import Final

__all__ = (
    "ANALYSIS_CHARS",
    "ARGUMENT_CHARS",
    "FREE_ITEMS",
    "LIST_ITEMS",
    "MAX_ALTERNATIVES",
    "MAX_BRANCHES",
    "MAX_DEPTH",
    "MAX_HEIGHT",
    "MAX_IN_PLACE",
    "MAX_LITERAL_CHARS",
    "MAX_MEMBERS",
    "MAX_NODES",
    "MAX_READS",
    "MAX_WINDOWS",
    "REPLY_CHARS",
    "SAFE_INTEGER",
    "UNROLLINGS",
)

ARGUMENT_CHARS: Final = 1_000
ANALYSIS_CHARS: Final = 600
REPLY_CHARS: Final = 6_000

LIST_ITEMS: Final = 200
FREE_ITEMS: Final = 20
"""Items of a list inside a value whose schema says nothing."""

SAFE_INTEGER: Final = 2**53 - 1

MAX_DEPTH: Final = 40
"""Values inside values."""

MAX_HEIGHT: Final = 110
"""Brackets inside brackets of the text. llguidance's parser ends at 128, and the answer wraps ten around a tool."""

MAX_IN_PLACE: Final = 30
"""``allOf``, ``anyOf``, ``$ref``, ... inside one another, all speaking of the same value."""

MAX_NODES: Final = 2_500
"""Parts of a normal form. The engines' time grows with the square: 2,000 properties take llguidance half a second."""

MAX_READS: Final = 5_000
"""Parts of the original that are read, and lookups of one property in one ``allOf`` member times twenty."""

MAX_MEMBERS: Final = 5_000
"""Values of an ``enum``. llguidance refuses 100,000."""

MAX_LITERAL_CHARS: Final = 200_000
"""Characters in names and ``enum`` values together."""

MAX_BRANCHES: Final = 500
MAX_ALTERNATIVES: Final = 64
"""Alternatives that come from multiplying unions with each other."""

MAX_WINDOWS: Final = 16
"""Alternatives that a count of properties may bring."""

UNROLLINGS: Final = ((2, MAX_DEPTH), (1, MAX_DEPTH), (0, 6), (0, 2), (0, 1))
"""How often a recursive schema may stand inside itself, and how deep: the first pair that stays within the limits."""
