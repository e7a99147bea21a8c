"""Long calls at /mcp: how far they are, and what becomes of them when their caller leaves."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from safelight.gate.journal import JournalChange
from safelight.tools import mcp_progress
from safelight.tools.mcp_progress import ProgressReport
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import Live, live_service
from tests.requirement import requirement
from tests.routes.test_mcp import AGENTS, mcp_client

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])
EVERYTHING: dict[str, Any] = {"mode": "auto_all", "rules": {}, "bulk_limit": 0}


async def owner(live: Live) -> str:
    """The token of an agent that may do everything."""
    assert (await live.http.put(AGENTS, json=EVERYTHING)).status_code == 200
    return await live.mint("owner")


@ERAS
@requirement("mcp.endpoint")
async def test_a_write_of_a_thousand_photos_says_after_each_chunk_how_far_it_is(tmp_path: Path, era: str) -> None:
    told: list[tuple[float, float | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert message == f"{progress:g} of 1000 photos"
        told.append((progress, total))

    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(n) for n in range(1, 1001)]) as plugin,
        mcp_client(live, await owner(live), era) as client,
    ):
        arguments = {"set": "view", "rating": 4}
        rated = await client.call_tool("set_rating", arguments, progress_callback=on_progress)
        assert len(rated.structured_content["applied"]) == 1000
        assert told == [(done, 1000) for done in (200, 400, 600, 800, 1000)]
        assert len(plugin.names("write")) == 5


@ERAS
async def test_who_asks_for_no_progress_gets_none(tmp_path: Path, era: str) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(n) for n in range(1, 301)]),
        mcp_client(live, await owner(live), era) as client,
    ):
        rated = await client.call_tool("set_rating", {"set": "view", "rating": 4})
        assert len(rated.structured_content["applied"]) == 300


class _Session:
    """A session of the SDK with a listener who is gone or takes nothing."""

    def __init__(self, failure: Exception | None) -> None:
        self.failure = failure
        self.told: list[float] = []

    async def report_progress(self, progress: float, total: float | None, message: str | None) -> None:
        self.told.append(progress)
        if self.failure is not None:
            raise self.failure


async def test_progress_only_grows_and_a_listener_who_is_gone_is_no_error() -> None:
    here: Any = _Session(None)
    report = ProgressReport(here)
    for done in (200, 100, 200, 400):
        await report(done, 1000)
    assert here.told == [200, 400]
    gone: Any = _Session(ConnectionResetError())
    report = ProgressReport(gone)
    await report(200, 1000)
    await report(400, 1000)
    assert gone.told == [200]


async def test_a_listener_who_takes_nothing_does_not_hold_up_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck:
        async def report_progress(self, progress: float, total: float | None, message: str | None) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr(mcp_progress, "MOST_WAIT_S", 0.01)
    stuck: Any = Stuck()
    report = ProgressReport(stuck)
    async with asyncio.timeout(5):
        await report(200, 1000)
        await report(400, 1000)


async def cancelled(client: Client, plugin: FakePlugin, command: str, arguments: dict[str, Any]) -> None:
    """Call set_rating and cancel it once Lightroom has this command."""
    calling = asyncio.create_task(client.call_tool("set_rating", arguments))
    await plugin.reached(command)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling


async def journaled(live: Live) -> tuple[JournalChange, ...]:
    changes, _ = await live.application.service.journal.changes()
    return changes


@ERAS
@requirement("bridge.delivery")
async def test_a_cancelled_call_that_waits_for_a_read_sends_no_write(tmp_path: Path, era: str) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(n) for n in range(1, 301)]) as plugin,
        mcp_client(live, await owner(live), era) as client,
    ):
        await client.call_tool("search_photos", {})
        await plugin.reached("read_photos")
        held = plugin.hold("read_photos")
        photo_ids = [f"photo-{n:04}" for n in range(1, 101)]
        await cancelled(client, plugin, "read_photos", {"photo_ids": photo_ids, "rating": 4})
        # The service has heard of it before it answers this.
        await client.list_tools(cache_mode="bypass")
        held.set()
        after = await client.call_tool("set_rating", {"photo_ids": ["photo-0300"], "rating": 1})
        assert after.structured_content["applied"] == ["photo-0300"]
        assert [change.changed for change in await journaled(live)] == [1]
        assert plugin.names("write") == ["write_photos"]


@ERAS
@requirement("bridge.delivery", "perm.undo")
async def test_a_cancelled_write_keeps_its_turn_and_stands_in_the_journal_as_what_it_came_to(
    tmp_path: Path, era: str
) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, [photo(n, rating=1) for n in range(1, 401)]) as plugin,
        mcp_client(live, await owner(live), era) as client,
    ):
        held = plugin.hold("write_photos")
        await cancelled(client, plugin, "write_photos", {"set": "view", "rating": 4})
        (before,) = await journaled(live)
        assert before.states == {"unknown": 200}
        after = asyncio.create_task(client.call_tool("set_rating", {"photo_ids": ["photo-0001"], "rating": 5}))
        held.set()
        assert (await after).structured_content["applied"] == ["photo-0001"]
        newest, cut_off = await journaled(live)
        assert (newest.states, cut_off.states) == ({"done": 1}, {"done": 200})
        items = await live.application.service.journal.items(newest.change_id)
        assert items[0].before == {"rating": 4}
        assert len(plugin.names("write")) == 2
        assert [record.rating for record in plugin.photos.values()].count(4) == 199
