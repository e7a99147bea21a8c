"""Which Lightroom the service works with, how it is reached, and when it counts as gone."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import UNSET

from safelight.bridge.bridge import Bridge
from safelight.bridge.presence import HUNG_UP_S
from safelight.bridge.refusals import HelloNeeded, Superseded
from safelight.errors import BridgeError
from safelight.wire.models import BridgeHello, BridgePoll
from tests.bridge.clock import Clock
from tests.requirement import requirement


def hello(
    session: str = "s1", generation: int = 1, catalog_id: str = "cat", hold_s: float | None = None
) -> BridgeHello:
    return BridgeHello(
        protocol=1,
        session=session,
        generation=generation,
        plugin_version="1.0",
        lightroom_version="14.1",
        catalog_id=catalog_id,
        catalog_path=f"/photos/{catalog_id}.lrcat",
        hold_s=UNSET if hold_s is None else hold_s,
    )


def poll(session: str = "s1", generation: int = 1, hold_s: float | None = None) -> BridgePoll:
    return BridgePoll(session=session, generation=generation, seen=[], hold_s=UNSET if hold_s is None else hold_s)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def bridge(clock: Clock) -> Bridge:
    return Bridge(clock=clock)


async def code_of(call: asyncio.Task[object]) -> str:
    with pytest.raises(BridgeError) as caught:
        await call
    return caught.value.tool_code


@requirement("bridge.long-poll")
@pytest.mark.parametrize(("wish", "granted"), [(None, 20.0), (60.0, 20.0), (5.0, 5.0), (0.0, 0.0)])
async def test_the_hold_is_the_shorter_of_what_both_sides_can_do(
    bridge: Bridge, wish: float | None, granted: float
) -> None:
    welcome = bridge.hello(hello(hold_s=wish))
    assert (welcome.hold_s, welcome.busy_poll_s, welcome.idle_poll_s) == (granted, 0.05, 1)
    assert bridge.transport == ("long_poll" if granted else "short_poll")


@requirement("bridge.long-poll")
async def test_a_poll_that_asks_not_to_be_held_is_answered_at_once(bridge: Bridge) -> None:
    bridge.hello(hello())
    async with asyncio.timeout(1):
        assert (await bridge.poll(poll(hold_s=0))).command is UNSET
    assert bridge.transport == "short_poll"
    held = asyncio.create_task(bridge.poll(poll(hold_s=20)))
    await asyncio.sleep(0)
    assert (held.done(), bridge.transport) == (False, "long_poll")
    bridge.closing()
    await held


async def test_a_poll_may_ask_for_a_shorter_hold_than_was_agreed(bridge: Bridge, clock: Clock) -> None:
    bridge.hello(hello())
    held = asyncio.create_task(bridge.poll(poll(hold_s=3)))
    await asyncio.sleep(0)
    clock.advance(2.9)
    bridge.tick()
    await asyncio.sleep(0)
    assert not held.done()
    clock.advance(0.1)
    bridge.tick()
    async with asyncio.timeout(1):
        assert (await held).command is UNSET


async def test_a_plugin_that_polls_in_short_intervals_is_missed_sooner(bridge: Bridge, clock: Clock) -> None:
    bridge.hello(hello())
    await bridge.poll(poll(hold_s=0))
    clock.advance(9.9)
    assert bridge.connected
    clock.advance(0.2)
    assert not bridge.connected


@requirement("bridge.delivery")
async def test_lightroom_that_quits_in_mid_poll_is_missed_at_once(bridge: Bridge, clock: Clock) -> None:
    bridge.hello(hello())
    request = poll()
    held = asyncio.create_task(bridge.poll(request))
    await asyncio.sleep(0)
    bridge.hung_up(request)
    assert (await held).command is UNSET
    waiting = asyncio.create_task(bridge.call("get_state", {}))
    await asyncio.sleep(0)
    assert not waiting.done(), "it may only be a line that was cut"
    clock.advance(HUNG_UP_S)
    bridge.tick()
    assert await code_of(waiting) == "PLUGIN_OFFLINE"


async def test_a_plugin_whose_line_was_cut_gets_the_command_with_its_next_poll(bridge: Bridge, clock: Clock) -> None:
    bridge.hello(hello())
    request = poll()
    held = asyncio.create_task(bridge.poll(request))
    await asyncio.sleep(0)
    bridge.hung_up(request)
    await held
    waiting = asyncio.create_task(bridge.call("get_state", {}))
    await asyncio.sleep(0)
    clock.advance(1.0)
    work = await bridge.poll(poll())
    assert work.command is not UNSET
    clock.advance(HUNG_UP_S)
    bridge.tick()
    assert bridge.connected
    bridge.closing()
    assert await code_of(waiting) == "PLUGIN_OFFLINE"


async def test_an_older_poll_that_is_cut_says_nothing_about_the_newer_one(bridge: Bridge, clock: Clock) -> None:
    bridge.hello(hello())
    older, newer = poll(), poll()
    tasks = [asyncio.create_task(bridge.poll(request)) for request in (older, newer)]
    await asyncio.sleep(0)
    bridge.hung_up(older)
    clock.advance(HUNG_UP_S)
    bridge.tick()
    assert bridge.connected
    assert not tasks[1].done()
    bridge.closing()
    await asyncio.gather(*tasks)


@requirement("bridge.identity")
async def test_of_two_lightrooms_the_newer_wins_and_the_older_ends_for_good(bridge: Bridge) -> None:
    bridge.hello(hello("first", catalog_id="a"))
    held = asyncio.create_task(bridge.poll(poll("first")))
    await asyncio.sleep(0)
    bridge.hello(hello("second", catalog_id="b"))
    with pytest.raises(Superseded):
        await held
    for _ in range(3):
        with pytest.raises(Superseded):
            bridge.hello(hello("first", catalog_id="a"))
        with pytest.raises(Superseded):
            await bridge.poll(poll("first"))
    assert bridge.catalog is not None
    assert bridge.catalog.catalog_id == "b"


@requirement("bridge.identity")
async def test_a_person_can_bring_the_older_lightroom_back(bridge: Bridge) -> None:
    bridge.hello(hello("first", generation=4, catalog_id="a"))
    bridge.hello(hello("second", generation=9, catalog_id="b"))
    bridge.hello(hello("first", generation=5, catalog_id="a"))
    assert bridge.catalog is not None
    assert bridge.catalog.catalog_id == "a"
    with pytest.raises(Superseded):
        bridge.hello(hello("second", generation=9, catalog_id="b"))


@requirement("bridge.identity")
async def test_commands_for_the_catalog_of_the_older_lightroom_are_not_run_in_the_newer(bridge: Bridge) -> None:
    bridge.hello(hello("first", catalog_id="a"))
    running = asyncio.create_task(bridge.call("write_photos", {}))
    await asyncio.sleep(0)
    await bridge.poll(poll("first"))
    waiting = asyncio.create_task(bridge.call("write_photos", {}))
    await asyncio.sleep(0)
    bridge.hello(hello("second", catalog_id="b"))
    assert await code_of(running) == "TIMEOUT_UNKNOWN_OUTCOME"
    assert await code_of(waiting) == "CATALOG_CHANGED"
    assert (await bridge.poll(poll("second", hold_s=0))).command is UNSET


@requirement("bridge.delivery")
async def test_after_a_restart_of_the_service_a_loop_is_asked_for_its_hello(clock: Clock) -> None:
    bridge = Bridge(clock=clock)
    with pytest.raises(HelloNeeded):
        await bridge.poll(poll("first"))
    bridge.hello(hello("another"))
    with pytest.raises(HelloNeeded):
        await bridge.poll(poll("first"))
