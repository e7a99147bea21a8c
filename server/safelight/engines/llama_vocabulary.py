"""A llama.cpp model's vocabulary: text to tokens and back."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from llguidance import LLTokenizer

from safelight.engines.llama_library import llama
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ("Vocabulary",)

_PIECE_BYTES: Final = 256


class Vocabulary:
    """Lives as long as the model that it belongs to."""

    def __init__(self, model: Any) -> None:
        self._vocab = llama.llama_model_get_vocab(model)
        self.size: int = llama.llama_vocab_n_tokens(self._vocab)
        self._bos: int = llama.llama_vocab_bos(self._vocab)
        self._eos: int = llama.llama_vocab_eos(self._vocab)
        self.start: list[int] = [self._bos] if llama.llama_vocab_get_add_bos(self._vocab) else []
        """What every text begins with."""
        self._texts: dict[int, bytes] = {}

    @property
    def bos_text(self) -> str:
        return self._special(self._bos)

    @property
    def eos_text(self) -> str:
        return self._special(self._eos)

    def tokenize(self, text: str, *, control: bool) -> list[int]:
        """The tokens of ``text``; control tokens that it spells out are such only with ``control``."""
        data = text.encode(errors="replace")
        room = len(data) + 8
        tokens = (llama.llama_token * room)()
        count: int = llama.llama_tokenize(self._vocab, data, len(data), tokens, room, False, control)
        if count < 0:
            raise ModelError("The model's vocabulary could not read this text.")
        return list(cast("Sequence[int]", tokens[:count]))

    def text(self, tokens: Iterable[int]) -> bytes:
        """The bytes that tokens stand for; control tokens stand for none."""
        return b"".join(self._text(token) for token in tokens)

    def ends(self, token: int) -> bool:
        """Whether a model says with ``token`` that its turn is over."""
        return bool(llama.llama_vocab_is_eog(self._vocab, token))

    @cached_property
    def never_written(self) -> NDArray[np.intp]:
        """The control tokens, but for those that end a turn: no answer may hold them."""
        banned = (token for token in range(self.size) if self._controls(token) and not self.ends(token))
        return np.fromiter(banned, dtype=np.intp)

    def for_grammars(self) -> LLTokenizer:
        """The vocabulary as llguidance wants it. Takes up to a second."""
        # llguidance's own function for this calls what llama.cpp has deprecated, once for each token.
        make: Any = LLTokenizer
        tokenize = ctypes.cast(llama.llama_cpp._lib.llama_tokenize, ctypes.c_void_p).value
        tokens = [self._grammar_token(token) for token in range(self.size)]
        return make.from_llamacpp(
            tokens=tokens, vocab_ptr=self._vocab, tokenize_fptr=tokenize, eos_token=self._eos, slices=None
        )

    def _grammar_token(self, token: int) -> bytes:
        piece = self._piece(token, special=True)
        # llguidance's mark for what no grammar may write
        return b"\xff" + piece if self._controls(token) else piece

    def _controls(self, token: int) -> bool:
        attributes: int = llama.llama_vocab_get_attr(self._vocab, token)
        if attributes & llama.LLAMA_TOKEN_ATTR_USER_DEFINED:
            piece = self._piece(token, special=True)
            return piece.startswith(b"<") and piece.endswith(b">")
        return bool(attributes & llama.LLAMA_TOKEN_ATTR_CONTROL)

    def _text(self, token: int) -> bytes:
        known = self._texts.get(token)
        if known is None:
            known = self._texts[token] = self._piece(token, special=False)
        return known

    def _special(self, token: int) -> str:
        return self._piece(token, special=True).decode(errors="replace") if token >= 0 else ""

    def _piece(self, token: int, *, special: bool) -> bytes:
        room = _PIECE_BYTES
        while True:
            buffer = ctypes.create_string_buffer(room)
            count: int = llama.llama_token_to_piece(self._vocab, token, buffer, room, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            room = -count
