"""How soon an engine begins to answer."""

from __future__ import annotations

import time
from contextlib import aclosing

import msgspec

from safelight.engines.engine import Job, LocalEngine, Reading, Written

__all__ = ("FirstPiece", "first_piece")


class FirstPiece(msgspec.Struct, frozen=True):
    """The seconds to the answer's first piece, the whole answer, and what the engine says of it."""

    seconds: float
    answer: str
    written: Written


async def first_piece(engine: LocalEngine, job: Job) -> FirstPiece:
    """Runs a job that decodes freely, since a grammar gives its first forced words before anything is read."""
    seconds: float | None = None
    answer = ""
    began = time.perf_counter()
    async with aclosing(engine.generate(job)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Written):
                assert seconds is not None, "there was no answer"
                return FirstPiece(seconds, answer, piece)
            if not isinstance(piece, Reading):
                answer += piece
                seconds = time.perf_counter() - began if seconds is None else seconds
    raise AssertionError("the engine never said how it ended")
