"""What the first turn of a new chat gains after a restart from what is kept on disk."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import threading
from pathlib import Path
from typing import Final

from safelight.engines.engine import EngineSettings, Job, PromptMessage
from safelight.engines.llama import LlamaEngine
from tests.bench.first_piece import FirstPiece, first_piece
from tests.bench.local_models import opened_vocabulary, smollm2
from tests.bench.measured import Measured, measured
from tests.bench.second_turn import words

__all__ = ("measure",)

REPEATS: Final = 3
PROMPT_TOKENS: Final = 4_000
TIMES_SOONER: Final = 50.0
WRITTEN_S: Final = 120.0


def measure() -> list[Measured]:
    """Time to the first piece of the answer with the model loaded: on an engine that keeps nothing yet, and on another
    one after it that finds what the first one kept."""
    with tempfile.TemporaryDirectory() as folder:
        model = smollm2(Path(folder))
        with opened_vocabulary(model) as vocabulary:
            system = words(vocabulary, PROMPT_TOKENS - 30)
        ratios = [asyncio.run(_times_sooner(model.path, Path(folder) / str(i), system)) for i in range(REPEATS)]
    name = f"restart: first token of a new chat sooner than cold, {PROMPT_TOKENS:,} tokens, {model.title}"
    return [measured(name, statistics.median(ratios), "times", target=TIMES_SOONER, better="higher")]


async def _times_sooner(model: Path, cache_dir: Path, system: str) -> float:
    cold = await _first_turn(model, cache_dir, system, "Show me the boats.")
    assert cold.written.cached_tokens < 50, cold.written
    warm = await _first_turn(model, cache_dir, system, "Which are the best?")
    assert warm.written.prompt_tokens - warm.written.cached_tokens < 30, warm.written
    return cold.seconds / warm.seconds


async def _first_turn(model: Path, cache_dir: Path, system: str, asked: str) -> FirstPiece:
    engine = LlamaEngine(EngineSettings(path=model, cache_dir=cache_dir))
    try:
        other = Job(messages=(PromptMessage(role="user", content="Hello"),), schema=None, max_tokens=2)
        await first_piece(engine, other)  # loads the model
        messages = (PromptMessage(role="system", content=system), PromptMessage(role="user", content=asked))
        read = await first_piece(engine, Job(messages=messages, schema=None, max_tokens=12, stable=1))
        await asyncio.to_thread(_wait_for_file, cache_dir)
        return read
    finally:
        await engine.close()


def _wait_for_file(cache_dir: Path) -> None:
    tick = threading.Event()
    for _ in range(int(WRITTEN_S * 20)):
        if any(cache_dir.glob("prefixes/*.prefix")):
            return
        tick.wait(0.05)
    raise AssertionError("what begins every prompt was not kept")
