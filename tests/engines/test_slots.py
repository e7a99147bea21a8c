"""One engine at a time, lent for a turn, unloaded when nobody needs it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from safelight.engines.engine import EngineSettings, Job, Reading, Written
from safelight.engines.slots import IDLE_S, Slots, engine_of
from safelight.errors import ContextTooSmall, ModelError
from tests.requirement import requirement

ONE = EngineSettings(path=Path("one.gguf"))
TWO = EngineSettings(path=Path("two.gguf"))


class Engine:
    """Notes only that it was made and closed; ``slow`` engines free their memory when they are let."""

    context_window = 1
    sees = False

    def __init__(self, settings: EngineSettings, log: list[str], slow: asyncio.Event | None = None) -> None:
        self._name = settings.path.stem
        self._log = log
        self._slow = slow
        log.append(f"made {self._name}")

    async def generate(self, job: Job) -> AsyncGenerator[str | Reading | Written, None]:
        yield ""

    async def likelihoods(self, openings: tuple[str, ...], text: str) -> tuple[float, ...]:
        return ()

    async def close(self) -> None:
        if self._slow is not None:
            await self._slow.wait()
        self._log.append(f"closed {self._name}")


def fits(settings: EngineSettings) -> None:
    """Memory without end."""


def slots_of(log: list[str], *, idle_s: float | None = IDLE_S, slow: asyncio.Event | None = None) -> Slots:
    return Slots(lambda settings: Engine(settings, log, slow), check=fits, idle_s=idle_s)


async def use(slots: Slots, *settings: EngineSettings) -> None:
    for one in settings:
        async with slots.engine_for(one):
            pass


def let_pass(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """The event loop's own clock goes on by so much, at once."""
    loop = asyncio.get_running_loop()
    clock = loop.time
    monkeypatch.setattr(loop, "time", lambda: clock() + seconds)


@requirement("engine.slots")
async def test_equal_settings_reuse_the_engine_and_others_swap_it() -> None:
    log: list[str] = []
    slots = slots_of(log)
    await use(slots, ONE, EngineSettings(path=Path("one.gguf")), TWO, ONE)
    await slots.close()
    assert log == ["made one", "closed one", "made two", "closed two", "made one", "closed one"]


@requirement("engine.slots")
async def test_an_engine_in_use_is_not_swapped_away_and_those_who_wait_come_in_their_order() -> None:
    log: list[str] = []
    slots = slots_of(log)

    async def turn(name: str, settings: EngineSettings) -> None:
        async with slots.engine_for(settings):
            log.append(name)
            await asyncio.sleep(0)

    async with slots.engine_for(ONE):
        waiting = [asyncio.create_task(turn(name, settings)) for name, settings in (("b", TWO), ("c", ONE), ("d", TWO))]
        await asyncio.sleep(0)
        log.append("a")
    await asyncio.gather(*waiting)
    used = [word for word in log if len(word) == 1]
    assert used == ["a", "b", "c", "d"]
    assert log[:4] == ["made one", "a", "closed one", "made two"]


@requirement("engine.slots")
async def test_a_turn_that_is_cancelled_while_it_waits_gives_its_place_back() -> None:
    log: list[str] = []
    slots = slots_of(log)
    async with slots.engine_for(ONE):
        cancelled, next_one = (asyncio.create_task(use(slots, settings)) for settings in (TWO, ONE))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.gather(cancelled, return_exceptions=True)
    async with asyncio.timeout(5):
        await next_one
    assert log == ["made one"]


@requirement("engine.slots")
async def test_a_turn_that_is_cancelled_while_the_old_model_leaves_lets_no_two_be_loaded_at_once() -> None:
    log: list[str] = []
    slow = asyncio.Event()
    slots = slots_of(log, slow=slow)
    await use(slots, ONE)
    impatient = asyncio.create_task(use(slots, TWO))
    await asyncio.sleep(0)
    impatient.cancel()
    await asyncio.gather(impatient, return_exceptions=True)
    next_one = asyncio.create_task(use(slots, TWO))
    await asyncio.sleep(0)
    assert log == ["made one"]
    slow.set()
    await next_one
    assert log == ["made one", "closed one", "made two"]


