"""llguidance: JSON Schemas compiled for a vocabulary, and the mask that keeps a model inside one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from safelight.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ("Grammars", "Guide")

_KEPT: Final = 16

# A byte of the mask decides on eight tokens: looking its eight addends up is 20 times faster than unpacking bits.
_ADDENDS: Final[NDArray[np.float32]] = np.where(
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little") == 1, 0, -np.inf
).astype(np.float32)


class Guide:
    """Walks one answer through its grammar."""

    def __init__(self, matcher: Any, vocabulary: int) -> None:
        import llguidance.numpy as llnumpy

        self._fill: Any = llnumpy.fill_next_token_bitmask
        self._matcher = matcher
        self._bits: NDArray[np.int32] = llnumpy.allocate_token_bitmask(1, vocabulary)
        self._addends = np.empty((self._bits.nbytes, 8), dtype=np.float32)
        self._vocabulary = vocabulary

    def mask(self, logits: NDArray[np.float32]) -> None:
        """Takes from ``logits``, in place, every token that the grammar does not allow next."""
        self._fill(self._matcher, self._bits, 0)
        self._check()
        np.take(_ADDENDS, self._bits.view(np.uint8).ravel(), axis=0, out=self._addends, mode="clip")
        np.add(logits, self._addends.ravel()[: self._vocabulary], out=logits)

    def accept(self, token: int) -> None:
        """Goes on after ``token``."""
        self._matcher.consume_token(token)
        self._check()

    def forced(self) -> list[int]:
        """The tokens that must follow now, if any; the guide has gone on past them."""
        tokens: list[int] = self._matcher.compute_ff_tokens()
        if tokens:
            self._matcher.consume_tokens(tokens)
            self._check()
        return tokens

    @property
    def finished(self) -> bool:
        """Whether the answer is whole. To be asked after ``accept``, or the last brace is lost."""
        return bool(self._matcher.is_stopped())

    def _check(self) -> None:
        if self._matcher.is_error():
            raise ModelError(f"The answer's grammar failed: {self._matcher.get_error()}")


class Grammars:
    """Compiled grammars of one vocabulary, by the exact text of their schema."""

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        self._tokenizer = tokenizer
        self._vocabulary = vocabulary
        self._compiled: dict[str, Any] = {}

    def guide(self, schema: str) -> Guide:
        """A fresh guide; compiling happens once a schema."""
        compiled = self._compiled.pop(schema, None) or self._compile(schema)
        self._compiled[schema] = compiled
        while len(self._compiled) > _KEPT:
            del self._compiled[next(iter(self._compiled))]
        return Guide(compiled.deep_copy(), self._vocabulary)

    def _compile(self, schema: str) -> Any:
        from llguidance import LLMatcher

        grammar = LLMatcher.grammar_from_json_schema(schema, defaults={"whitespace_flexible": False})
        matcher = LLMatcher(self._tokenizer, grammar, log_level=0)
        if matcher.is_error():
            raise ModelError(f"The answer's grammar cannot be built: {matcher.get_error()}")
        return matcher
