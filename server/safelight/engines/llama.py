"""llama.cpp behind ``LocalEngine``: one worker thread owns the model, the event loop never waits for it."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from safelight.engines.packaged import put_together
from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from safelight.engines.engine import EngineSettings, Job, Reading, Written
    from safelight.engines.llama_runtime import LlamaRuntime

__all__ = ("LlamaEngine",)

T = TypeVar("T")


class LlamaEngine:
    """Loads the model with the first job, off the event loop."""

    def __init__(self, settings: EngineSettings) -> None:
        self._settings = settings
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="llama")
        self._closing = threading.Event()
        self._runtime: LlamaRuntime | None = None

    @property
    def context_window(self) -> int:
        """The loaded model's; before that, the one asked for."""
        settings = self._settings
        return self._runtime.window if self._runtime else settings.context_tokens // max(settings.parallel, 1)

    @property
    def sees(self) -> bool:
        """See ``LocalEngine.sees``."""
        return self._settings.projector is not None

    async def generate(self, job: Job) -> AsyncGenerator[str | Reading | Written, None]:
        """See ``LocalEngine.generate``."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[str | Reading | None] = asyncio.Queue()
        stop = threading.Event()

        def work() -> Written:
            try:
                return self._loaded().answer(job, lambda piece: hand_over(piece), stop)
            finally:
                hand_over(None)

        def hand_over(piece: str | Reading | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(pieces.put_nowait, piece)

        running = self._submit(work)
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            yield await running
        finally:
            stop.set()
            if not running.done():
                await asyncio.wait([running])

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        """See ``LocalEngine.likelihoods``."""
        stop = threading.Event()
        running = self._submit(lambda: self._loaded().likelihoods(openings, text, stop))
        try:
            return await asyncio.shield(running)
        finally:
            stop.set()
            if not running.done():
                await asyncio.wait([running])
                running.exception()

    async def close(self) -> None:
        """See ``LocalEngine.close``."""
        if self._closing.is_set():
            return
        self._closing.set()
        await asyncio.get_running_loop().run_in_executor(self._worker, self._free)
        self._worker.shutdown(wait=False)

    def _submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        if self._closing.is_set():
            raise ModelError("The model has been unloaded. Send the message again.")
        return asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _loaded(self) -> LlamaRuntime:
        if self._closing.is_set():
            raise ModelError("The model has been unloaded. Send the message again.")
        if self._runtime is None:
            from safelight.engines.llama_runtime import LlamaRuntime

            if self._settings.parts:
                put_together(self._settings.path, self._settings.parts, self._settings.sha256)
            self._runtime = LlamaRuntime(self._settings, self._closing)
        return self._runtime

    def _free(self) -> None:
        runtime, self._runtime = self._runtime, None
        if runtime is not None:
            runtime.close()
