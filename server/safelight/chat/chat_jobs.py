"""Tells a chat how the long pieces of work go on that its calls began."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from safelight.wire.models import Job, JobEvent

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.chat.log import EventLog
    from safelight.jobs.jobs import Jobs

__all__ = ("BETWEEN_S", "ChatJobs")

logger = logging.getLogger(__name__)

BETWEEN_S: Final = 1.0
"""The least time between two events that tell of progress alone."""

_ENDED: Final = frozenset({"done", "failed", "cancelled"})


class _Followed:
    def __init__(self, job: Job) -> None:
        self.job = job
        self.moved = asyncio.Event()
        self.turned = asyncio.Event()
        """Set when there is more to tell than progress: another state, or the end of the chat."""

    def take(self, job: Job) -> None:
        if job.state != self.job.state:
            self.turned.set()
        self.job = job
        self.moved.set()


class ChatJobs:
    """Logs a ``job`` event when a job is first heard of, at each change of its state, and at most once a second in
    between, until it has ended or the chat is closed."""

    def __init__(self, jobs: Jobs, log: EventLog, between_s: float = BETWEEN_S) -> None:
        self._jobs = jobs
        self._log = log
        self._between_s = between_s
        self._followed: dict[str, _Followed] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unobserve: Callable[[], None] | None = None
        self._closed = False

    @property
    def following(self) -> bool:
        """Whether there is a job of which more is to be told."""
        return bool(self._followed)

    def follow(self, job_id: str) -> None:
        """Tell of this job from here on. Nothing for one that nobody knows, or that is followed already."""
        job = self._jobs.get(job_id)
        if self._closed or job is None or job_id in self._followed:
            return
        if self._unobserve is None:
            self._unobserve = self._jobs.observe(self._observed)
        followed = self._followed[job_id] = _Followed(job)
        task = asyncio.create_task(self._tell(followed), name=f"follow {job_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Tell no more. When this returns nothing of it is on its way to the log either."""
        self._closed = True
        for followed in self._followed.values():
            followed.moved.set()
            followed.turned.set()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _observed(self, job: Job) -> None:
        if (followed := self._followed.get(job.job_id)) is not None:
            followed.take(job)

    async def _tell(self, followed: _Followed) -> None:
        try:
            while not self._closed:
                followed.moved.clear()
                followed.turned.clear()
                job = followed.job
                await self._log.append(_as_event(job))
                if job.state in _ENDED:
                    break
                await self._pause(followed)
                await followed.moved.wait()
        except Exception:  # the border between a chat that tells of a job and the job
            logger.exception("A job could not be followed")
        finally:
            self._leave(followed.job.job_id)

    async def _pause(self, followed: _Followed) -> None:
        try:
            async with asyncio.timeout(self._between_s):
                await followed.turned.wait()
        except TimeoutError:
            pass

    def _leave(self, job_id: str) -> None:
        del self._followed[job_id]
        if not self._followed and self._unobserve is not None:
            self._unobserve()
            self._unobserve = None


def _as_event(job: Job) -> JobEvent:
    return JobEvent(seq=0, job_id=job.job_id, kind=job.kind, state=job.state, done=job.done, total=job.total)
