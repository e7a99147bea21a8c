"""An engine that writes prepared answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from safelight.engines.engine import Job, LocalEngine, Written

__all__ = ("FakeEngine",)


class FakeEngine:
    """Writes ``answers`` one after another, in pieces of three characters, and keeps the jobs. The opening that holds
    ``likely`` scores best."""

    context_window = 4_096
    sees = False

    def __init__(self, *answers: str, likely: str = "small talk", finish_early: bool = False) -> None:
        self.jobs: list[Job] = []
        self.messages: list[str] = []
        self.stopped = 0
        self._answers = list(answers)
        self._likely = likely
        self._finish_early = finish_early

    async def generate(self, job: Job) -> AsyncGenerator[str | Written, None]:
        self.jobs.append(job)
        answer = self._answers.pop(0)
        try:
            for start in range(0, len(answer), 3):
                yield answer[start : start + 3]
            yield Written(
                finish="length" if self._finish_early else "stop",
                prompt_tokens=100,
                cached_tokens=60,
                completion_tokens=9,
                forced_tokens=4,
                context_window=self.context_window,
            )
        finally:
            self.stopped += 1

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        self.messages.append(text)
        words = len(text.split())
        return tuple(words * (-1.0 if self._likely in opening else -2.0) for opening in openings)

    async def close(self) -> None:
        """Nothing is held."""

    @asynccontextmanager
    async def borrow(self) -> AsyncGenerator[LocalEngine, None]:
        """What ``LocalChatModel`` asks for."""
        yield self
