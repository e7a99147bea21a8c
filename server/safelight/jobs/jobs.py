"""Long pieces of work that run beside what people do: each with progress, an end that can be looked up, and a stop."""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import UNSET

from safelight.errors import NotFound, SafelightError
from safelight.wire.models import Job

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ("JobHandle", "JobKind", "Jobs")

logger = logging.getLogger(__name__)

KEPT: Final = 100
"""Ended jobs that are still listed."""

JobKind: TypeAlias = Literal["index", "texts", "pictures", "export"]

_FAILED: Final = "Something went wrong inside Safelight. The log says more."


class JobHandle:
    """What the work of a job says of itself. ``message`` is what was left out, or went wrong, in a sentence."""

    def __init__(self, job_id: str, kind: JobKind, total: int, changed: Callable[[JobHandle], None]) -> None:
        self.job_id = job_id
        self.kind: Final = kind
        self.message: str | None = None
        self.ended = asyncio.Event()
        self._state: Literal["running", "paused", "done", "failed", "cancelled"] = "running"
        self._done = 0
        self._total = total
        self._changed = changed

    @property
    def cancelled(self) -> bool:
        """Whether the work is to end at its next good moment."""
        return self._state == "cancelled"

    @property
    def job(self) -> Job:
        """The job as it is now."""
        message = UNSET if self.message is None else self.message
        return Job(
            job_id=self.job_id, kind=self.kind, state=self._state, done=self._done, total=self._total, message=message
        )

    def progress(self, done: int, total: int) -> None:
        """So much of it is done."""
        self._done, self._total = done, total
        self._changed(self)

    def pause(self, message: str) -> None:
        """The work waits, for a reason. A cancelled job stays cancelled."""
        if self._state == "running":
            self.message = message
            self._enter("paused")

    def resume(self) -> None:
        """The work goes on after a pause."""
        if self._state == "paused":
            self.message = None
            self._enter("running")

    def cancel(self) -> None:
        """Ask the work to end."""
        if not self.ended.is_set():
            self._enter("cancelled")

    def end(self, state: Literal["done", "failed"]) -> None:
        """The work has ended; a cancelled job stays cancelled."""
        self.ended.set()
        self._enter("cancelled" if self.cancelled else state)

    def _enter(self, state: Literal["running", "paused", "done", "failed", "cancelled"]) -> None:
        self._state = state
        self._changed(self)


class Jobs:
    """The jobs of the service, oldest first, with the last 100 that ended."""

    def __init__(self) -> None:
        self._handles: dict[str, JobHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._observers: list[Callable[[Job], None]] = []

    def observe(self, observer: Callable[[Job], None]) -> Callable[[], None]:
        """``observer`` is told of each job that starts, goes on or ends, until what this returns is called."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def start(self, kind: JobKind, total: int, work: Callable[[JobHandle], Awaitable[None]]) -> Job:
        """Begin ``work`` in the background. An error that it raises is the job's message; it is asked to end by
        ``JobHandle.cancelled``, and cut off only when the service closes."""
        handle = JobHandle(f"job_{secrets.token_hex(4)}", kind, total, self._tell)
        self._handles[handle.job_id] = handle
        task = asyncio.create_task(self._run(handle, work), name=f"{kind} job")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._tell(handle)
        return handle.job

    def list(self) -> list[Job]:
        """All jobs, oldest first."""
        return [handle.job for handle in self._handles.values()]

    def get(self, job_id: str) -> Job | None:
        """The job as it is now, where it is still listed."""
        handle = self._handles.get(job_id)
        return None if handle is None else handle.job

    def running(self, kind: JobKind) -> Job | None:
        """The oldest job of a kind that has not ended."""
        return next((h.job for h in self._handles.values() if h.kind == kind and not h.ended.is_set()), None)

    async def wait(self, job_id: str, seconds: float) -> Job:
        """The job at its end, or as it is after so many seconds. Raises ``NotFound``."""
        handle = self._find(job_id)
        try:
            async with asyncio.timeout(seconds):
                await handle.ended.wait()
        except TimeoutError:
            pass
        return handle.job

    def cancel(self, job_id: str) -> Job:
        """Ask a job to end; one that has ended is taken off the list. Raises ``NotFound``."""
        handle = self._find(job_id)
        if handle.ended.is_set():
            del self._handles[job_id]
        handle.cancel()
        return handle.job

    async def close(self) -> None:
        """Cut off what runs."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self, handle: JobHandle, work: Callable[[JobHandle], Awaitable[None]]) -> None:
        try:
            await work(handle)
        except SafelightError as error:
            handle.message = error.message
            handle.end("failed")
        except asyncio.CancelledError:
            handle.cancel()
            handle.end("failed")
            raise
        except Exception:  # the border between a job and a service that must go on
            logger.exception("The job %s failed", handle.kind)
            handle.message = _FAILED
            handle.end("failed")
        else:
            handle.end("done")
        finally:
            self._forget_oldest()

    def _find(self, job_id: str) -> JobHandle:
        handle = self._handles.get(job_id)
        if handle is None:
            raise NotFound("There is no job with this id. List the jobs again.")
        return handle

    def _tell(self, handle: JobHandle) -> None:
        for observer in tuple(self._observers):
            observer(handle.job)

    def _forget_oldest(self) -> None:
        ended = [job_id for job_id, handle in self._handles.items() if handle.ended.is_set()]
        for job_id in ended[: max(0, len(ended) - KEPT)]:
            del self._handles[job_id]
