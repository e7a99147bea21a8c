"""What a conversation's second turn gains from what the engine has read already."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from contextlib import aclosing
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from safelight.engines.engine import Job, LocalEngine, PromptMessage, Written
from safelight.engines.llama_vocabulary import Vocabulary
from tests.bench.local_models import opened_vocabulary, smollm2, smollm2_engine
from tests.bench.measured import Measured, measured
from tests.bench.photos import COMMON, RARE

__all__ = ("measure",)

REPEATS: Final = 3
PROMPT_TOKENS: Final = 4_000
FRAME_TOKENS: Final = 9
"""What SmolLM2's template puts around a message of the user and before the answer."""

NEW_TOKENS: Final = {20: 100.0, 500: 5.0}
"""Tokens that the second turn adds, with how many times sooner it must begin to answer."""

OTHER: Final = (PromptMessage(role="user", content="Something else entirely: how are you today?"),)
ASKED: Final = PromptMessage(role="user", content="Show me the boats.")


class Reading(msgspec.Struct, frozen=True):
    """How a prompt was read: the seconds to the answer's first piece, the answer, and what the engine says of it."""

    seconds: float
    answer: str
    written: Written


def measure() -> list[Measured]:
    """Time to the first piece of the answer. Both ways read the same prompt on the same engine, one after the other;
    free decoding, since a grammar would give its first forced words before anything is read."""
    with tempfile.TemporaryDirectory() as folder:
        model = smollm2(Path(folder))
        with opened_vocabulary(model) as vocabulary:
            texts = {
                new: (_words(vocabulary, PROMPT_TOKENS - new - 40), _words(vocabulary, new - FRAME_TOKENS))
                for new in NEW_TOKENS
            }
        return asyncio.run(_measure(Path(folder), texts))


async def _measure(folder: Path, texts: dict[int, tuple[str, str]]) -> list[Measured]:
    found: list[Measured] = []
    async with smollm2_engine(folder) as (model, engine):
        for new, target in NEW_TOKENS.items():
            system, added = texts[new]
            first = (PromptMessage(role="system", content=system), ASKED)
            answer = PromptMessage(role="assistant", content=(await _read(engine, first)).answer)
            second = (*first, answer, PromptMessage(role="user", content=added))
            ratios = [await _times_sooner(engine, first, second, new) for _ in range(REPEATS)]
            name = f"second turn: first token sooner than cold, {PROMPT_TOKENS:,} tokens with {new} new, {model.title}"
            found.append(measured(name, statistics.median(ratios), "times", target=target, better="higher"))
    return found


async def _times_sooner(
    engine: LocalEngine, first: tuple[PromptMessage, ...], second: tuple[PromptMessage, ...], new: int
) -> float:
    await _read(engine, OTHER)
    cold = await _read(engine, second)
    assert cold.written.cached_tokens < 50, f"the conversation was not forgotten: {cold.written}"
    await _read(engine, first)  # as after the first turn: the engine holds nothing behind it
    warm = await _read(engine, second)
    assert warm.written.prompt_tokens == cold.written.prompt_tokens
    assert abs(warm.written.prompt_tokens - PROMPT_TOKENS) < 40, warm.written
    assert abs(warm.written.prompt_tokens - warm.written.cached_tokens - new) < 5 + new // 100, warm.written
    return cold.seconds / warm.seconds


async def _read(engine: LocalEngine, messages: tuple[PromptMessage, ...]) -> Reading:
    job = Job(messages=messages, schema=None, max_tokens=12)
    seconds: float | None = None
    answer = ""
    began = time.perf_counter()
    async with aclosing(engine.generate(job)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                assert seconds is not None, "there was no answer"
                return Reading(seconds, answer, piece)
            answer += piece
            if answer and seconds is None:
                seconds = time.perf_counter() - began
    raise AssertionError("the engine never said how it ended")


def _words(vocabulary: Vocabulary, tokens: int) -> str:
    """Words that have as many tokens, or one or two more."""
    random = Random(tokens)
    text = "Photos:"
    while len(vocabulary.tokenize(text, control=False)) < tokens:
        text += f" {random.choice((*COMMON, *RARE) if tokens > 100 else COMMON)}"
    return text
