"""How a run is stopped: what it waits for is let go of at once, also where that does not heed it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from safelight.conversation.loop import StoppedBy

__all__ = ("PATIENCE_S", "StopSignal", "let_go")

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE_S: Final = 0.15
"""How long something that was cancelled may take to end before it is left behind."""

_left_behind: Final[set[asyncio.Task[Any]]] = set()
"""The event loop itself holds its tasks only weakly."""


class StopSignal:
    """Set once, for one run."""

    def __init__(self) -> None:
        self._future: asyncio.Future[StoppedBy] = asyncio.get_running_loop().create_future()

    @property
    def is_set(self) -> bool:
        return self._future.done()

    @property
    def by(self) -> StoppedBy | None:
        """Who set it first; None while it is not set."""
        return self._future.result() if self.is_set else None

    def set(self, by: StoppedBy) -> None:
        if not self.is_set:
            self._future.set_result(by)

    async def unless_set(self, work: Coroutine[Any, Any, T], name: str) -> T | None:
        """What ``work`` comes to; None as soon as the run is stopped, or where the work cancelled itself. Raises what
        the work raises."""
        task = asyncio.create_task(work, name=name)
        if not self.is_set:
            await asyncio.wait({task, self._future}, return_when=asyncio.FIRST_COMPLETED)
        if self.is_set:
            await let_go(task)
            return None
        return None if task.cancelled() else task.result()


async def let_go(task: asyncio.Task[Any]) -> None:
    """Cancel a task whose result nobody wants any more, and return once it has ended, or after a moment while it goes
    on. Never raises what it ends with."""
    task.cancel()
    await asyncio.wait({task}, timeout=PATIENCE_S)
    if task.done():
        _look_at(task)
        return
    began = time.monotonic()
    _left_behind.add(task)
    logger.warning("The task %r does not end although it was stopped; it is left behind", task.get_name())

    def ended(task: asyncio.Task[Any]) -> None:
        _left_behind.discard(task)
        logger.info("The task %r that was left behind ended after %.1f s", task.get_name(), time.monotonic() - began)
        _look_at(task)

    task.add_done_callback(ended)


def _look_at(task: asyncio.Task[Any]) -> None:
    """An error that nobody looks at would be reported by the event loop as forgotten."""
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.info("The task %r failed after it was stopped", task.get_name(), exc_info=error)
