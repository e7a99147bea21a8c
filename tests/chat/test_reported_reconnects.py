"""What people reported of other agents' event logs: numbers that moved, were given twice, or gave way to a clock, and
readers who came again and were not told what they had missed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from safelight.wire.models import (
    AssistantTurnEvent,
    DeltaEvent,
    Event,
    OpenChat,
    QueuedEvent,
    SnapshotEvent,
    UserMessageEvent,
    WarningEvent,
)
from tests.chat.rig import PlayedModel, Rig, SpyTool, call, kind_of, opened_rig, parse_frames, reply, serving_rig
from tests.chat.test_log import numbers, opened_log, take
from tests.chat.test_parallel import turn_of
from tests.live import CONTRACT, operations
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


@requirement("event.numbered", "event.running-snapshot")
async def test_what_happens_while_a_reader_catches_up_comes_once_and_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """cloudflare/agents#1733, cloudflare/agents#1742, cloudflare/agents#1951: pieces came twice, from replay and live.
    manaflow-ai/cmux PR#10699: what came between snapshot and subscription was lost."""
    monkeypatch.setattr("safelight.chat.log._PAGE_BYTES", 1)
    async with opened_log(tmp_path) as log:
        await log.append_all([WarningEvent(seq=0, message="w")] * 5)
        log.begin_turn()
        log.stream("text", "A gull ")
        seen: list[Event] = []
        async with contextlib.aclosing(log.follow("1")) as stream:
            async for chunk in stream:
                seen += [event for event, _ in parse_frames(chunk)]
                if log.head < 10:
                    log.stream("text", f"and {log.head} ")
                    await log.append(WarningEvent(seq=0, message="w"))
                elif numbers(seen)[-1] == 10:
                    break
    assert numbers(seen) == list(range(2, 11))
    (place,) = [n for n, event in enumerate(seen) if isinstance(event, SnapshotEvent)]
    assert (numbers(seen[:place]), seen[place]) == ([2, 3, 4, 5], SnapshotEvent(reasoning="", text="A gull ", offset=7))
    pieces = [event for event in seen if isinstance(event, DeltaEvent)]
    assert "".join(piece.text for piece in pieces) == "and 5 and 6 and 7 and 8 and 9 "
    assert [piece.offset for piece in pieces] == [7, 13, 19, 25, 31]


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
    """anomalyco/opencode#25024, anomalyco/opencode#24476: a wrong clock put messages in the wrong order. OpenHands
    agent-server's sockets.py: replay by time stamps doubled events, or lost them when the clock was set."""
    turn_clock_back(monkeypatch)
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


@requirement("event.numbered", "session.durable")
async def test_a_clock_that_is_set_back_in_mid_run_moves_no_message_no_question_and_no_chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pingdotgg/t3code#3983, pingdotgg/t3code#9772: old messages were shown below newer ones, and what came after the
    clock was set right above all others."""
    turn = turn_of(*((f"c{n}", "rate", {"n": n}) for n in range(3)))
    async with opened_rig(tmp_path, [reply("Hello."), turn]) as rig:
        later = (await rig.chats.open(OpenChat(), "played")).session.record.session_id
        await rig.session.send("first")
        await rig.idle()
        turn_clock_back(monkeypatch)
        earlier = (await rig.chats.open(OpenChat(), "played")).session.record.session_id
        await rig.session.send("second")
        await rig.until("approval_needed", times=3)
        asked = rig.session.questions().open()
        assert [question.call_id for question in asked] == ["c0", "c1", "c2"]
        assert asked[0].asked > asked[1].asked > asked[2].asked
        await rig.session.send("third")
        session_id = rig.session.record.session_id
        listed = [session_id, later, earlier]
        assert await ids_of_chats(rig) == listed
        events = await rig.events()
        assert numbers(events) == list(range(1, len(events) + 1))
    async with serving_rig(tmp_path, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        assert (await rig.events())[: len(events)] == events
        said = [event.text for event in events if isinstance(event, UserMessageEvent | QueuedEvent)]
        assert said == ["first", "second", "third"]
        assert await ids_of_chats(rig) == listed


def test_nobody_who_sends_something_says_when_that_was() -> None:
    """pingdotgg/t3code#3983, anomalyco/opencode#25024: the order was that of the senders' clocks."""
    bodies = [
        schema_of(content["schema"])
        for _, _, operation in operations()
        for content in operation.get("requestBody", {}).get("content", {}).values()
    ]
    assert len(bodies) > 5
    assert all("date-time" not in json.dumps(body) for body in bodies)


@requirement("event.running-snapshot", "event.numbered", "contract.events")
async def test_a_reader_that_comes_again_in_mid_turn_gets_what_it_missed_and_the_turn_whole(tmp_path: Path) -> None:
    """a2aproject/A2A#1635: a reader that came again got new events alone."""
    turns = [call("look", "c1", n=1), reply("A gull at the harbour.")]
    async with opened_rig(tmp_path, turns) as rig:
        look = rig.tools["look"]
        look.hold = asyncio.Event()
        async with contextlib.aclosing(rig.session.log.follow(None)) as first:
            await rig.session.send("look")
            seen = [event for event in await take(first, 5) if hasattr(event, "seq")]
        rig.model.streaming.clear()
        rig.model.hold = asyncio.Event()
        look.hold.set()
        await asyncio.wait_for(rig.model.streaming.wait(), 10)
        missed = (await rig.events())[len(seen) :]
        assert "tool_done" in map(kind_of, missed)
        again: list[Event] = []
        async with contextlib.aclosing(rig.session.log.follow(str(len(seen)))) as second:
            async for chunk in second:
                again += [event for event, _ in parse_frames(chunk)]
                rig.model.hold.set()
                if kind_of(again[-1]) == "busy":
                    break
        (place,) = [n for n, event in enumerate(again) if isinstance(event, SnapshotEvent)]
        snapshot = again[place]
        assert isinstance(snapshot, SnapshotEvent)
        assert again[1:place] == missed
        streamed = "".join(event.text for event in again[place:] if isinstance(event, DeltaEvent))
        (whole,) = [event for event in again[place:] if isinstance(event, AssistantTurnEvent)]
        assert (snapshot.text + streamed).strip() == whole.text == "A gull at the harbour."
        assert seen + [event for event in again if hasattr(event, "seq")] == await rig.events()
    promise = " ".join(CONTRACT["paths"]["/v1/chat/sessions/{session_id}/events"]["get"]["description"].split())
    assert "then every numbered event after `after`, then a `snapshot` of a running turn, then live events" in promise


def turn_clock_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on every look at the clock finds it five hours earlier."""
    clock = [datetime(2026, 1, 1, tzinfo=UTC)]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            del tz
            clock[0] -= timedelta(hours=5)
            return clock[0]

    for module in ("log", "chats", "questions"):
        monkeypatch.setattr(f"safelight.chat.{module}.datetime", Clock)


async def ids_of_chats(rig: Rig) -> list[str]:
    return [chat.session_id for chat in await rig.chats.describe_all()]


def schema_of(schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    return CONTRACT["components"]["schemas"][name] if name else schema
