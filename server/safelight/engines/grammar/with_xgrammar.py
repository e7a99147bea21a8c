"""XGrammar behind the seam, where it is installed."""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any, Final

from safelight.engines.grammar.numbers import LARGEST, bounded_numbers
from safelight.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ("XGrammar",)

_NUMBER: Final = {"type": "number", "minimum": -LARGEST, "maximum": LARGEST}
"""It has at most six decimals then."""

_OLDEST: Final = (0, 2, 9)
_FAILED: Final = "The answer's grammar failed: the token was not allowed. Send the message again."
_INSTALL: Final = 'Install it with: pip install "xgrammar>=0.2.9" torch. Or choose llguidance.'


class XGrammar:
    """Implements ``GrammarBackend``. ``tokenizer`` is an ``LLTokenizer``: it knows the bytes of every token."""

    def __init__(self, tokenizer: Any, texts: list[bytes]) -> None:
        self._library = _library()
        self._tokenizer = tokenizer
        info = self._library.TokenizerInfo(
            _without_special(tokenizer, texts),
            self._library.VocabType.RAW,
            vocab_size=len(texts),
            stop_token_ids=list(tokenizer.eos_tokens),
            add_prefix_space=False,
        )
        self._compiler = self._library.GrammarCompiler(info, max_threads=1, cache_enabled=False)

    def compile(self, schema: dict[str, Any]) -> _Compiled:
        """See ``GrammarBackend.compile``."""
        try:
            compiled = self._compiler.compile_json_schema(
                json.dumps(bounded_numbers(schema, _NUMBER), ensure_ascii=False),
                any_whitespace=False,
                separators=(",", ":"),
            )
        except RuntimeError as error:
            raise ModelError(f"The answer's grammar cannot be built: {error}") from error
        return _Compiled(self._library, self._tokenizer, compiled)


class _Compiled:
    def __init__(self, library: Any, tokenizer: Any, compiled: Any) -> None:
        self._library = library
        self._tokenizer = tokenizer
        self._compiled = compiled

    def start(self) -> _Matcher:
        # Without the option, an end token would have to follow a whole answer.
        matcher = self._library.GrammarMatcher(self._compiled, terminate_without_stop_token=True)
        return _Matcher(matcher, self._tokenizer)


class _Matcher:
    def __init__(self, matcher: Any, tokenizer: Any) -> None:
        self._matcher = matcher
        self._tokenizer = tokenizer
        self._failed = False

    def fill(self, bits: NDArray[np.int32]) -> None:
        if self._failed:
            raise ModelError(_FAILED)
        self._matcher.fill_next_token_bitmask(bits.reshape(1, -1))

    def accept(self, token: int) -> None:
        if self._failed or not self._matcher.accept_token(token):
            self._failed = True
            raise ModelError(_FAILED)

    def forced(self) -> list[int]:
        text: str = self._matcher.find_jump_forward_string()
        if not text:
            return []
        # Only tokens that no longer token could replace, whatever follows.
        tokens: list[int] = self._tokenizer.tokenize_partial(text.encode())[0]
        taken = 0
        for token in tokens:
            if not self._matcher.accept_token(token):
                break
            taken += 1
        return tokens[:taken]

    def rollback(self, tokens: int) -> None:
        self._matcher.rollback(tokens)

    @property
    def finished(self) -> bool:
        return bool(self._matcher.is_terminated())


def _library() -> Any:
    try:
        library: Any = importlib.import_module("xgrammar")
    except ImportError as error:
        raise ModelError(f"XGrammar cannot be used here ({error}). {_INSTALL}") from error
    from importlib.metadata import version

    found = version("xgrammar")
    if tuple(int(part) for part in found.split(".")[:3] if part.isdecimal()) < _OLDEST:
        raise ModelError(f"XGrammar {found} is too old. {_INSTALL}")
    return library


def _without_special(tokenizer: Any, texts: list[bytes]) -> list[bytes]:
    # XGrammar never allows a token without text.
    return [b"" if tokenizer.is_special_token(token) else text for token, text in enumerate(texts)]
