"""llguidance behind the seam."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from safelight.engines.grammar.numbers import LARGEST, bounded_numbers
from safelight.engines.grammar.repeated import written_once
from safelight.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ("LLGuidance", "schema_text")

# Bounds alone leave the decimals without end.
_NUMBER: Final = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST, "multipleOf": 0.000001}


def schema_text(schema: dict[str, Any]) -> str:
    """A schema in normal form as llguidance is to read it: numbers bounded, and no part compiled twice."""
    return json.dumps(written_once(bounded_numbers(schema, _NUMBER)), ensure_ascii=False)


class LLGuidance:
    """Implements ``GrammarBackend``. ``tokenizer`` is an ``LLTokenizer``."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def compile(self, schema: dict[str, Any]) -> _Compiled:
        """See ``GrammarBackend.compile``."""
        from llguidance import LLMatcher

        grammar = LLMatcher.grammar_from_json_schema(schema_text(schema), defaults={"whitespace_flexible": False})
        matcher = LLMatcher(self._tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise ModelError(f"The answer's grammar cannot be built: {matcher.get_error()}")
        return _Compiled(matcher)


class _Compiled:
    def __init__(self, matcher: Any) -> None:
        self._matcher = matcher

    def start(self) -> _Matcher:
        return _Matcher(self._matcher.deep_copy())


class _Matcher:
    def __init__(self, matcher: Any) -> None:
        self._matcher = matcher

    def fill(self, bits: NDArray[np.int32]) -> None:
        self._check()
        self._matcher.unsafe_compute_mask_ptr(bits.ctypes.data, bits.nbytes)
        self._check()

    def accept(self, token: int) -> None:
        if not self._matcher.consume_token(token):
            self._check()

    def forced(self) -> list[int]:
        tokens: list[int] = self._matcher.compute_ff_tokens()
        if tokens and not self._matcher.consume_tokens(tokens):
            self._check()
        return tokens

    def rollback(self, tokens: int) -> None:
        if not self._matcher.rollback(tokens):
            self._check()

    @property
    def finished(self) -> bool:
        return bool(self._matcher.is_stopped())

    def _check(self) -> None:
        if self._matcher.is_error():
            raise ModelError(f"The answer's grammar failed: {self._matcher.get_error()}")
