"""The event log of a chat, in process: appended to, replayed, and followed by many pages at once."""

from __future__ import annotations

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from safelight.catalog.database import Database
from safelight.chat.log import EventLog
from safelight.chat.schema import MIGRATIONS
from safelight.chat.standing import Standing
from safelight.chat.store import ChatRecord, ChatStore, StoredChat
from safelight.wire.models import AssistantTurnEvent, Event, ToolCallEvent, ToolDoneEvent, ToolRunningEvent, UsageEvent
from tests.bench.measured import Measured, measured

__all__ = ("measure",)

REPEATS: Final = 5
APPENDED: Final = 2_000
WRITERS: Final = 16
REPLAYED: Final = 10_000
PAGES: Final = 100
FANNED_OUT: Final = 500

# The numbered events of one step of a run, with texts of usual length; the log gives the numbers.
EVENTS: Final[tuple[Event, ...]] = (
    AssistantTurnEvent(seq=1, reasoning="I look for the photos of the boats first.", text="I look for the boats."),
    UsageEvent(seq=1, prompt_tokens=1_873, completion_tokens=41, cached_tokens=1_850, context_window=8_192),
    ToolCallEvent(
        seq=1,
        call_id="call_0123456789abcdef",
        tool="search_photos",
        title="Search photos",
        class_="read",
        arguments={"text": "boats harbour", "rating_min": 3, "captured_from": "2024-05"},
        photos=None,
    ),
    ToolRunningEvent(seq=1, call_id="call_0123456789abcdef"),
    ToolDoneEvent(
        seq=1,
        call_id="call_0123456789abcdef",
        ok=True,
        text="Found 120 photos of boats; the first ten are listed. " * 8,
        set_id="k7xm",
        count=120,
        warnings=[],
        images=0,
    ),
)


def measure() -> list[Measured]:
    """Medians of several repeats, each on a new database file."""
    one_by_one = _median(_append_one_by_one)
    together = _median(_append_together)
    replay = _median(_replay)
    fan_out = _median(_fan_out)
    return [
        measured("events: append, one after the other", one_by_one, "events/s", target=5_000, better="higher"),
        measured(f"events: append, {WRITERS} tasks at once", together, "events/s", target=5_000, better="higher"),
        measured(f"events: replay of {REPLAYED:,}, in process", replay, "s", target=0.1),
        measured(
            f"events: fan-out to {PAGES} pages, in process, appends included",
            fan_out,
            "events/s",
            target=50_000,
            better="higher",
        ),
    ]


def _median(one: Callable[[EventLog], Awaitable[float]]) -> float:
    async def once() -> float:
        async with _log() as log:
            return await one(log)

    return statistics.median(asyncio.run(once()) for _ in range(REPEATS))


@contextlib.asynccontextmanager
async def _log() -> AsyncGenerator[EventLog, None]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder, "safelight.db"), MIGRATIONS)
        now = datetime.now(UTC)
        record = ChatRecord(session_id="chat_0123456789abcdef", token_hash="0" * 64, model="none", created=now)
        chat = StoredChat(record=record, standing=Standing(last_active=now), providers=(), head=0)
        try:
            await ChatStore(database).add(chat)
            yield EventLog(database, record.session_id, 0, chat.standing)
        finally:
            await database.close()


async def _append(log: EventLog, count: int) -> None:
    for place in range(count):
        await log.append(EVENTS[place % len(EVENTS)])


async def _append_one_by_one(log: EventLog) -> float:
    began = time.perf_counter()
    await _append(log, APPENDED)
    return APPENDED / (time.perf_counter() - began)


async def _append_together(log: EventLog) -> float:
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(WRITERS):
            group.create_task(_append(log, APPENDED // WRITERS))
    seconds = time.perf_counter() - began
    assert log.head == APPENDED
    return APPENDED / seconds


async def _replay(log: EventLog) -> float:
    await log.append_all([EVENTS[place % len(EVENTS)] for place in range(REPLAYED)])
    began = time.perf_counter()
    await _read(log.follow(None), REPLAYED)
    return time.perf_counter() - began


async def _fan_out(log: EventLog) -> float:
    async with asyncio.TaskGroup() as group:
        for _ in range(PAGES):
            page = log.follow(None)
            await anext(page)  # the hello: from here on it misses nothing
            group.create_task(_read(page, FANNED_OUT))
        began = time.perf_counter()
        await _append(log, FANNED_OUT)
    return PAGES * FANNED_OUT / (time.perf_counter() - began)


async def _read(stream: AsyncGenerator[bytes, None], count: int) -> None:
    """One page's stream, until so many numbered events have come."""
    seen = 0
    async with contextlib.aclosing(stream) as chunks:
        async for chunk in chunks:
            seen += chunk.count(b"id: ")
            if seen >= count:
                return
    raise AssertionError(f"the stream ended after {seen} of {count} events")
