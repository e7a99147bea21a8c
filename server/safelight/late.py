"""What is there later: a value, or a module that takes long to import."""

from __future__ import annotations

import asyncio
import importlib
import threading
from typing import Any, Generic, TypeVar, cast

__all__ = ("Late", "import_aside")

T = TypeVar("T")


class Late(Generic[T]):
    """Set or failed once; everybody who waits gets the value or the error."""

    def __init__(self) -> None:
        self._done = asyncio.Event()
        self._value: T | None = None
        self._error: BaseException | None = None

    def set(self, value: T) -> None:
        self._value = value
        self._done.set()

    def fail(self, error: BaseException) -> None:
        if not self._done.is_set():
            self._error = error
            self._done.set()

    async def get(self) -> T:
        await self._done.wait()
        if self._error is not None:
            raise self._error
        return cast("T", self._value)


async def import_aside(name: str) -> Any:
    """Import a module without holding up the event loop. The thread is a daemon, so that an import that is still going
    on does not hold up the end of the process either."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def hand_over(module: Any, error: Exception | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(module)
        else:
            done.set_exception(error)

    def load() -> None:
        try:
            module, error = importlib.import_module(name), None
        except Exception as failed:  # noqa: BLE001  # handed over to who waits
            module, error = None, failed
        if not loop.is_closed():
            loop.call_soon_threadsafe(hand_over, module, error)

    threading.Thread(target=load, name=f"import {name}", daemon=True).start()
    return await done
