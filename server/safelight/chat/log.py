"""A chat's event log: one writer, numbers without gaps, replay that goes live without a gap or a double.

An append gives the next number, stores the event in one transaction and only then publishes it. A subscription is
taken in one step of the event loop: it notes the head, copies the running turn, and from then on gets every published
frame; what is older than that head comes from the database.
"""

from __future__ import annotations

import asyncio
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from safelight.chat.frames import KEEPALIVE_FRAME, frame, numbered
from safelight.wire.models import AssistantTurnEvent, DeltaEvent, Event, HelloEvent, ResyncEvent, SnapshotEvent

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncGenerator, Callable

    from safelight.catalog.database import Database

    Write: TypeAlias = Callable[[sqlite3.Connection], None]
    """A part of the transaction that it is given to."""

    KeptAnswer: TypeAlias = Callable[[list[int]], Write]
    """From the numbers that events get, the write that keeps the answer to the request that made them."""

__all__ = ("KEEPALIVE_S", "MOST_BEHIND", "EventLog", "KeptAnswer", "RunningTurn", "Subscription")

MOST_BEHIND: Final = 1_024
"""Frames that a reader may be behind before its stream ends with ``resync``."""

KEEPALIVE_S: Final = 15.0
_PAGE: Final = 500


class RunningTurn(msgspec.Struct):
    """The text of the turn that is being streamed, for readers who come in the middle."""

    reasoning: str = ""
    text: str = ""

    @property
    def offset(self) -> int:
        return len(self.reasoning) + len(self.text)


class Subscription:
    """A reader's bounded queue. ``behind`` once it has overflowed, ``ended`` when the chat or the service is over."""

    def __init__(self, head: int, snapshot: SnapshotEvent | None) -> None:
        self.head = head
        self.snapshot = snapshot
        self.behind = False
        self.ended = False
        self._frames: deque[bytes] = deque()
        self._wake = asyncio.Event()

    def push(self, data: bytes) -> None:
        if self.behind or self.ended:
            return
        if len(self._frames) >= MOST_BEHIND:
            self._frames.clear()
            self.behind = True
        else:
            self._frames.append(data)
        self._wake.set()

    def end(self) -> None:
        self.ended = True
        self._wake.set()

    async def take(self) -> bytes:
        """All frames that wait, as one chunk; a keep-alive when none came in time; empty when the stream is over."""
        if not self._frames and not self.behind and not self.ended:
            self._wake.clear()
            try:
                async with asyncio.timeout(KEEPALIVE_S):
                    await self._wake.wait()
            except TimeoutError:
                return KEEPALIVE_FRAME
        chunk = b"".join(self._frames)
        self._frames.clear()
        return chunk


