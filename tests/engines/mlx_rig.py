"""What the tests of MLX's engine share: jobs, and the stand-in for its process."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

from safelight.engines.engine import EngineSettings, Job, LocalEngine, PromptMessage, Reading, Written
from safelight.engines.mlx import MlxEngine
from safelight.engines.mlx_process import Patience

__all__ = ("BOUND", "fake_engine", "job", "scripted", "written")

BOUND = 120.0

_FAKE = Path(__file__).with_name("mlx_fake.py")


def job(*contents: str, schema: str | None = None, max_tokens: int = 40, system: str = "") -> Job:
    """A conversation in which the user speaks first; with ``system``, its first message begins others too."""
    roles: Any = ("user", "assistant")
    messages = [PromptMessage(role=roles[i % 2], content=content) for i, content in enumerate(contents)]
    if system:
        messages.insert(0, PromptMessage(role="system", content=system))
    return Job(messages=tuple(messages), schema=schema, max_tokens=max_tokens, stable=1 if system else 0)


async def written(engine: LocalEngine, one: Job) -> tuple[str, Written]:
    """The whole answer to ``one``, and how it ended."""
    text = ""
    async with asyncio.timeout(BOUND), aclosing(engine.generate(one)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                return text, piece
            if not isinstance(piece, Reading):
                text += piece
    raise AssertionError("the engine never said how it ended")


def fake_engine(folder: Path, mode: str = "good", patience: Patience | None = None) -> MlxEngine:
    """An engine on the stand-in. ``folder`` need not exist; crashes are counted by it."""
    command = (sys.executable, "-S", "-E", str(_FAKE), mode)
    return MlxEngine(EngineSettings(kind="mlx", path=folder), command=command, patience=patience or Patience())


def scripted(*pieces: str, then: str = "", late: int = 0, stale: bool = False) -> Job:
    """A job that tells the stand-in what to do."""
    return job(json.dumps({"pieces": pieces, "then": then, "late": late, "stale": stale}))
