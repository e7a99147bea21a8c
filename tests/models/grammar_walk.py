"""Walks through a compiled grammar byte by byte: what it admits, and what it could write."""

from __future__ import annotations

import json
import random
from typing import Any, Final

import llguidance.numpy as llnumpy
import numpy as np
from llguidance import LLMatcher, LLTokenizer

from safelight.engines.grammar.with_llguidance import schema_text

__all__ = ("Walker", "compact", "longest")

_TOKENIZER: Final = LLTokenizer("byte")
_END: Final = _TOKENIZER.eos_token
_CLOSING: Final = tuple(b'"]},:')
_PLAIN: Final = tuple(b"abz019 .-[{ntf\\" + "é名".encode())


def compact(value: object) -> str:
    """The JSON text of a value as a model writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Walker:
    """One normal form, compiled by llguidance for a vocabulary of single bytes."""

    def __init__(self, form: dict[str, Any]) -> None:
        grammar = LLMatcher.grammar_from_json_schema(schema_text(form), defaults={"whitespace_flexible": False})
        self.problems: tuple[bool, list[str]] = LLMatcher.validate_grammar_with_warnings(grammar)
        self._matcher = LLMatcher(_TOKENIZER, grammar, log_level=0)
        self._bits = llnumpy.allocate_token_bitmask(1, _TOKENIZER.vocab_size)

    def admits(self, text: str) -> bool:
        """Whether the grammar can write exactly this text."""
        matcher = self._matcher.deep_copy()
        written = list(text.encode())
        return matcher.try_consume_tokens(written) == len(written) and bool(matcher.is_accepting())

    def write(self, draw: random.Random, *, closing: float = 0.4, most: int = 20_000) -> str:
        """A text that the grammar admits: any byte that may follow, one that closes with the given probability.
        Fails where the grammar leads nowhere, or when the text has ``most`` bytes and no end."""
        matcher = self._matcher.deep_copy()
        written = bytearray()
        while not (matcher.is_accepting() and (matcher.is_stopped() or draw.random() < closing)):
            allowed = self._allowed(matcher)
            assert allowed, f"nothing may follow {bytes(written)!r}"
            if allowed == [_END]:
                break
            written.append(_pick(allowed, draw, closing))
            assert matcher.consume_token(written[-1]), matcher.get_error()
            assert len(written) < most, f"no end after {bytes(written[:200])!r}"
        return written.decode()

    def _allowed(self, matcher: LLMatcher) -> list[int]:
        llnumpy.fill_next_token_bitmask(matcher, self._bits, 0)
        assert not matcher.is_error(), matcher.get_error()
        return np.flatnonzero(np.unpackbits(self._bits.view(np.uint8).ravel(), bitorder="little")).tolist()


def _pick(allowed: list[int], draw: random.Random, closing: float) -> int:
    bytes_only = [byte for byte in allowed if byte != _END]
    ends = [byte for byte in bytes_only if byte in _CLOSING]
    if ends and draw.random() < closing:
        return draw.choice(ends)
    others = [byte for byte in bytes_only if byte not in ends] if closing < 0.1 else bytes_only
    likely = [byte for byte in others if byte in _PLAIN]
    return draw.choice(likely if likely and draw.random() < 0.8 else others or bytes_only)


def longest(form: dict[str, Any]) -> int:
    """The most bytes that a normal form can write."""
    if "anyOf" in form:
        return max(map(longest, form["anyOf"]))
    if "enum" in form:
        return max(len(compact(value).encode()) for value in form["enum"])
    kind = form["type"]
    if kind == "string":
        return 2 + 6 * form["maxLength"]
    if kind == "array":
        return 2 + form["maxItems"] * (1 + longest(form["items"])) if form["maxItems"] else 2
    if kind == "object":
        return 2 + sum(len(compact(name).encode()) + 2 + longest(node) for name, node in form["properties"].items())
    return {"integer": 17, "number": 24, "boolean": 5, "null": 4}[kind]