class EventLog:
    """The log of one chat. ``head`` is the number of the newest event; ``erased`` that the chat is gone with all of it,
    which readers are told at the end."""

    def __init__(self, database: Database, session_id: str, head: int = 0) -> None:
        self.session_id = session_id
        self.head = head
        self.erased = False
        self._database = database
        self._writing = asyncio.Lock()
        self._writes: set[asyncio.Task[list[int]]] = set()
        self._readers: set[Subscription] = set()
        self._turn: RunningTurn | None = None
        self._closed = False

    @property
    def readers(self) -> int:
        """How many streams are being read now."""
        return len(self._readers)

    async def append(self, event: Event) -> int:
        """Number, store, publish. Returns the number once the event is safe against a kill of the process."""
        return (await self.append_all([event]))[-1]

    async def append_all(
        self, events: list[Event], also: Write | None = None, answer: KeptAnswer | None = None
    ) -> list[int]:
        """Several events, ``also`` what they tell of, and the ``answer`` to the request that made them, as one
        transaction. A caller who is cancelled meanwhile leaves the log whole."""
        writing = asyncio.create_task(self._append(events, also, answer))
        self._writes.add(writing)
        writing.add_done_callback(self._writes.discard)
        return await asyncio.shield(writing)

    async def _append(self, events: list[Event], also: Write | None, answer: KeptAnswer | None) -> list[int]:
        async with self._writing:
            first = self.head + 1
            stored = [
                (first + place, msgspec.json.encode(numbered(event, first + place)))
                for place, event in enumerate(events)
            ]
            answering = None if answer is None else answer([seq for seq, _ in stored])
            await self._database.run(self._inserting(stored, also, answering))
            self.head += len(stored)
            if any(isinstance(event, AssistantTurnEvent) for event in events):
                self._turn = None
            data = b"".join(frame(body, seq) for seq, body in stored)
            for reader in self._readers if data else ():
                reader.push(data)
        return [seq for seq, _ in stored]

    def begin_turn(self) -> None:
        """From here on pieces are streamed; a reader who comes now gets a snapshot of them."""
        self._turn = RunningTurn()

    def stream(self, kind: str, text: str) -> None:
        """Publish a live piece of the running turn."""
        turn = self._turn
        if turn is None or not text:
            return
        if kind == "reasoning":
            event = DeltaEvent(kind="reasoning", text=text, offset=turn.offset)
            turn.reasoning += text
        else:
            event = DeltaEvent(kind="text", text=text, offset=turn.offset)
            turn.text += text
        data = frame(event, None)
        for reader in self._readers:
            reader.push(data)

    def end_turn(self) -> None:
        """The running turn is over: it was logged whole, or dropped."""
        self._turn = None

    def close(self) -> None:
        """End every reader's stream, also of those who come later."""
        self._closed = True
        for reader in self._readers:
            self._end(reader)

    async def follow(self, after_text: str | None) -> AsyncGenerator[bytes, None]:
        """The byte chunks of one reader's stream, from after a number on and then live."""
        after, refusal = self._parse_after(after_text)
        turn = self._turn
        snapshot = SnapshotEvent(reasoning=turn.reasoning, text=turn.text, offset=turn.offset) if turn else None
        reader = Subscription(self.head, snapshot)
        self._readers.add(reader)
        if self._closed:
            self._end(reader)
        try:
            hello = HelloEvent(head=reader.head, time=datetime.now(UTC), keepalive_s=KEEPALIVE_S)
            yield KEEPALIVE_FRAME + frame(hello, None)
            if refusal is not None:
                yield frame(refusal, None)
                return
            while after < reader.head:
                rows = await self._database.run(self._reading(after, min(reader.head, after + _PAGE)))
                if rows:  # none when the chat was erased meanwhile
                    yield b"".join(frame(body, seq) for seq, body in rows)
                after = min(reader.head, after + _PAGE)
            if reader.snapshot is not None:
                yield frame(reader.snapshot, None)
            while True:
                chunk = await reader.take()
                if chunk:
                    yield chunk
                if reader.behind:
                    yield frame(ResyncEvent(reason="behind"), None)
                    return
                if reader.ended and not chunk:
                    return
        finally:
            self._readers.discard(reader)

    async def read(self, after: int, up_to: int | None = None) -> list[bytes]:
        """Stored events after a number, as JSON."""
        rows = await self._database.run(self._reading(after, self.head if up_to is None else up_to))
        return [body for _, body in rows]

    def _end(self, reader: Subscription) -> None:
        if self.erased:
            reader.push(frame(ResyncEvent(reason="ended"), None))
        reader.end()

    def _parse_after(self, text: str | None) -> tuple[int, ResyncEvent | None]:
        if text is None or text == "":
            return 0, None
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            return 0, ResyncEvent(reason="bad_after")
        after = int(text)
        return (after, None) if after <= self.head else (0, ResyncEvent(reason="future_after"))

    def _inserting(self, rows: list[tuple[int, bytes]], *others: Write | None) -> Write:
        values = [(self.session_id, seq, body) for seq, body in rows]

        def insert(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)", values)
            for other in others:
                if other is not None:
                    other(connection)

        return insert

    def _reading(self, after: int, up_to: int) -> Callable[[sqlite3.Connection], list[tuple[int, bytes]]]:
        def read(connection: sqlite3.Connection) -> list[tuple[int, bytes]]:
            query = "SELECT seq, body FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq"
            return connection.execute(query, (self.session_id, after, up_to)).fetchall()

        return read
