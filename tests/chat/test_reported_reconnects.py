"""What people reported of other agents' event logs: numbers that moved, were given twice, or gave way to a clock."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from safelight.wire.models import UserMessageEvent, WarningEvent
from tests.chat.rig import opened_rig, parse_frames, reply
from tests.chat.test_log import numbers, opened_log, take
from tests.live import CONTRACT
from tests.requirement import requirement


@requirement("event.numbered")
async def test_a_number_belongs_to_its_event_and_not_to_its_place(tmp_path: Path) -> None:
    """razzant/ouroboros#136: a number was a place in a list, which trimming moved."""
    async with opened_log(tmp_path) as log:
        await log.append_all([WarningEvent(seq=0, message=f"w{n}") for n in range(1, 6)])
        with contextlib.closing(sqlite3.connect(tmp_path / "log.db")) as other, other:
            other.execute("DELETE FROM events WHERE seq <= 2")
        events = await take(log.follow("3"), 5)
        assert [event.message for event in events if isinstance(event, WarningEvent)] == ["w4", "w5"]
        assert numbers(events) == [4, 5]


@requirement("event.numbered")
async def test_batches_that_are_written_at_once_share_no_number(tmp_path: Path) -> None:
    """lvlup-sw/exarchos#943: two batches gave the same number."""
    async with opened_log(tmp_path) as log:
        given = await asyncio.gather(
            *(log.append_all([WarningEvent(seq=0, message="w")] * size) for size in (3, 1, 4, 1, 5))
        )
        assert [len(batch) for batch in given] == [3, 1, 4, 1, 5]
        assert all(batch == list(range(batch[0], batch[0] + len(batch))) for batch in given)
        assert sorted(seq for batch in given for seq in batch) == list(range(1, 15))


@requirement("event.numbered")
async def test_the_order_is_that_of_the_numbers_whatever_the_clock_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """anomalyco/opencode#25024, anomalyco/opencode#24476, pingdotgg/t3code#3983, pingdotgg/t3code#9772: a wrong clock
    put messages in the wrong order. OpenHands agent-server's sockets.py: replay by time stamps doubled events, or lost
    them when the clock was set."""
    clock = [datetime(2026, 1, 1, tzinfo=UTC)]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            del tz
            clock[0] -= timedelta(hours=5)
            return clock[0]

    for module in ("log", "chats", "questions"):
        monkeypatch.setattr(f"safelight.chat.{module}.datetime", Clock)
    async with opened_rig(tmp_path, [reply(str(n)) for n in range(3)]) as rig:
        for n in range(3):
            await rig.session.send(f"message {n}")
            await rig.idle(n + 1)
        events = await rig.events()
        assert numbers(events) == list(range(1, len(events) + 1))
        said = [event.text for event in events if isinstance(event, UserMessageEvent)]
        assert said == ["message 0", "message 1", "message 2"]
        async with contextlib.aclosing(rig.session.log.follow("4")) as stream:
            await anext(stream)
            assert numbers([event for event, _ in parse_frames(await anext(stream))]) == list(range(5, len(events) + 1))
    schemas = CONTRACT["components"]["schemas"]
    timed = [
        name
        for name, schema in schemas.items()
        if schema.get("x-delivery") == "numbered" and {"time", "timestamp", "created"} & set(schema["properties"])
    ]
    assert timed == [], "a reader could put them in another order"
