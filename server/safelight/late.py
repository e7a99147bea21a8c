"""A value that is there later."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar, cast

__all__ = ("Late",)

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