@requirement("engine.slots")
async def test_an_engine_that_nobody_has_used_for_a_while_frees_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    slots = slots_of(log, idle_s=60)
    await use(slots, ONE)
    let_pass(monkeypatch, 50)
    await asyncio.sleep(0)
    await use(slots, ONE)
    let_pass(monkeypatch, 50)
    await asyncio.sleep(0)
    assert log == ["made one"], "the time begins anew with each use"
    async with slots.engine_for(ONE):
        let_pass(monkeypatch, 1_000)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert log == ["made one"], "one in use is not idle"
    let_pass(monkeypatch, 61)
    for _ in range(10):
        await asyncio.sleep(0)
    assert log == ["made one", "closed one"]
    await use(slots, ONE)
    assert log == ["made one", "closed one", "made one"]


@requirement("engine.slots")
async def test_an_engine_stays_loaded_where_the_person_wants_it_so(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    slots = slots_of(log, idle_s=None)
    await use(slots, ONE)
    let_pass(monkeypatch, 1e9)
    for _ in range(10):
        await asyncio.sleep(0)
    assert log == ["made one"]


@requirement("engine.slots")
async def test_an_engine_that_fails_is_not_kept_and_a_conversation_that_is_too_long_does_not_cost_it() -> None:
    log: list[str] = []
    slots = slots_of(log)
    with pytest.raises(ContextTooSmall):
        async with slots.engine_for(ONE):
            raise ContextTooSmall("too long")
    with pytest.raises(ModelError, match="could not be loaded"):
        async with slots.engine_for(ONE):
            raise ModelError("one.gguf could not be loaded")
    await use(slots, ONE)
    assert log == ["made one", "closed one", "made one"]


@requirement("engine.slots")
async def test_a_model_that_does_not_fit_is_refused_before_it_is_made_and_another_can_be_had() -> None:
    log: list[str] = []

    def check(settings: EngineSettings) -> None:
        log.append(f"checked {settings.path.stem}")
        if settings == TWO:
            raise ModelError("two.gguf does not fit into memory")

    slots = Slots(lambda settings: Engine(settings, log), check=check)
    await use(slots, ONE)
    with pytest.raises(ModelError, match="does not fit"):
        await use(slots, TWO)
    await use(slots, ONE, ONE)
    assert log == ["checked one", "made one", "closed one", "checked two", "checked one", "made one"]


@requirement("engine.slots")
async def test_an_engine_that_cannot_be_made_or_closed_holds_nobody_up() -> None:
    log: list[str] = []

    class Clinging(Engine):
        async def close(self) -> None:
            raise OSError("it clings")

    def make(settings: EngineSettings) -> Engine:
        if settings == TWO:
            raise ModelError("no such kind here")
        return Clinging(settings, log)

    slots = Slots(make, check=fits)
    await use(slots, ONE)
    with pytest.raises(ModelError, match="no such kind"):
        await use(slots, TWO)
    await use(slots, ONE)
    assert log == ["made one", "made one"]


@requirement("engine.slots")
async def test_the_end_of_the_service_frees_what_is_lent_and_what_waits_is_told() -> None:
    log: list[str] = []
    slots = slots_of(log)
    async with slots.engine_for(ONE):
        waiting = asyncio.create_task(use(slots, TWO))
        await asyncio.sleep(0)
        await slots.close()
        assert log == ["made one", "closed one"]
    with pytest.raises(ModelError, match="being stopped"):
        await waiting
    await slots.close()
    assert log == ["made one", "closed one"]


@requirement("engine.slots")
async def test_one_door_makes_both_kinds_of_engine_and_loads_nothing_yet(tmp_path: Path) -> None:
    for kind, name in (("llama", "LlamaEngine"), ("mlx", "MlxEngine")):
        engine = engine_of(EngineSettings(kind="mlx" if kind == "mlx" else "llama", path=tmp_path / "gone"))
        assert type(engine).__name__ == name
        await engine.close()
