"""Runs the plug-in's tasks: one thread that owns Lua, a queue of what is ready, timers, and the catalog's write gate.

Other threads hand in work with ``post`` or ``call``. With a manual clock nothing waits for real time: ``advance`` moves
the clock from timer to timer.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections import deque
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from safelight.lightroom.clock import Clock, ManualClock
from safelight.lightroom.write_gate import WriteGate

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ("Scheduler",)

R = TypeVar("R")

_log = logging.getLogger(__name__)


def _safely(action: Callable[[], None]) -> None:
    """One failure must not end the thread that everything runs in."""
    try:
        action()
    except Exception:  # noqa: BLE001 - logged with its traceback
        _log.exception("an action of the simulated Lightroom failed")


class Scheduler:
    """``step(task, values)`` resumes a task once; it is called in the scheduler's thread only."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.step: Callable[[int, tuple[object, ...]], None] = lambda task, values: None
        self.gate = WriteGate(self)
        self._ready: deque[tuple[int, tuple[object, ...]]] = deque()
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._inbox: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._numbers = itertools.count(1)
        self._outside = 0
        self._dialog_until = 0.0
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="lightroom", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def new_task(self) -> int:
        """A number for a new task, which is ready to run."""
        task = next(self._numbers)
        self._ready.append((task, ()))
        return task

    def resume(self, task: int, *values: object) -> None:
        self._ready.append((task, values))

    def resume_after_dialog(self, task: int) -> None:
        """Resumes a task that wants to read the catalog: once no modal dialog is open."""
        seconds = self._dialog_until - self.clock.now()
        if seconds > 0:
            self.after(seconds, lambda: self.resume_after_dialog(task))
        else:
            self.resume(task)

    def show_dialog(self, seconds: float) -> None:
        """A modal dialog holds the catalog for that long."""
        self._dialog_until = self.clock.now() + seconds
        self.gate.busy_for(seconds)

    def must_wait(self) -> bool:
        """Whether a task that wants to read the catalog has to wait first."""
        return self.has_ready() or self.clock.now() < self._dialog_until

    def has_ready(self) -> bool:
        """Whether another task waits for its turn or another thread for an ear."""
        return bool(self._ready) or not self._inbox.empty()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._timers, (self.clock.now() + max(0.0, seconds), next(self._numbers), action))

    def outside(self) -> Callable[[Callable[[], None]], None]:
        """Registers work that another thread does; what is returned hands in its end, once."""
        self._outside += 1

        def finish(action: Callable[[], None]) -> None:
            def arrive() -> None:
                self._outside -= 1
                action()

            self.post(arrive)

        return finish

    def post(self, action: Callable[[], None]) -> None:
        """Has ``action`` run in the scheduler's thread; from any thread."""
        self._inbox.put(action)

    def call(self, function: Callable[[], R], timeout: float | None = 30.0) -> R:
        """Runs ``function`` in the scheduler's thread and waits for its result or error."""
        if threading.current_thread() is self._thread:
            return function()
        future: Future[R] = Future()

        def run() -> None:
            try:
                future.set_result(function())
            except Exception as error:  # noqa: BLE001 - handed to the caller, who sees it raised
                future.set_exception(error)

        self.post(run)
        return future.result(timeout)

    def advance(self, seconds: float, patience: float) -> None:
        """Lets virtual time pass: every timer up to then fires, in order, with all that follows from it.

        ``patience`` is how long an HTTP answer is waited for, in real seconds, before time moves on without it.
        """
        clock = self.clock
        if not isinstance(clock, ManualClock):
            raise TypeError("only a manual clock can be moved")
        self.call(lambda: self._advance(clock, clock.now() + seconds, patience))

    def close(self) -> None:
        """Ends the thread after the step that is running; tasks that wait are dropped."""

        def end() -> None:
            self._is_closed = True

        self.post(end)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(5.0)

    def _run(self) -> None:
        while not self._is_closed:
            self._take_posted(self._seconds_to_wait())
            self._fire_due()
            if self._ready:
                self._step_one()

    def _seconds_to_wait(self) -> float | None:
        if self._ready:
            return 0.0
        if self.clock.is_manual or not self._timers:
            return None
        return max(0.0, self._timers[0][0] - self.clock.now())

    def _take_posted(self, seconds: float | None) -> bool:
        taken = False
        try:
            while True:
                wait = seconds if not taken else 0.0
                action = self._inbox.get_nowait() if wait == 0.0 else self._inbox.get(timeout=wait)
                taken = True
                _safely(action)
        except Empty:
            return taken

    def _fire_due(self) -> None:
        while self._timers and self._timers[0][0] <= self.clock.now():
            _safely(heapq.heappop(self._timers)[2])

    def _step_one(self) -> None:
        task, values = self._ready.popleft()
        self.step(task, values)

    def _advance(self, clock: ManualClock, until: float, patience: float) -> None:
        while not self._is_closed:
            self._settle(patience)
            if not self._timers or self._timers[0][0] > until:
                clock.move_to(until)
                return
            clock.move_to(self._timers[0][0])
            self._fire_due()

    def _settle(self, patience: float) -> None:
        while not self._is_closed:
            if self._ready:
                self._step_one()
            elif not self._take_posted(patience if self._outside else 0.0):
                return
