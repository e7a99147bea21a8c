"""An answer as it grows: tokens in, whole characters out."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from safelight.engines.mlx_sidecar.vocabulary import Vocabulary

__all__ = ("Answer",)


class Answer:
    """``forced`` of ``tokens`` followed from the grammar alone."""

    def __init__(self, vocabulary: Vocabulary, emit: Callable[[str], None]) -> None:
        self._vocabulary = vocabulary
        self._emit = emit
        self._utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.tokens: list[int] = []
        self.text = ""
        self.forced = 0
        self.finish: Literal["stop", "length"] = "length"

    def add(self, tokens: Sequence[int], *, forced: int) -> None:
        """Takes tokens, the last ``forced`` of which were not chosen."""
        self.tokens += tokens
        self.forced += forced
        piece = self._utf8.decode(self._vocabulary.text(tokens))
        self.text += piece
        if piece:
            self._emit(piece)
