"""Which opening a text follows best, with the openings kept evaluated."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Final

import mlx.core
from mlx_lm.models.cache import KVCache, make_prompt_cache

from safelight.errors import ModelError

if TYPE_CHECKING:
    import threading

    from safelight.engines.mlx_sidecar.vocabulary import Vocabulary

__all__ = ("Openings",)

# As llama.cpp's engine has them, so that both score alike.
_CHOICES: Final = 56
_CHOICE_TOKENS: Final = 14_336
_SCORED_TOKENS: Final = 48

mx: Any = mlx.core


class Openings:
    """The openings that were compared last, as many as there is room for, each with its own cache."""

    def __init__(self, model: Any, vocabulary: Vocabulary) -> None:
        self._model = model
        self._vocabulary = vocabulary
        self._held: dict[str, tuple[list[int], list[Any]]] = {}
        """Tokens and caches by opening; the one used longest ago stands first."""

    def likelihoods(self, openings: tuple[str, ...], text: str, stop: threading.Event) -> tuple[float, ...] | None:
        """See ``LocalEngine.likelihoods``; the first tokens of a long text decide. None when it was stopped."""
        if not self._hold(openings, stop):
            return None
        text_tokens = self._vocabulary.tokenize(text, control=False)[:_SCORED_TOKENS]
        return self._scores(openings, text_tokens, stop) if text_tokens else (0.0,) * len(openings)

    def _scores(self, openings: tuple[str, ...], text: list[int], stop: threading.Event) -> tuple[float, ...] | None:
        scores: list[float] = []
        for one in openings:
            if stop.is_set():
                return None
            tokens, cache = self._held.pop(one)  # until its cache is cut again
            scores.append(self._score(tokens[-1], text, cache))
            self._held[one] = (tokens, cache)
        return tuple(scores)

    def _hold(self, openings: tuple[str, ...], stop: threading.Event) -> bool:
        if len(openings) > _CHOICES:
            raise ModelError(f"At most {_CHOICES} openings can be compared, not {len(openings)}.")
        start = self._vocabulary.start
        new = {one: start + self._vocabulary.tokenize(one, control=False) for one in openings if one not in self._held}
        if not all(new.values()):
            raise ModelError("An opening to compare is empty.")
        self._make_room(sum(map(len, new.values())), len(new), openings)
        for one, tokens in new.items():
            if stop.is_set():
                return False
            cache: list[Any] = make_prompt_cache(self._model)
            # The last token is evaluated with each text, since what follows is read from its logits.
            if tokens[:-1]:
                self._model(mx.array([tokens[:-1]]), cache=cache)
                mx.eval([layer.state for layer in cache])
            self._held[one] = (tokens, cache)
        return True

    def _make_room(self, tokens: int, count: int, needed: tuple[str, ...]) -> None:
        for one in [one for one in self._held if one not in needed]:
            if len(self._held) + count <= _CHOICES and self._tokens() + tokens <= _CHOICE_TOKENS:
                return
            del self._held[one]
        if self._tokens() + tokens > _CHOICE_TOKENS:
            raise ModelError("The openings to compare are too long.")

    def _tokens(self) -> int:
        return sum(len(tokens) for tokens, _ in self._held.values())

    def _score(self, last: int, text: list[int], cache: list[Any]) -> float:
        # What can be cut is cut afterwards; the rest is copied before.
        used = [layer if type(layer) is KVCache else copy.deepcopy(layer) for layer in cache]
        logits = self._model(mx.array([[last, *text[:-1]]]), cache=used)[0].astype(mx.float32)
        chosen = mx.take_along_axis(logits, mx.array(text)[:, None], axis=-1)[:, 0]
        score = float(mx.sum(chosen - mx.logsumexp(logits, axis=-1)).item())
        for layer, was_used in zip(cache, used, strict=True):
            if layer is was_used:
                layer.trim(len(text))
        return score
