"""The event log: numbers, replay, cut-over, and readers that are slow."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.catalog.database import Database
from safelight.chat.log import MOST_BEHIND, EventLog
from safelight.chat.store import SCHEMA
from safelight.wire.models import (
    AssistantTurnEvent,
    DeltaEvent,
    Event,
    HelloEvent,
    ResyncEvent,
    SnapshotEvent,
    WarningEvent,
)
from tests.chat.rig import call, kind_of, opened_rig, parse_frames, reply
from tests.requirement import requirement


@contextlib.asynccontextmanager
async def opened_log(folder: Path) -> AsyncGenerator[EventLog, None]:
    database = Database(folder / "log.db", [SCHEMA])
    try:
        async with asyncio.timeout(20):
            yield EventLog(database, "chat_1")
    finally:
        await database.close()


async def take(stream: AsyncGenerator[bytes, None], until: int) -> list[Event]:
    """Events of a stream up to and with a number."""
    seen: list[Event] = []
    async for chunk in stream:
        seen += [event for event, _ in parse_frames(chunk)]
        if any(getattr(event, "seq", 0) >= until for event in seen):
            return seen
    return seen


def numbers(events: list[Event]) -> list[int]:
    return [event.seq for event in events if hasattr(event, "seq")]  # type: ignore[union-attr]  # just checked


@requirement("event.numbered")
async def test_concurrent_appends_get_numbers_without_gaps_and_readers_see_them_in_order(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        stream = log.follow(None)
        reading = asyncio.create_task(take(stream, 50))
        given_out = await asyncio.gather(*(log.append(WarningEvent(seq=0, message=str(n))) for n in range(50)))
        assert sorted(given_out) == list(range(1, 51))
        assert numbers(await reading) == list(range(1, 51))
        await stream.aclose()


@requirement("event.numbered", "contract.events")
async def test_a_reader_at_every_position_gets_the_rest_once_while_events_come_in(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        for n in range(20):
            await log.append(WarningEvent(seq=0, message=str(n)))
        streams = [log.follow(str(after)) for after in range(21)]
        readings = [asyncio.create_task(take(stream, 40)) for stream in streams]
        for n in range(20, 40):
            await log.append(WarningEvent(seq=0, message=str(n)))
        for after, reading in enumerate(readings):
            assert numbers(await reading) == list(range(after + 1, 41))
        for stream in streams:
            await stream.aclose()


async def test_a_writer_that_is_cancelled_leaves_no_hole_and_no_double(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        writers = [asyncio.create_task(log.append(WarningEvent(seq=0, message=str(n)))) for n in range(10)]
        await asyncio.sleep(0)
        for writer in writers[::2]:
            writer.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
        last = await log.append(WarningEvent(seq=0, message="last"))
        stored = [msgspec.json.decode(body, type=Event) for body in await log.read(0)]
        assert numbers(stored) == list(range(1, last + 1))


@requirement("event.running-snapshot")
async def test_a_reader_who_comes_in_mid_turn_gets_the_text_so_far_and_then_the_rest(tmp_path: Path) -> None:
    """vercel/ai#18457, vercel/ai#18107: a resumed stream doubled the message or wrote into another."""
    async with opened_log(tmp_path) as log:
        log.begin_turn()
        log.stream("reasoning", "Hm. ")
        log.stream("text", "Zwei Fotos mit ")
        stream = log.follow(None)
        first = [event for event, _ in parse_frames(await anext(stream))]
        second = [event for event, _ in parse_frames(await anext(stream))]
        log.stream("text", "Möwen 🐦.")
        third = [event for event, _ in parse_frames(await anext(stream))]
        assert isinstance(first[0], HelloEvent)
        assert second == [SnapshotEvent(reasoning="Hm. ", text="Zwei Fotos mit ", offset=19)]
        assert third == [DeltaEvent(kind="text", text="Möwen 🐦.", offset=19)]
        await log.append(AssistantTurnEvent(seq=0, reasoning="Hm. ", text="Zwei Fotos mit Möwen 🐦."))
        late = log.follow("0")
        events = await take(late, 1)
        assert [kind_of(event) for event in events] == ["hello", "assistant_turn"]
        await stream.aclose()
        await late.aclose()


@requirement("event.bad-after")
@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("-1", "bad_after"),
        ("x", "bad_after"),
        ("1.5", "bad_after"),
        ("٣", "bad_after"),
        ("9" * 30, "bad_after"),
        ("4", "future_after"),
    ],
)
async def test_an_after_that_makes_no_sense_gets_resync_and_an_end(tmp_path: Path, after: str, reason: str) -> None:
    async with opened_log(tmp_path) as log:
        for _ in range(3):
            await log.append(WarningEvent(seq=0, message="w"))
        events = await take(log.follow(after), 99)
        assert [kind_of(event) for event in events] == ["hello", "resync"]
        assert events[1] == ResyncEvent(reason=reason)  # type: ignore[arg-type]  # a table of test values


@requirement("event.resync", "event.bounded")
async def test_a_reader_that_falls_too_far_behind_is_told_and_ended(tmp_path: Path) -> None:
    """omnigent-ai/omnigent PR#2466: a reader that was too slow was told that all was done."""
    async with opened_log(tmp_path) as log:
        stream = log.follow(None)
        await anext(stream)
        log.begin_turn()
        for _ in range(MOST_BEHIND + 1):
            log.stream("text", "x")
        events = await take(stream, 99)
        assert [kind_of(event) for event in events] == ["resync"]
        assert events[0] == ResyncEvent(reason="behind")


@requirement("event.keepalive")
async def test_a_comment_comes_before_the_first_event(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        stream = log.follow(None)
        assert (await anext(stream)).startswith(b": keep-alive\n\n")
        await stream.aclose()


@requirement("event.replay-property")
@given(cut=st.integers(0, 14), redelivered=st.integers(0, 5))
def test_reconnecting_at_every_position_of_a_recorded_chat_gives_the_same_state(
    recorded: list[Event], cut: int, redelivered: int
) -> None:
    cut = min(cut, len(recorded))
    again = max(0, cut - redelivered)
    state = State()
    for event in [*recorded[:cut], *recorded[again:]]:
        state.take(event)
    whole = State()
    for event in recorded:
        whole.take(event)
    assert state == whole


class State(msgspec.Struct):
    """What a reader must keep to be right whatever is delivered twice: the newest number, and what it drew."""

    head: int = 0
    drawn: list[Event] = []

    def take(self, event: Event) -> None:
        seq: int = getattr(event, "seq", 0)
        if seq > self.head:
            assert seq == self.head + 1, "a gap"
            self.head = seq
            self.drawn.append(event)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    """A whole chat with a call and a question, as it was logged."""

    async def record() -> list[Event]:
        folder = tmp_path_factory.mktemp("recorded")
        async with opened_rig(folder, [call("look", "c1"), reply("Two."), call("show", "c2"), reply("Shown.")]) as rig:
            await rig.session.send("look")
            await rig.idle()
            await rig.session.send("show")
            await rig.until("approval_needed")
            await rig.session.stop()
            return await rig.idle(times=2)

    return asyncio.run(record())
