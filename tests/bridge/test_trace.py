"""The bridge's trace: what was asked of Lightroom, how it ended and how long it took, and nothing of what was said."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from safelight.bridge.bridge import Bridge
from safelight.bridge.trace import KEPT_COMMANDS
from safelight.errors import BridgeError
from tests.bridge.clock import Clock
from tests.bridge.fake_plugin import FakePlugin, photo


async def test_a_command_is_traced_with_its_times_and_its_outcome() -> None:
    clock = Clock()
    bridge = Bridge(clock=clock)
    async with FakePlugin(bridge, [photo(1), photo(2)]) as plugin, asyncio.timeout(5):
        released = plugin.hold("read_photos")
        call = asyncio.create_task(bridge.call("read_photos", {"photo_ids": ["photo-0001", "photo-0002"]}))
        await plugin.reached("read_photos")
        clock.advance(0.25)
        released.set()
        await call
        plugin.fail("write_photos", "CATALOG_BUSY", retriable=True)
        with pytest.raises(BridgeError):
            await bridge.call("write_photos", {"undo_name": "x", "changes": [{"photo_id": "photo-0001"}]})
    newest, oldest = bridge.trace()
    assert (newest.name, newest.kind, newest.outcome, newest.photos) == ("write_photos", "write", "CATALOG_BUSY", 1)
    assert (oldest.name, oldest.kind, oldest.outcome, oldest.photos) == ("read_photos", "read", "ok", 2)
    assert (oldest.queued_ms, oldest.running_ms) == (0.0, 250.0)


async def test_a_command_that_nobody_took_was_only_queued() -> None:
    bridge = Bridge()
    with pytest.raises(BridgeError):
        await bridge.call("get_state", {})
    (only,) = bridge.trace()
    assert (only.outcome, only.running_ms, only.photos) == ("PLUGIN_OFFLINE", 0.0, 0)


async def test_a_caller_that_leaves_is_traced_as_cancelled() -> None:
    bridge = Bridge()
    async with FakePlugin(bridge) as plugin, asyncio.timeout(5):
        released = plugin.hold("get_state")
        call = asyncio.create_task(bridge.call("get_state", {}))
        await plugin.reached("get_state")
        call.cancel()
        await asyncio.wait([call])
        released.set()
    assert [command.outcome for command in bridge.trace()] == ["cancelled"]


async def test_only_the_newest_are_kept_and_nothing_of_what_was_said() -> None:
    bridge = Bridge()
    async with FakePlugin(bridge, [photo(1, title="a private title")]), asyncio.timeout(30):
        for number in range(KEPT_COMMANDS + 10):
            await bridge.call("find_collections", {"name": f"secret {number}"})
        await bridge.call("read_photos", {"photo_ids": ["photo-0001"]})
    traced = bridge.trace()
    assert len(traced) == KEPT_COMMANDS
    assert traced[0].name == "read_photos"
    text = msgspec.json.encode(traced).decode()
    assert "secret" not in text
    assert "private" not in text
    assert "photo-0001" not in text
