"""One engine at a time, lent for a turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

from safelight.engines.engine import EngineSettings, Job, Written
from safelight.engines.slots import Slots
from tests.requirement import requirement

ONE = EngineSettings(path=Path("one.gguf"))
TWO = EngineSettings(path=Path("two.gguf"))


class Engine:
    """Notes only that it was made and closed."""

    context_window = 1

    def __init__(self, settings: EngineSettings, log: list[str]) -> None:
        self._name = settings.path.stem
        self._log = log
        log.append(f"made {self._name}")

    async def generate(self, job: Job) -> AsyncGenerator[str | Written, None]:
        yield ""

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        return ()

    async def close(self) -> None:
        self._log.append(f"closed {self._name}")


@requirement("engine.slots")
async def test_equal_settings_reuse_the_engine_and_others_swap_it() -> None:
    log: list[str] = []
    slots = Slots(lambda settings: Engine(settings, log))
    for settings in (ONE, EngineSettings(path=Path("one.gguf")), TWO, ONE):
        async with slots.engine_for(settings):
            pass
    await slots.close()
    assert log == ["made one", "closed one", "made two", "closed two", "made one", "closed one"]


@requirement("engine.slots")
async def test_an_engine_in_use_is_not_swapped_away() -> None:
    log: list[str] = []
    slots = Slots(lambda settings: Engine(settings, log))

    async def other() -> None:
        async with slots.engine_for(TWO):
            log.append("used two")

    async with slots.engine_for(ONE):
        waiting = asyncio.create_task(other())
        await asyncio.sleep(0)
        log.append("done with one")
    await waiting
    assert log == ["made one", "done with one", "closed one", "made two", "used two"]
