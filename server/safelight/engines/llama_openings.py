"""How likely a text is after each of several openings, which stay evaluated beside the conversation."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from safelight.engines.llama_model import BATCH, CHOICE_TOKENS, CHOICES
from safelight.errors import ModelError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from safelight.engines.llama_decoder import Decoder
    from safelight.engines.llama_vocabulary import Vocabulary

__all__ = ("Openings",)

_ROWS: Final = 64
"""Rows of logits kept at once: a row is a megabyte with a vocabulary of 262,144."""

_TEXT_TOKENS: Final = 48


class _Held(NamedTuple):
    sequence: int
    tokens: list[int]


class Openings:
    """The openings that were compared last, as many as there is room for. Their memory is taken with the first ones:
    most models compare nothing."""

    def __init__(self, make_decoder: Callable[[], Decoder], vocabulary: Vocabulary) -> None:
        self._make_decoder = make_decoder
        self._vocabulary = vocabulary
        self._held: dict[str, _Held] = {}
        """The one used longest ago stands first."""

    @cached_property
    def _decoder(self) -> Decoder:
        return self._make_decoder()

    def close(self) -> None:
        """Frees the memory. Nothing may be called afterwards."""
        if "_decoder" in self.__dict__:
            self._decoder.close()

    def likelihoods(self, openings: tuple[str, ...], text: str, stop: threading.Event) -> tuple[float, ...]:
        """See ``LocalEngine.likelihoods``; the first tokens of a long text decide."""
        self._decoder.begin(stop)
        self._hold(openings)
        tokens = self._vocabulary.tokenize(text, control=False)[:_TEXT_TOKENS]
        scores: list[float] = []
        together = max(1, _ROWS // max(len(tokens), 1))
        for first in range(0, len(openings) if tokens else 0, together):
            scores += self._score([self._held[one] for one in openings[first : first + together]], tokens)
        return tuple(scores) or (0.0,) * len(openings)

    def _hold(self, openings: tuple[str, ...]) -> None:
        if len(openings) > CHOICES:
            raise ModelError(f"At most {CHOICES} openings can be compared, not {len(openings)}.")
        self._held |= {one: self._held.pop(one) for one in dict.fromkeys(openings) if one in self._held}
        start = self._vocabulary.start
        new = {one: start + self._vocabulary.tokenize(one, control=False) for one in openings if one not in self._held}
        if any(len(tokens) > CHOICE_TOKENS - _TEXT_TOKENS for tokens in new.values()):
            raise ModelError("An opening to compare is too long.")
        for one in [one for one in self._held if one not in openings][: max(0, len(self._held) + len(new) - CHOICES)]:
            self._decoder.forget(self._held.pop(one).sequence)
        free = iter(set(range(CHOICES)) - {held.sequence for held in self._held.values()})
        added = {one: _Held(next(free), tokens) for one, tokens in new.items()}
        rows: list[tuple[int, int, int]] = []
        for held in added.values():
            self._decoder.forget(held.sequence)
            # The last token is evaluated with each text, since what follows is read from its logits.
            rows += [(token, i, held.sequence) for i, token in enumerate(held.tokens[:-1])]
        for first in range(0, len(rows), BATCH):
            self._decoder.fill(rows[first : first + BATCH])
            self._go_on(done=self._decoder.decode())
        self._held |= added

    def _score(self, group: list[_Held], text: list[int]) -> list[float]:
        rows: list[tuple[int, int, int]] = []
        for held in group:
            last = len(held.tokens) - 1
            rows += [(token, last + i, held.sequence) for i, token in enumerate([held.tokens[-1], *text[:-1]])]
        self._decoder.fill(rows)
        self._decoder.ask_all()
        done = self._decoder.decode()
        for held in group:
            self._decoder.forget(held.sequence, len(held.tokens) - 1)
        self._go_on(done=done)
        each = [self._log_probability(i, text[i % len(text)]) for i in range(len(rows))]
        return [sum(each[i : i + len(text)]) for i in range(0, len(each), len(text))]

    def _go_on(self, *, done: bool) -> None:
        if not done or self._decoder.stopped:
            raise ModelError("Stopped.")

    def _log_probability(self, row: int, token: int) -> float:
        logits = self._decoder.row(row)
        top = float(logits.max())
        return float(logits[token]) - top - float(np.log(np.exp(logits - top).sum()))
