"""How fast the engine writes under a grammar, against writing freely."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from contextlib import aclosing
from pathlib import Path
from typing import Final

from safelight.engines.engine import Job, LocalEngine, PromptMessage, Written
from safelight.models.schemas import answer_schema
from safelight.models.schemas.limits import ANALYSIS_CHARS
from tests.bench.local_models import smollm2_engine
from tests.bench.measured import Measured, measured
from tests.models.offers import OFFERS

__all__ = ("measure",)

REPEATS: Final = 7
TOKENS: Final = 128
ASKED: Final = (PromptMessage(role="user", content="Write a long story about a harbour and everyone who works there."),)


def measure() -> list[Measured]:
    """Tokens a second that the model chose itself; those that the grammar forced are left out of the count, though
    not of the time. The ratio within each of several pairs, one right after the other, and then the median."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Measured]:
    schema = _long_answer_schema()
    ratios: list[float] = []
    async with smollm2_engine(folder) as (model, engine):
        for _ in range(REPEATS + 1):
            free = await _tokens_a_second(engine, None)
            ratios.append(await _tokens_a_second(engine, schema) / free)
    # The first pair also loaded the model, read the prompt and built the grammar.
    name = f"decoding: speed under the answer's grammar over free, {model.title}"
    return [measured(name, statistics.median(ratios[1:]), "of free", target=0.95, better="higher")]


def _long_answer_schema() -> str:
    """The grammar of an answer with the contract's tools, which may not end while it is measured."""
    schema, _ = answer_schema(OFFERS)
    for branch in schema["anyOf"]:
        branch["properties"]["analysis"]["minLength"] = ANALYSIS_CHARS
    return json.dumps(schema, separators=(",", ":"))


async def _tokens_a_second(engine: LocalEngine, schema: str | None) -> float:
    began = time.perf_counter()
    async with aclosing(engine.generate(Job(messages=ASKED, schema=schema, max_tokens=TOKENS))) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                chosen = piece.completion_tokens - piece.forced_tokens
                assert chosen > TOKENS // 2, f"the answer is too short to measure: {piece}"
                return chosen / (time.perf_counter() - began)
    raise AssertionError("the engine never said how it ended")
