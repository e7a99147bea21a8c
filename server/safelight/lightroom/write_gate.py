"""Who may write to the catalog: one task at a time, in the order of asking, each as long as it will wait."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from safelight.lightroom.scheduler import Scheduler

__all__ = ("WriteGate",)


class WriteGate:
    """Used in the scheduler's thread only. A task that asks is resumed with true when it has the gate, else false."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._owner: int | None = None
        self._busy_until = 0.0
        self._busy_after: tuple[int, float] | None = None
        self._waiting: deque[int] = deque()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def is_free(self) -> bool:
        return self._owner is None and self._scheduler.clock.now() >= self._busy_until

    def ask(self, task: int, timeout: float) -> None:
        self._waiting.append(task)
        self._grant()
        if task in self._waiting:
            self._scheduler.after(timeout, lambda: self._give_up(task))

    def release(self) -> None:
        self._owner = None
        if self._busy_after is not None:
            gates, seconds = self._busy_after
            self._busy_after = (gates - 1, seconds) if gates > 1 else None
            if gates <= 1:
                self.busy_for(seconds)
        self._grant()

    def busy_for(self, seconds: float) -> None:
        """Another part of Lightroom holds the catalog."""
        self._busy_until = self._scheduler.clock.now() + seconds
        self._scheduler.after(seconds, self._grant)

    def busy_after(self, gates: int, seconds: float) -> None:
        """The same, once so many more gates are closed."""
        self._busy_after = (gates, seconds)

    def _grant(self) -> None:
        if self._waiting and self.is_free:
            self._owner = self._waiting.popleft()
            self._scheduler.resume(self._owner, True)

    def _give_up(self, task: int) -> None:
        if task in self._waiting:
            self._waiting.remove(task)
            self._scheduler.resume(task, False)
