"""An event loop that runs what is ready in random order, by a seed, and whose time passes when nobody can go on.

Whenever several callbacks are ready - the next steps of tasks, answers of the database, wake-ups - the dice choose
which of them goes on. Work for threads is done at once, on its thread, and its end is one more thing that is ready. So
a run depends on the seed alone, and can be had again.
"""

from __future__ import annotations

import asyncio
import contextvars
import random
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar

__all__ = ("InterleavingLoop", "run_interleaved")

T = TypeVar("T")


class _Selector(selectors.SelectSelector):
    """Never waits: where it should, the loop's time jumps to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if found or timeout == 0:
            return found
        if timeout is None:
            raise RuntimeError("everybody waits for somebody else, and nobody can go on")
        self.now += timeout
        return []


class InterleavingLoop(asyncio.SelectorEventLoop):
    """``choices`` counts how often more than one could have gone on."""

    def __init__(self, seed: int) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)
        self._dice = random.Random(seed)
        self._pool: list[tuple[asyncio.Handle, Callable[..., object], tuple[Any, ...]]] = []
        self.choices = 0

    def time(self) -> float:
        return self._clock.now

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        context = context or contextvars.copy_context()
        handle = asyncio.Handle(callback, args, self, context)
        self._pool.append((handle, lambda *given: context.run(callback, *given), args))
        super().call_soon(self._proceed)
        return handle

    def _proceed(self) -> None:
        self.choices += len(self._pool) > 1
        handle, callback, args = self._pool.pop(self._dice.randrange(len(self._pool)))
        if not handle.cancelled():
            callback(*args)

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        ended = self.create_future()
        try:
            value = func(*args) if executor is None else executor.submit(func, *args).result()
        except Exception as error:  # noqa: BLE001  # handed over to who waits
            self.call_soon(_hand_over, ended, None, error)
        else:
            self.call_soon(_hand_over, ended, value, None)
        return ended


def _hand_over(ended: asyncio.Future[Any], value: Any, error: Exception | None) -> None:
    if ended.done():
        return
    if error is None:
        ended.set_result(value)
    else:
        ended.set_exception(error)


def run_interleaved(seed: int, main: Coroutine[Any, Any, T]) -> T:
    """Run ``main`` to its end on a loop of its own."""
    with asyncio.Runner(loop_factory=lambda: InterleavingLoop(seed)) as runner:
        return runner.run(main)
