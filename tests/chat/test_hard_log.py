"""The event log under every interleaving of writing, streaming and reading."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from safelight.catalog.database import Database
from safelight.chat.log import MOST_BEHIND, EventLog
from safelight.chat.store import SCHEMA
from safelight.wire.models import (
    AssistantTurnEvent,
    DeltaEvent,
    Event,
    ResyncEvent,
    SnapshotEvent,
    StoppedEvent,
    WarningEvent,
)
from tests.chat.rig import kind_of, parse_frames
from tests.chat.test_log import opened_log, take
from tests.requirement import requirement


class SteppedDatabase:
    """A database whose calls run in their order, each only when the test says so."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[asyncio.Future[Any], Callable[[sqlite3.Connection], Any]]] = deque()
        self._connection = sqlite3.connect(":memory:")
        self._connection.executescript(SCHEMA)

    async def run(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.waiting.append((done, work))
        return await done

    def step(self) -> None:
        done, work = self.waiting.popleft()
        value = work(self._connection)
        if not done.done():
            done.set_result(value)

    def close(self) -> None:
        self._connection.close()


async def let_all_go_on() -> None:
    """Give every task the turns that it needs to come to where it waits for the database or for a frame."""
    for _ in range(8):
        await asyncio.sleep(0)


class Reader:
    """One page: what it was sent, checked piece by piece."""

    reasoning: str
    text: str

    def __init__(self, log: EventLog, after: int) -> None:
        self.after = after
        self.numbers: list[int] = []
        self.reasoning = self.text = ""
        self.knows_turn = False
        self._stream = log.follow(str(after))
        self._pull: asyncio.Task[bytes] | None = None

    async def pull(self) -> None:
        """Ask for one more chunk, and take it if it is there."""
        if self._pull is None:
            self._pull = asyncio.create_task(anext(self._stream))
        await let_all_go_on()
        if self._pull.done():
            chunk, self._pull = self._pull.result(), None
            for event, numbered in parse_frames(chunk):
                self._take(event, numbered=numbered)

    async def close(self) -> None:
        if self._pull is not None:
            self._pull.cancel()
            await asyncio.gather(self._pull, return_exceptions=True)
        await self._stream.aclose()

    def _take(self, event: Event, *, numbered: bool) -> None:
        if numbered:
            self.numbers.append(event.seq)  # type: ignore[union-attr]  # numbered events have one
            assert self.numbers[-1] == self.after + len(self.numbers), "a gap or a double"
        match event:
            case SnapshotEvent(reasoning=reasoning, text=text):
                assert event.offset == len(reasoning) + len(text)
                self._begin(reasoning, text)
            case DeltaEvent():
                if event.offset == 0:
                    self._begin("", "")
                assert self.knows_turn, "a piece in the middle without a snapshot"
                assert event.offset == len(self.reasoning) + len(self.text), "a piece lost or doubled"
                if event.kind == "text":
                    self.text += event.text
                else:
                    self.reasoning += event.text
            case AssistantTurnEvent():
                if self.knows_turn:
                    assert (self.reasoning, self.text) == (event.reasoning, event.text)
                self.knows_turn = False
            case StoppedEvent():
                self.knows_turn = False
            case _:
                pass

    def _begin(self, reasoning: str, text: str) -> None:
        self.reasoning, self.text, self.knows_turn = reasoning, text, True


class LogMachine(RuleBasedStateMachine):
    """Appends, streams, ends turns and attaches readers, each at any moment; readers pull when they like."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = SteppedDatabase()
        self.log = EventLog(cast("Database", self.database), "chat_1")
        self.readers: list[Reader] = []
        self.writes: list[asyncio.Task[list[int]]] = []
        self.logging: asyncio.Task[list[int]] | None = None
        self.streaming = False
        self.reasoning = ""
        self.text = ""

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        self.runner.run(work)

    @rule(count=st.integers(1, 3))
    def append(self, count: int) -> None:
        self.do(self._write([WarningEvent(seq=0, message="w")] * count))

    @precondition(lambda self: self.database.waiting)
    @rule()
    def the_database_works(self) -> None:
        self.database.step()
        self.do(let_all_go_on())

    @precondition(lambda self: not self.streaming and (self.logging is None or self.logging.done()))
    @rule()
    def begin_turn(self) -> None:
        self.log.begin_turn()
        self.streaming, self.reasoning, self.text = True, "", ""

    @precondition(lambda self: self.streaming)
    @rule(kind=st.sampled_from(["reasoning", "text"]), piece=st.text(st.sampled_from("aÄ🐦"), min_size=1, max_size=3))
    def stream(self, kind: str, piece: str) -> None:
        self.log.stream(kind, piece)
        if kind == "text":
            self.text += piece
        else:
            self.reasoning += piece

    @precondition(lambda self: self.streaming)
    @rule()
    def log_turn(self) -> None:
        self.streaming = False
        self.do(self._write([AssistantTurnEvent(seq=0, reasoning=self.reasoning, text=self.text)]))
        self.logging = self.writes[-1]

    @precondition(lambda self: self.streaming)
    @rule()
    def drop_turn(self) -> None:
        self.log.end_turn()
        self.streaming = False
        self.do(self._write([StoppedEvent(seq=0, reason="user")]))
        self.logging = self.writes[-1]

    @precondition(lambda self: len(self.readers) < 6)
    @rule(back=st.integers(0, 5))
    def attach(self, back: int) -> None:
        self.readers.append(Reader(self.log, max(0, self.log.head - back)))
        self.do(self.readers[-1].pull())

    @precondition(lambda self: self.readers)
    @rule(which=st.integers(0, 5))
    def pull(self, which: int) -> None:
        self.do(self.readers[which % len(self.readers)].pull())

    @precondition(lambda self: self.readers)
    @rule(which=st.integers(0, 5))
    def leave(self, which: int) -> None:
        self.do(self.readers.pop(which % len(self.readers)).close())

    @invariant()
    def no_stream_is_left_behind(self) -> None:
        assert self.log.readers == len(self.readers)

    def teardown(self) -> None:
        try:
            self.do(self._read_to_the_end())
        finally:
            self.runner.close()
            self.database.close()

    async def _write(self, events: list[Event]) -> None:
        self.writes.append(asyncio.create_task(self.log.append_all(events)))
        await let_all_go_on()

    async def _read_to_the_end(self) -> None:
        await self._write([WarningEvent(seq=0, message="end")])
        await self._work_off()
        (end,) = self.writes[-1].result()
        for reader in self.readers:
            for _ in range(50):
                if reader.numbers[-1:] == [end]:
                    break
                await reader.pull()
                await self._work_off()
            assert reader.numbers == list(range(reader.after + 1, end + 1))
            if self.streaming and reader.knows_turn:
                assert (reader.reasoning, reader.text) == (self.reasoning, self.text)
            await reader.close()
        assert self.log.readers == 0

    async def _work_off(self) -> None:
        while self.database.waiting:
            self.database.step()
            await let_all_go_on()


LogMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None, derandomize=True)
test_every_reader_gets_every_event_once_and_the_running_text_exactly = requirement(
    "event.numbered", "event.running-snapshot", "event.delta"
)(LogMachine.TestCase)


@requirement("event.resync")
async def test_a_reader_that_fell_behind_while_it_caught_up_is_told_and_gets_all_on_its_next_try(
    tmp_path: Path,
) -> None:
    async with opened_log(tmp_path) as log:
        for _ in range(3):
            await log.append(WarningEvent(seq=0, message="w"))
        stream = log.follow("0")
        await anext(stream)
        log.begin_turn()
        for _ in range(MOST_BEHIND + 1):
            log.stream("text", "x")
        events = await take(stream, 99)
        assert [kind_of(event) for event in events] == ["warning"] * 3 + ["resync"]
        assert log.readers == 0
        async with following(log, "3") as again:
            await anext(again)
            (snapshot,) = [event for event, _ in parse_frames(await anext(again))]
            assert isinstance(snapshot, SnapshotEvent)
            assert snapshot.text == "x" * (MOST_BEHIND + 1)


async def test_a_reader_who_comes_when_the_log_is_closed_gets_what_was_logged_and_an_end(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        await log.append(WarningEvent(seq=0, message="w"))
        late = log.follow("0")
        log.close()
        events = [event async for chunk in late for event, _ in parse_frames(chunk)]
        assert [kind_of(event) for event in events] == ["hello", "warning"]
        assert log.readers == 0


async def test_readers_of_an_erased_chat_are_told_that_it_is_gone_also_those_who_come_late(tmp_path: Path) -> None:
    async with opened_log(tmp_path) as log:
        there, late = log.follow(None), log.follow(None)
        await anext(there)
        log.erased = True
        log.close()
        for stream in (there, late):
            events = [event async for chunk in stream for event, _ in parse_frames(chunk)]
            assert events[-1] == ResyncEvent(reason="ended")


@contextlib.asynccontextmanager
async def following(log: EventLog, after: str) -> AsyncGenerator[AsyncGenerator[bytes, None], None]:
    stream = log.follow(after)
    try:
        yield stream
    finally:
        await stream.aclose()
