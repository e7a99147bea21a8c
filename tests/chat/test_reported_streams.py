"""What people reported of other agents' streams: cut by a proxy while nothing was said, never read and never cut, or
ended without a word."""

from __future__ import annotations

import asyncio
import contextlib
import time
import tracemalloc
from pathlib import Path

import pytest

from safelight.chat.log import MOST_BYTES
from safelight.wire.models import HelloEvent, ResyncEvent, WarningEvent
from tests.chat.rig import parse_frames
from tests.chat.test_log import opened_log
from tests.live import live_service
from tests.requirement import requirement
from tests.routes.test_doors import scripted
from tests.routes.test_limits import path_of, say, until_idle


@requirement("event.keepalive")
async def test_a_stream_in_which_nothing_happens_gives_signs_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JoshuaC215/agent-service-toolkit#126, mako PR#510, CityCatalyst PR#3145: a proxy cut the stream while a tool ran
    long."""
    monkeypatch.setattr("safelight.chat.log.KEEPALIVE_S", 0.02)
    async with opened_log(tmp_path) as log, contextlib.aclosing(log.follow(None)) as stream:
        assert (await anext(stream)).startswith(b":")
        assert [await anext(stream) for _ in range(5)] == [b": keep-alive\n\n"] * 5
        await log.append(WarningEvent(seq=0, message="w"))
        assert [event.seq for event, _ in parse_frames(await anext(stream)) if isinstance(event, WarningEvent)] == [1]
        assert await anext(stream) == b": keep-alive\n\n"


@requirement("event.bounded", "event.resync")
async def test_a_reader_that_never_reads_costs_bounded_memory_however_much_is_said(tmp_path: Path) -> None:
    """anomalyco/opencode#31923, anomalyco/opencode PR#31922, anomalyco/opencode PR#19423, anomalyco/opencode#15645: a
    reader that never read filled the memory."""
    async with opened_log(tmp_path) as log, contextlib.aclosing(log.follow(None)) as stream:
        await anext(stream)
        tracemalloc.start()
        try:
            most = 0
            for _ in range(60):
                await log.append_all([WarningEvent(seq=0, message="x" * 100_000)] * 10)
                most = max(most, tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
        assert most < 3 * MOST_BYTES, "60 MB were said"
        (event,) = [event for event, _ in parse_frames(await anext(stream))]
        assert event == ResyncEvent(reason="behind")
        with pytest.raises(StopAsyncIteration):
            await anext(stream)


@requirement("event.bounded")
async def test_a_thousand_pages_on_which_nothing_happens_cost_no_time_of_the_processor(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log, contextlib.AsyncExitStack() as open_streams:
        waiting: list[asyncio.Task[bytes]] = []
        for _ in range(1_000):
            stream = log.follow(None)
            await anext(stream)
            open_streams.push_async_callback(stream.aclose)
            waiting.append(asyncio.create_task(anext(stream)))
        await asyncio.wait(waiting, timeout=0.1)
        began = time.process_time()
        done, _ = await asyncio.wait(waiting, timeout=1.0)
        assert done == set()
        assert time.process_time() - began < 0.05
        await log.append(WarningEvent(seq=0, message="w"))
        assert len({*await asyncio.gather(*waiting)}) == 1


@requirement("event.resync")
@pytest.mark.parametrize("way", ["the chat is deleted", "the service ends"])
async def test_the_end_of_a_chat_is_said_in_its_stream_and_the_end_of_the_service_is_no_such_end(
    tmp_path: Path, way: str
) -> None:
    """CodePilot PR#250: the end of a stream looked like a break."""
    async with contextlib.AsyncExitStack() as rest:
        async with live_service(tmp_path, scripted(tmp_path)) as live:
            chat = await live.open_chat()
            await say(live, chat, "hello")
            last = (await until_idle(live, chat))[-1]
            assert (last["type"], last["busy"]) == ("busy", False)
            page = await rest.enter_async_context(live.client(chat["chat_token"]))
            stream = await rest.enter_async_context(page.stream("GET", f"{path_of(chat)}/events?after={last['seq']}"))
            chunks = stream.aiter_raw()
            (hello,) = [event for event, _ in parse_frames(await anext(chunks))]
            assert isinstance(hello, HelloEvent)
            if way == "the chat is deleted":
                assert (await live.http.delete(path_of(chat))).status_code == 204
        async with asyncio.timeout(10):
            told = [event for event, _ in parse_frames(b"".join([chunk async for chunk in chunks]))]
    # A page that is told nothing connects again, and finds the chat.
    assert told == ([ResyncEvent(reason="ended")] if way == "the chat is deleted" else [])
