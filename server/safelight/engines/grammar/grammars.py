"""The compiled grammars of one vocabulary."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from safelight.engines.grammar.capped import Capped, uncapped
from safelight.engines.grammar.guide import Guide
from safelight.engines.grammar.pieces import Pieces
from safelight.engines.grammar.places import beginning
from safelight.engines.grammar.with_llguidance import LLGuidance

if TYPE_CHECKING:
    from safelight.engines.engine import GrammarName
    from safelight.engines.grammar.places import Place
    from safelight.engines.grammar.seam import Compiled, GrammarBackend

__all__ = ("Grammars",)

_KEPT: Final = 16


class Grammars:
    """Kept by the exact text of their schema. ``tokenizer`` is llguidance's ``LLTokenizer``, whatever the backend: it
    knows the bytes of every token. Takes up to a second to make."""

    def __init__(self, tokenizer: Any, vocabulary: int, backend: GrammarName = "llguidance") -> None:
        self._vocabulary = vocabulary
        self._pieces = Pieces(tokenizer, vocabulary)
        self._backend = _backend(backend, tokenizer, self._pieces)
        self._compiled: dict[str, tuple[Compiled, Place]] = {}

    def guide(self, schema: str) -> Guide:
        """A fresh guide through a schema in normal form; compiling happens once a schema. Raises ``ModelError``."""
        compiled, place = self._compiled.pop(schema, None) or self._compile(schema)
        self._compiled[schema] = compiled, place
        while len(self._compiled) > _KEPT:
            del self._compiled[next(iter(self._compiled))]
        return Guide(Capped(compiled.start(), self._pieces, place), self._vocabulary)

    def _compile(self, schema: str) -> tuple[Compiled, Place]:
        parsed: dict[str, Any] = json.loads(schema)
        return self._backend.compile(uncapped(parsed)), beginning(parsed)


def _backend(name: GrammarName, tokenizer: Any, pieces: Pieces) -> GrammarBackend:
    if name == "llguidance":
        return LLGuidance(tokenizer)
    from safelight.engines.grammar.with_xgrammar import XGrammar

    return XGrammar(tokenizer, pieces.texts)
