"""One engine at a time: the memory of a laptop holds one model."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from safelight.engines.llama import LlamaEngine

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from safelight.engines.engine import EngineSettings, LocalEngine

__all__ = ("Slots",)


class Slots:
    """Lends the engine. Nobody keeps one beyond a turn, so that it can be swapped."""

    def __init__(self, make: Callable[[EngineSettings], LocalEngine] = LlamaEngine) -> None:
        self._make = make
        self._lent = asyncio.Lock()
        self._engine: LocalEngine | None = None
        self._settings: EngineSettings | None = None

    @asynccontextmanager
    async def engine_for(self, settings: EngineSettings) -> AsyncGenerator[LocalEngine, None]:
        """The engine for ``settings``: the loaded one where they are equal, otherwise a new one in its place. Waits
        while another turn has it."""
        async with self._lent:
            if self._engine is None or self._settings != settings:
                await self._unload()
                self._engine, self._settings = self._make(settings), settings
            yield self._engine

    async def close(self) -> None:
        """Stops what runs and frees the memory."""
        await self._unload()

    async def _unload(self) -> None:
        engine, self._engine, self._settings = self._engine, None, None
        if engine is not None:
            await engine.close()
