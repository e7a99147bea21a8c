"""The vocabulary of the small real model, without its weights, and what is written with it under a grammar."""

from __future__ import annotations

import importlib.util
from functools import cache
from random import Random
from typing import Any, Final

import llama_cpp
import numpy as np

from safelight.engines.engine import GrammarName
from safelight.engines.grammar import Grammars, Guide
from safelight.engines.llama_vocabulary import Vocabulary
from tests.engines.gguf import small_gguf

__all__ = ("BACKENDS", "grammars", "real_vocabulary", "written_at_random", "written_with")

BACKENDS: Final[tuple[GrammarName, ...]] = (
    ("llguidance", "xgrammar") if importlib.util.find_spec("xgrammar") else ("llguidance",)
)
"""XGrammar only where it is installed: `.ci/xgrammar` sees to that."""

_ENDS: Final = (b'"', b"}", b"]", b",")
llama: Any = llama_cpp


@cache
def real_vocabulary() -> Vocabulary:
    """SmolLM2's. Stays loaded."""
    params = llama.llama_model_default_params()
    params.vocab_only = True
    model = llama.llama_model_load_from_file(str(small_gguf()).encode(), params)
    assert model
    return Vocabulary(model)


@cache
def grammars(backend: GrammarName) -> Grammars:
    vocabulary = real_vocabulary()
    return Grammars(vocabulary.for_grammars(), vocabulary.size, backend)


def written_with(guide: Guide, logits: np.ndarray[Any, np.dtype[np.float32]], most: int = 4_000) -> str:
    """What a model writes that always wants the same."""
    tokens = guide.forced()
    while not guide.finished:
        assert len(tokens) < most, "the grammar lets it write for ever"
        row = logits.copy()
        guide.mask(row)
        token = int(np.argmax(row))
        assert row[token] > -np.inf, "nothing is allowed"
        guide.accept(token)
        tokens += [token, *([] if guide.finished else guide.forced())]
    return real_vocabulary().text(tokens).decode()


def written_at_random(guide: Guide, draw: Random, most: int = 120) -> str | None:
    """What a model writes that likes short answers and nothing else; None when it was not finished in time."""
    noise = np.random.default_rng(draw.getrandbits(32))
    tokens = guide.forced()
    while not guide.finished:
        if len(tokens) > most:
            return None
        bits = np.unpackbits(guide.bits().view(np.uint8), bitorder="little")
        allowed = np.flatnonzero(bits)
        assert allowed.size, "nothing is allowed"
        closing = _closing()[bits[_closing()] == 1]
        token = int(noise.choice(closing if closing.size and draw.random() < 0.5 else allowed))
        guide.accept(token)
        tokens += [token, *([] if guide.finished else guide.forced())]
    return real_vocabulary().text(tokens).decode()


@cache
def _closing() -> np.ndarray[Any, np.dtype[np.intp]]:
    """The tokens that end something."""
    vocabulary = real_vocabulary()
    return np.array([token for token in range(vocabulary.size) if vocabulary.text([token])[:1] in _ENDS])
