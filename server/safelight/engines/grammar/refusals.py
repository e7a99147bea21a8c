"""What a grammar library cannot hold, though the schema is in normal form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

from safelight.engines.grammar.parts import parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from safelight.engines.engine import GrammarName

__all__ = ("refused",)

# XGrammar 0.2.9 writes these characters as \xHH and reads the hex digit behind them as a part of that.
_MISREAD: Final = re.compile("[\x80-\xff][0-9A-Fa-f]")


def refused(backend: GrammarName, schema: dict[str, Any]) -> str | None:
    """Why ``backend`` cannot hold a schema in normal form; None where it can."""
    if backend == "llguidance":
        return None
    for text in _literals(schema):
        if _MISREAD.search(text):
            return f"XGrammar cannot write {text!r}: a letter with an accent stands before one of 0-9 and a-f"
    return None


def _literals(node: dict[str, Any]) -> Iterator[str]:
    for value in cast("list[object]", node.get("enum", [])):
        if isinstance(value, str):
            yield value
    yield from cast("dict[str, object]", node.get("properties", {}))
    for part in parts_of(node):
        yield from _literals(part)
