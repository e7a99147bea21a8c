"""What a conversation's second turn gains from what the engine has read already."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import threading
import time
from pathlib import Path
from random import Random
from typing import Final

from safelight.engines.engine import EngineSettings, Job, LocalEngine, PromptMessage
from safelight.engines.found_model import FoundModel
from safelight.engines.llama_decoder import Decoder
from safelight.engines.llama_library import llama
from safelight.engines.llama_model import BATCH, load_model, open_context, window_of
from safelight.engines.llama_vocabulary import Vocabulary
from tests.bench.first_piece import FirstPiece, first_piece
from tests.bench.local_models import opened_vocabulary, smollm2, smollm2_engine
from tests.bench.measured import Measured, measured
from tests.bench.photos import COMMON, RARE

__all__ = ("measure", "words")

REPEATS: Final = 3
PROMPT_TOKENS: Final = 4_000
FRAME_TOKENS: Final = 9
"""What SmolLM2's template puts around a message of the user and before the answer."""

NEW_TOKENS: Final = {20: 100.0, 500: 5.0}
"""Tokens that the second turn adds, with how many times sooner it must begin to answer."""

OVER_READING: Final = 1.3

OTHER: Final = (PromptMessage(role="user", content="Something else entirely: how are you today?"),)
ASKED: Final = PromptMessage(role="user", content="Show me the boats.")


def measure() -> list[Measured]:
    """Time to the first piece of the answer. Both ways read the same prompt on the same engine, one after the other;
    what only reading the new tokens takes is measured on a bare context, behind as many tokens."""
    with tempfile.TemporaryDirectory() as folder:
        model = smollm2(Path(folder))
        with opened_vocabulary(model) as vocabulary:
            texts = {
                new: (words(vocabulary, PROMPT_TOKENS - new - 40), words(vocabulary, new - FRAME_TOKENS))
                for new in NEW_TOKENS
            }
        found, seconds = asyncio.run(_measure(Path(folder), texts))
        for new, bare in _only_reading(model).items():
            name = f"second turn: first token over only reading, {PROMPT_TOKENS:,} tokens with {new} new, {model.title}"
            found.append(measured(name, seconds[new] / bare, "times", target=OVER_READING))
        return found


async def _measure(folder: Path, texts: dict[int, tuple[str, str]]) -> tuple[list[Measured], dict[int, float]]:
    found: list[Measured] = []
    seconds: dict[int, float] = {}
    async with smollm2_engine(folder) as (model, engine):
        for new, target in NEW_TOKENS.items():
            system, added = texts[new]
            first = (PromptMessage(role="system", content=system), ASKED)
            answer = PromptMessage(role="assistant", content=(await _read(engine, first)).answer)
            second = (*first, answer, PromptMessage(role="user", content=added))
            pairs = [await _cold_and_warm(engine, first, second, new) for _ in range(REPEATS)]
            seconds[new] = statistics.median(warm for _, warm in pairs)
            ratio = statistics.median(cold / warm for cold, warm in pairs)
            name = f"second turn: first token sooner than cold, {PROMPT_TOKENS:,} tokens with {new} new, {model.title}"
            found.append(measured(name, ratio, "times", target=target, better="higher"))
    return found, seconds


async def _cold_and_warm(
    engine: LocalEngine, first: tuple[PromptMessage, ...], second: tuple[PromptMessage, ...], new: int
) -> tuple[float, float]:
    await _read(engine, OTHER)
    cold = await _read(engine, second)
    assert cold.written.cached_tokens < 50, f"the conversation was not forgotten: {cold.written}"
    await _read(engine, first)  # as after the first turn: the engine holds nothing behind it
    warm = await _read(engine, second)
    assert warm.written.prompt_tokens == cold.written.prompt_tokens
    assert abs(warm.written.prompt_tokens - PROMPT_TOKENS) < 40, warm.written
    assert abs(warm.written.prompt_tokens - warm.written.cached_tokens - new) < 5 + new // 100, warm.written
    return cold.seconds, warm.seconds


async def _read(engine: LocalEngine, messages: tuple[PromptMessage, ...]) -> FirstPiece:
    return await first_piece(engine, Job(messages=messages, schema=None, max_tokens=12))


def _only_reading(model: FoundModel) -> dict[int, float]:
    """Seconds that a bare context takes for so many new tokens behind the others."""
    settings = EngineSettings(path=model.path)
    loaded = load_model(model.path, lambda: True)
    window = window_of(loaded, settings)
    decoder = Decoder(open_context(loaded, settings, window, BATCH), Vocabulary(loaded).size, window, threading.Event())
    try:
        tokens = [Random(4).randrange(100, 40_000) for _ in range(PROMPT_TOKENS)]
        decoder.evaluate(tokens)
        found: dict[int, float] = {}
        for new in NEW_TOKENS:
            times: list[float] = []
            for _ in range(REPEATS):
                decoder.reuse(tokens[: PROMPT_TOKENS - new])
                began = time.perf_counter()
                decoder.evaluate(tokens[PROMPT_TOKENS - new :])
                times.append(time.perf_counter() - began)
            found[new] = statistics.median(times)
        return found
    finally:
        decoder.close()
        llama.llama_model_free(loaded)


def words(vocabulary: Vocabulary, tokens: int) -> str:
    """Words that have as many tokens, or one or two more."""
    random = Random(tokens)
    text = "Photos:"
    while len(vocabulary.tokenize(text, control=False)) < tokens:
        text += f" {random.choice((*COMMON, *RARE) if tokens > 100 else COMMON)}"
    return text
