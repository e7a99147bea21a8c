"""One engine at a time: the memory of a laptop holds one model."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from safelight.engines.llama import LlamaEngine
from safelight.engines.memory import check_memory
from safelight.errors import ContextTooSmall, ModelError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from safelight.engines.engine import EngineSettings, LocalEngine

__all__ = ("IDLE_S", "Slots", "engine_of")

logger = logging.getLogger(__name__)

IDLE_S: Final = 600.0
"""An engine that nobody has used for so many seconds frees its memory."""

_CLOSED: Final = "Safelight is being stopped. Start it again, then send the message again."


def engine_of(settings: EngineSettings) -> LocalEngine:
    """An engine of the kind that ``settings`` name. It loads nothing before its first job."""
    if settings.kind == "mlx":
        from safelight.engines.mlx import MlxEngine

        return MlxEngine(settings)
    return LlamaEngine(settings)


class Slots:
    """Lends the engine. Nobody keeps one beyond a turn, so that it can be swapped and unloaded."""

    def __init__(
        self,
        make: Callable[[EngineSettings], LocalEngine] = engine_of,
        *,
        check: Callable[[EngineSettings], None] = check_memory,
        idle_s: float | None = IDLE_S,
    ) -> None:
        """``check`` raises ``ModelError`` when there is too little memory, and runs off the event loop. With ``idle_s``
        None an engine stays loaded until another is wanted."""
        self._make = make
        self._check = check
        self._idle_s = idle_s
        self._lent = asyncio.Lock()
        self._engine: LocalEngine | None = None
        self._settings: EngineSettings | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    @asynccontextmanager
    async def engine_for(self, settings: EngineSettings) -> AsyncGenerator[LocalEngine, None]:
        """The engine for ``settings``: the loaded one where they are equal, otherwise a new one in its place. Waits
        while others have it, in the order in which they came. Raises ``ModelError`` when there is too little memory.

        An engine that fails within the block is not kept, unless only the conversation was too long for it."""
        async with self._lent:
            self._stay()
            engine = await self._ready(settings)
            try:
                yield engine
            except ContextTooSmall:
                raise
            except Exception:
                self._leave()
                raise
            finally:
                self._wait_for_the_next()

    async def close(self) -> None:
        """Stops what runs and frees the memory. Nothing is lent any more."""
        self._closed = True
        self._stay()
        self._leave()
        await self._left()

    async def _ready(self, settings: EngineSettings) -> LocalEngine:
        if self._closed:
            raise ModelError(_CLOSED)
        if self._settings != settings:
            self._leave()
        await self._left()
        if self._engine is None:
            await asyncio.to_thread(self._check, settings)
            if self._closed:
                raise ModelError(_CLOSED)
            self._engine, self._settings = self._make(settings), settings
        return self._engine

    def _leave(self) -> None:
        """The engine begins to free its memory; the next one waits for that, whoever is cancelled meanwhile."""
        engine, self._engine, self._settings = self._engine, None, None
        if engine is not None:
            self._leaving = asyncio.create_task(_freed(engine, self._leaving), name="unload model")

    async def _left(self) -> None:
        while self._leaving is not None and not self._leaving.done():
            await asyncio.shield(self._leaving)

    def _stay(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _wait_for_the_next(self) -> None:
        if self._engine is not None and self._idle_s is not None:
            self._idle = asyncio.get_running_loop().call_later(self._idle_s, self._leave)


async def _freed(engine: LocalEngine, earlier: asyncio.Task[None] | None) -> None:
    if earlier is not None:
        await earlier
    try:
        await engine.close()
    except Exception:  # the others are to be had all the same
        logger.exception("A model could not be unloaded")
