"""MLX behind ``LocalEngine``: the model runs in a process of its own, which may die without the service."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from typing import TYPE_CHECKING, Final

from safelight.engines.engine import Reading
from safelight.engines.mlx_folder import CONFIG, mlx_facts, read_config
from safelight.engines.mlx_process import PATIENCE, Patience, Sidecar
from safelight.engines.mlx_restarts import restarts_of
from safelight.engines.mlx_sidecar import protocol as wire
from safelight.errors import ContextTooSmall, ModelError, ModelMissing

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from safelight.engines.engine import EngineSettings, Job, Written

__all__ = ("COMMAND", "MlxEngine")

COMMAND: Final = (sys.executable, "-P", "-m", "safelight.engines.mlx_sidecar")

_ERRORS: Final[dict[wire.FailureKind, type[ModelError]]] = {
    "failed": ModelError,
    "missing": ModelMissing,
    "too_small": ContextTooSmall,
}


class MlxEngine:
    """Starts the process and loads the model with the first job, and again with the next one after a crash. Pictures
    are left out: ``sees`` says so. MLX itself knows how many ``threads`` it wants."""

    def __init__(
        self, settings: EngineSettings, *, command: tuple[str, ...] = COMMAND, patience: Patience = PATIENCE
    ) -> None:
        self._settings = settings
        self._command = command
        self._patience = patience
        self._one_at_a_time = asyncio.Lock()
        self._sidecar: Sidecar | None = None
        self._restarts = restarts_of(settings.path)
        self._closed = False
        wished = settings.context_tokens // settings.parallel
        made_for = mlx_facts(read_config(settings.path / CONFIG) or {}, "").context_window
        self._window = min(wished, made_for or wished)

    @property
    def context_window(self) -> int:
        """The smaller of the one asked for and the one that the model was made for."""
        return self._window

    @property
    def pid(self) -> int | None:
        """The process, None while there is none."""
        return self._sidecar.pid if self._sidecar is not None else None

    @property
    def sees(self) -> bool:
        """Never: mlx-lm reads text alone."""
        return False

    async def generate(self, job: Job) -> AsyncGenerator[str | Reading | Written, None]:
        """See ``LocalEngine.generate``."""
        async with self._one_at_a_time:
            sidecar = await self._ready()
            async with sidecar.ask(wire.Chat.of(sidecar.new_id(), job)) as lines:
                async for line in lines:
                    match line:
                        case wire.Delta():
                            yield line.text
                        case wire.ReadOn():
                            yield Reading(line.done, line.total)
                        case wire.Ended():
                            self._restarts.answered()
                            yield line.written
                        case _:
                            raise self._error(line)

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        """See ``LocalEngine.likelihoods``."""
        async with self._one_at_a_time:
            sidecar = await self._ready()
            request = wire.Likelihoods(
                id=sidecar.new_id(), openings=tuple(map(wire.unicode, openings)), text=wire.unicode(text)
            )
            async with sidecar.ask(request) as lines:
                async for line in lines:
                    if isinstance(line, wire.Scores):
                        self._restarts.answered()
                        return line.scores
                    raise self._error(line)
        raise AssertionError("an answer has a last line")

    async def close(self) -> None:
        """See ``LocalEngine.close``. Takes some seconds at most, whatever the process does."""
        self._closed = True
        if (sidecar := self._sidecar) is not None:
            self._sidecar = None
            await sidecar.end()

    async def _ready(self) -> Sidecar:
        """A process that has the model."""
        if self._closed:
            raise ModelError("The model has been unloaded. Send the message again.")
        if self._sidecar is not None and not self._sidecar.alive:
            dead, self._sidecar = self._sidecar, None
            await dead.end()
        if self._sidecar is None:
            self._restarts.check()
            await self._start()
        if self._sidecar is None:
            raise ModelError("The model has been unloaded. Send the message again.")
        return self._sidecar

    async def _start(self) -> None:
        if importlib.util.find_spec("mlx_lm") is None:
            raise ModelError(
                "MLX is not installed. On a Mac with Apple silicon and macOS 14 or later, install it with: pip install "
                "'safelight[mlx]'. On other computers choose a GGUF model, which llama.cpp runs."
            )
        sidecar = await Sidecar.start(self._command, self._patience, self._restarts.crashed)
        if self._closed:
            await sidecar.end()
            return
        self._sidecar = sidecar
        try:
            request = wire.Load(
                id=sidecar.new_id(),
                path=str(self._settings.path),
                context_tokens=self._window,
                grammar=self._settings.grammar,
                cache_dir=str(self._settings.cache_dir) if self._settings.cache_dir else None,
                cache_bytes=self._settings.cache_bytes,
            )
            async with sidecar.ask(request) as lines:
                async for line in lines:
                    if not isinstance(line, wire.Loaded):
                        raise self._error(line)
                    self._window = line.window
        except BaseException:
            if sidecar.alive and self._sidecar is sidecar:
                self._sidecar = None
                await sidecar.end()
            raise

    def _error(self, line: wire.Answer) -> ModelError:
        if isinstance(line, wire.Failed):
            return _ERRORS[line.kind](line.message)
        if self._closed:
            return ModelError("The model has been unloaded. Send the message again.")
        return ModelError(f"The MLX process answered with {type(line).__name__.lower()}. Send the message again.")
