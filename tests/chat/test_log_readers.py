"""The event log's readers: where they begin, who is there, and what one costs that never reads."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.chat.log import MOST_BYTES, EventLog
from safelight.wire.models import HelloEvent, ResyncEvent, SnapshotEvent, WarningEvent
from tests.chat.rig import kind_of, parse_frames
from tests.chat.test_log import numbers, opened_log, take
from tests.live import live_service
from tests.requirement import requirement
from tests.routes.test_hard_streams import connect, script


async def first_events(log: EventLog, *where: str | None, until: int) -> list[object]:
    stream = log.follow(*where)
    try:
        return [*await take(stream, until)]
    finally:
        await stream.aclose()


@requirement("event.bad-after", "event.numbered")
@pytest.mark.parametrize(
    ("after", "last_event_id", "begins"),
    [
        (None, None, 1),
        (None, "3", 4),
        ("3", None, 4),
        ("2", "4", 5),
        ("4", "2", 5),
        ("", "4", 5),
        ("4", "", 5),
        ("x", "4", "bad_after"),
        ("4", "x", "bad_after"),
        ("4", "-1", "bad_after"),
        ("4", "99", "future_after"),
        ("99", "4", "future_after"),
    ],
)
async def test_the_larger_of_after_and_last_event_id_counts_and_a_bad_one_of_either_is_said(
    tmp_path: Path, after: str | None, last_event_id: str | None, begins: int | str
) -> None:
    async with opened_log(tmp_path) as log:
        for _ in range(6):
            await log.append(WarningEvent(seq=0, message="w"))
        events = await first_events(log, after, last_event_id, until=6)
        if isinstance(begins, int):
            assert [getattr(event, "seq", None) for event in events] == [None, *range(begins, 7)]
        else:
            assert events[1:] == [ResyncEvent(reason=begins)]  # type: ignore[arg-type]  # a table of test values


@requirement("event.bad-after", "event.numbered")
async def test_a_browser_that_reconnects_by_itself_gets_what_it_has_not_seen(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await live.open_chat()
        session = await live.application.service.chats.get(chat["session_id"])
        for n in range(1, 6):
            await session.log.append(WarningEvent(seq=0, message=f"w{n}"))
        url = f"/v1/chat/sessions/{chat['session_id']}/events"
        for headers, after, begins in (({"last-event-id": "3"}, "1", 4), ({"last-event-id": "1"}, "4", 5)):
            async with live.http.stream("GET", url, params={"after": after}, headers=headers) as answer:
                seen = b""
                async for chunk in answer.aiter_raw():
                    seen += chunk
                    if b"w5" in seen:
                        break
            assert [event.seq for event, numbered in parse_frames(seen) if numbered] == list(range(begins, 6))  # type: ignore[union-attr]  # numbered events have one
        async with live.http.stream("GET", url, params={"after": "2"}, headers={"last-event-id": "six"}) as answer:
            whole = b"".join([chunk async for chunk in answer.aiter_raw()])
        assert [kind_of(event) for event, _ in parse_frames(whole)] == ["hello", "resync"]


@requirement("event.keepalive", "event.running-snapshot")
async def test_who_comes_in_mid_turn_is_told_head_time_and_interval_and_the_text_with_its_offset(
    tmp_path: Path,
) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await live.open_chat()
        session = await live.application.service.chats.get(chat["session_id"])
        await session.log.append(WarningEvent(seq=0, message="w"))
        session.log.begin_turn()
        session.log.stream("reasoning", "Hm. ")
        session.log.stream("text", "Möwen 🐦")
        async with live.http.stream("GET", f"/v1/chat/sessions/{chat['session_id']}/events") as answer:
            seen = b""
            async for chunk in answer.aiter_raw():
                seen += chunk
                if b"snapshot" in seen:
                    break
        assert seen.startswith(b": keep-alive\n\n")
        hello, warning, snapshot = [event for event, _ in parse_frames(seen)]
        assert isinstance(hello, HelloEvent)
        assert (hello.head, hello.keepalive_s, hello.time.utcoffset() is not None) == (1, 15.0, True)
        assert kind_of(warning) == "warning"
        assert snapshot == SnapshotEvent(reasoning="Hm. ", text="Möwen 🐦", offset=11)
        assert b"id:" not in seen[seen.index(b'"snapshot"') - 40 :]


@requirement("event.keepalive")
async def test_a_comment_comes_again_and_again_while_nothing_happens_and_nothing_holds_the_stream_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("safelight.chat.log.KEEPALIVE_S", 0.05)
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/events"
        async with live.http.stream("GET", url, headers={"accept-encoding": "gzip, br"}) as answer:
            assert "content-encoding" not in answer.headers
            assert answer.headers["cache-control"] == "no-store"
            assert answer.headers["x-accel-buffering"] == "no"
            seen = b""
            async with asyncio.timeout(10):
                async for chunk in answer.aiter_raw():
                    seen += chunk
                    if seen.count(b": keep-alive\n\n") == 4:
                        break


async def test_the_log_knows_for_how_long_nobody_has_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("safelight.chat.log.time.monotonic", lambda: now)
    async with opened_log(tmp_path) as log:
        now += 5
        assert (log.unattended_s(), log.readers) == (5.0, 0)
        one, other = log.follow(None), log.follow(None)
        await anext(one)
        await anext(other)
        now += 5
        assert (log.unattended_s(), log.readers) == (0.0, 2)
        await one.aclose()
        now += 5
        assert (log.unattended_s(), log.readers) == (0.0, 1)
        await other.aclose()
        now += 7
        assert (log.unattended_s(), log.readers) == (7.0, 0)


@requirement("event.bounded", "event.resync")
async def test_few_but_large_frames_are_too_far_behind_as_well_and_one_alone_never_is(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        stream = log.follow(None)
        await anext(stream)
        await log.append(WarningEvent(seq=0, message="x" * (MOST_BYTES + 1)))
        assert numbers(await take(stream, 1)) == [1]
        for _ in range(5):
            await log.append(WarningEvent(seq=0, message="x" * (MOST_BYTES // 4)))
        assert await take(stream, 99) == [ResyncEvent(reason="behind")]


@requirement("event.bounded")
async def test_a_client_that_never_reads_costs_no_more_than_its_queue(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await live.open_chat()
        session = await live.application.service.chats.get(chat["session_id"])
        page = connect(live, chat, receive_buffer=4_096)
        async with asyncio.timeout(10):
            while not session.log.readers:
                await live.http.get("/v1/health")
        (reader,) = session.log._readers  # type: ignore[reportPrivateUsage]  # its queue is what this is about
        for _ in range(30):
            await session.log.append_all([WarningEvent(seq=0, message="x" * 200_000)] * 5)
            assert reader.waiting_bytes <= MOST_BYTES
        assert reader.behind
        assert reader.waiting_bytes == 0
        page.close()


@requirement("event.numbered")
@given(sizes=st.lists(st.integers(1, 150_000), min_size=1, max_size=12), after=st.integers(0, 12))
async def test_a_replay_in_portions_has_every_event_once(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], after: int
) -> None:
    after = min(after, len(sizes) - 1)
    async with opened_log(tmp_path_factory.mktemp("log")) as log:
        await log.append_all([WarningEvent(seq=0, message="x" * size) for size in sizes])
        events = await first_events(log, str(after), until=len(sizes))
        assert [getattr(event, "seq", None) for event in events] == [None, *range(after + 1, len(sizes) + 1)]


@requirement("session.durable")
async def test_a_service_that_ends_in_order_says_so_to_the_run_that_was_going_on(tmp_path: Path) -> None:
    file = tmp_path / "slow.json"
    file.write_text(json.dumps([{"text": "a long story " * 20, "delay_ms": 20_000}]), encoding="utf-8")
    async with live_service(tmp_path, f"scripted:{file}") as live:
        session_id = (await live.open_chat())["session_id"]
        answer = await live.http.post(f"/v1/chat/sessions/{session_id}/messages", json={"text": "tell"})
        assert answer.status_code == 202
    async with live_service(tmp_path, f"scripted:{file}") as live:
        session = await live.application.service.chats.get(session_id)
        bodies = [json.loads(body) for body in await session.log.read(0)]
        assert [(body["type"], body.get("reason")) for body in bodies[-2:]] == [("stopped", "service"), ("busy", None)]
        assert (session.busy, session.describe().title) == (False, "tell")
