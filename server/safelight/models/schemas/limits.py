"""The caps that every grammar keeps, so that no string, list or number can be written without end."""

from __future__ import annotations

from typing import Final

__all__ = (
    "ANALYSIS_CHARS",
    "ARGUMENT_CHARS",
    "FREE_ITEMS",
    "LIST_ITEMS",
    "MAX_ALTERNATIVES",
    "MAX_DEPTH",
    "MAX_NODES",
    "REPLY_CHARS",
    "SAFE_INTEGER",
)

ARGUMENT_CHARS: Final = 1_000
ANALYSIS_CHARS: Final = 600
REPLY_CHARS: Final = 6_000

LIST_ITEMS: Final = 200
FREE_ITEMS: Final = 20
"""Items of a list inside a value whose schema says nothing."""

SAFE_INTEGER: Final = 2**53 - 1

MAX_DEPTH: Final = 40
"""Levels of a schema. llguidance reads about 61, the answer's own wrapping included."""

MAX_NODES: Final = 20_000
MAX_ALTERNATIVES: Final = 64
