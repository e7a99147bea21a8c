"""Stop at the very end of a run, and between two runs: what it says is what happens."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from safelight.chat import toolbox
from safelight.errors import ModelError
from safelight.tools import mcp_server
from safelight.wire.models import BusyEvent, Event, ReturnedMessage, UnqueuedEvent, UserMessageEvent
from tests.chat.interleaving import run_interleaved
from tests.chat.rig import Rig, kind_of, opened_rig, reply
from tests.chat.test_hard_races import is_well_formed, turns_of_the_loop
from tests.requirement import requirement

ROUNDS = 30
"""Runs of one chat, each stopped at another moment."""


@pytest.fixture(params=range(4), autouse=True)
def seed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The SDK, which is imported aside elsewhere, is here already."""
    import mcp

    modules: dict[str, Any] = {"mcp": mcp, "safelight.tools.mcp_server": mcp_server}

    async def at_once(name: str) -> Any:
        return modules[name]

    monkeypatch.setattr(toolbox, "import_aside", at_once)
    yield request.param


@requirement("session.stop")
def test_a_stop_that_is_acknowledged_is_told_also_where_the_model_fails_at_that_moment(
    tmp_path: Path, seed: int
) -> None:
    dice = random.Random(seed)
    outcomes: set[bool] = set()

    async def rounds() -> None:
        async with opened_rig(tmp_path, []) as rig:
            rig.model.fails = ModelError("The model fell over.")
            for number in range(1, ROUNDS + 1):
                before = rig.session.log.head
                await rig.session.send("hello")
                await turns_of_the_loop(dice.randint(0, 25))
                stopping = (await rig.session.stop()).stopping
                await rig.idle(number)
                kinds = await rig.types(before)
                assert kinds.count("stopped") == int(stopping), (number, kinds)
                outcomes.add(stopping)
            is_well_formed(await rig.events())

    run_interleaved(seed, rounds())
    assert outcomes == {True, False}


@requirement("session.stop", "session.queue")
def test_a_stop_between_two_runs_ends_the_next_one_or_gives_its_message_back(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    fates: set[str] = set()

    async def rounds() -> None:
        async with opened_rig(tmp_path, []) as rig:
            for number in range(ROUNDS):
                rig.model.turns, rig.model.requests = [reply("one"), reply("two")], []
                before = rig.session.log.head
                await rig.session.send("first")
                second = (await rig.session.send("second")).message_id
                await turns_of_the_loop(dice.randint(0, 40))
                stopping = await rig.session.stop()
                events = await until_quiet(rig, before)
                said = [event.text for event in events if isinstance(event, UserMessageEvent)]
                left = [event.reason for event in events if isinstance(event, UnqueuedEvent)]
                kinds = [kind_of(event) for event in events]
                assert stopping.stopping or len(rig.model.requests) == 2, (number, kinds)
                assert kinds.count("stopped") == int(stopping.stopping), (number, kinds)
                if said == ["first"]:
                    assert left == ["returned"]
                    assert stopping.returned == [ReturnedMessage(message_id=second, text="second")]
                    fates.add("returned")
                else:
                    assert (left, stopping.returned) == (["delivered"], [])
                    fates.add("delivered")
            is_well_formed(await rig.events())

    run_interleaved(seed, rounds())
    assert fates == {"returned", "delivered"}


async def until_quiet(rig: Rig, before: int) -> list[Event]:
    """Wait until nothing goes on; the events since."""
    async with asyncio.timeout(60):
        while True:
            events = await rig.events(before)
            if not rig.session.busy and isinstance(events[-1], BusyEvent) and not events[-1].busy:
                return events
            await asyncio.sleep(0)
