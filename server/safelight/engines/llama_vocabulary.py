"""A llama.cpp model's vocabulary: text to tokens and back."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final, cast

import llama_cpp
from llguidance import LLTokenizer

from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ("Vocabulary",)

_PIECE_BYTES: Final = 256

llama: Any = llama_cpp


class Vocabulary:
    """Lives as long as the model that it belongs to."""

    def __init__(self, model: Any) -> None:
        self._vocab = llama.llama_model_get_vocab(model)
        self.size: int = llama.llama_vocab_n_tokens(self._vocab)
        self._bos: int = llama.llama_vocab_bos(self._vocab)
        self._eos: int = llama.llama_vocab_eos(self._vocab)
        self.start: list[int] = [self._bos] if llama.llama_vocab_get_add_bos(self._vocab) else []
        """What every text begins with."""

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
        tokens = (llama_cpp.llama_token * room)()
        count: int = llama.llama_tokenize(self._vocab, data, len(data), tokens, room, False, control)
        if count < 0:
            raise ModelError("The model's vocabulary could not read this text.")
        return list(cast("Sequence[int]", tokens[:count]))

    def text(self, tokens: Iterable[int]) -> bytes:
        """The bytes that tokens stand for; control tokens stand for none."""
        return b"".join(self._piece(token, special=False) for token in tokens)

    def ends(self, token: int) -> bool:
        """Whether a model says with ``token`` that its turn is over."""
        return bool(llama.llama_vocab_is_eog(self._vocab, token))

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
        attributes: int = llama.llama_vocab_get_attr(self._vocab, token)
        looks_special = piece.startswith(b"<") and piece.endswith(b">")
        user_defined = bool(attributes & llama.LLAMA_TOKEN_ATTR_USER_DEFINED)
        if attributes & llama.LLAMA_TOKEN_ATTR_CONTROL or (user_defined and looks_special):
            return b"\xff" + piece  # llguidance's mark for what no grammar may write
        return piece

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
