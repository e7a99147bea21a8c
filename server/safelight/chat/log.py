"""A chat's event log: one writer, numbers without gaps, replay that goes live without a gap or a double.

An append gives the next number, stores the event in one transaction and only then publishes it. A subscription is
taken in one step of the event loop: it notes the head, copies the running turn, and from then on gets every published
frame; what is older than that head comes from the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections import deque
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from safelight.chat.frames import KEEPALIVE_FRAME, frame, numbered
from safelight.wire.models import (
    ApprovalResolvedEvent,
    AssistantTurnEvent,
    DeltaEvent,
    Event,
    HelloEvent,
    PrefillEvent,
    ResyncEvent,
    SnapshotEvent,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncGenerator, Callable

    from safelight.catalog.database import Database
    from safelight.chat.standing import Standing

    Write: TypeAlias = Callable[[sqlite3.Connection], None]
    """A part of the transaction that it is given to."""

    KeptAnswer: TypeAlias = Callable[[list[int]], Write]
    """From the numbers that events get, the write that keeps the answer to the request that made them."""

__all__ = ("KEEPALIVE_S", "MOST_BEHIND", "MOST_BYTES", "EventLog", "KeptAnswer", "RunningTurn", "Subscription")

MOST_BEHIND: Final = 1_024
"""Frames that a reader may be behind before its stream ends with ``resync``."""

MOST_BYTES: Final = 8_388_608
"""Of the frames that wait for a reader, before its stream ends likewise. One frame alone is never too many."""

KEEPALIVE_S: Final = 15.0
_PAGE_BYTES: Final = 262_144
"""Of a replay, that are read and sent at a time."""


class RunningTurn(msgspec.Struct):
    """The text of the turn that is being streamed, for readers who come in the middle."""

    reasoning: list[str] = []
    text: list[str] = []
    """Pieces: to join them at each would take the square of the time."""
    offset: int = 0

    def snapshot(self) -> SnapshotEvent:
        return SnapshotEvent(reasoning="".join(self.reasoning), text="".join(self.text), offset=self.offset)


class Subscription:
    """A reader's bounded queue. ``behind`` once it has overflowed, ``ended`` when the chat or the service is over."""

    def __init__(self, head: int, snapshot: SnapshotEvent | None) -> None:
        self.head = head
        self.snapshot = snapshot
        self.behind = False
        self.ended = False
        self._frames: deque[bytes] = deque()
        self.waiting_bytes = 0
        self._wake = asyncio.Event()

    def push(self, data: bytes) -> None:
        if self.behind or self.ended:
            return
        self._frames.append(data)
        self.waiting_bytes += len(data)
        if len(self._frames) > MOST_BEHIND or (self.waiting_bytes > MOST_BYTES and len(self._frames) > 1):
            self._frames.clear()
            self.waiting_bytes = 0
            self.behind = True
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
        self.waiting_bytes = 0
        return chunk


class EventLog:
    """The log of one chat. ``head`` is the number of the newest event; ``standing`` what the list of chats says of it,
    for one that stands there; ``erased`` that the chat is gone with all of it, which readers are told at the end. Where
    only the newest ``most_kept`` events are kept, ``first`` is the number of the oldest of them."""

    def __init__(
        self,
        database: Database,
        session_id: str,
        head: int = 0,
        standing: Standing | None = None,
        *,
        first: int = 1,
        most_kept: int | None = None,
    ) -> None:
        self.session_id = session_id
        self.head = head
        self.standing = self._kept_standing = standing
        self.erased = False
        self.first = first
        self._most_kept = most_kept
        self._database = database
        self._writing = asyncio.Lock()
        self._writes: set[asyncio.Task[list[int]]] = set()
        self._readers: set[Subscription] = set()
        self._left_alone = time.monotonic()
        self._turn: RunningTurn | None = None
        self._closed = False

    @property
    def readers(self) -> int:
        """How many streams are being read now."""
        return len(self._readers)

    def unattended_s(self) -> float:
        """Seconds since the last reader left, or since the log was made when none has come yet; 0.0 while one reads."""
        return 0.0 if self._readers else time.monotonic() - self._left_alone

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
            standing = self.standing.after(events, datetime.now(UTC)) if self.standing and events else None
            due = standing if standing and self._kept_standing and standing.is_due(self._kept_standing) else None
            keeping = None if due is None else due.keeping(self.session_id)
            oldest = self._oldest_kept(self.head + len(stored))
            erasing = self._erasing(oldest) if oldest > self.first else None
            await self._database.run(self._inserting(stored, erasing, keeping, also, answering))
            self.head += len(stored)
            self.first = oldest
            self.standing = standing or self.standing
            self._kept_standing = due or self._kept_standing
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
            turn.reasoning.append(text)
        else:
            event = DeltaEvent(kind="text", text=text, offset=turn.offset)
            turn.text.append(text)
        turn.offset += len(text)
        self._push(event)

    def say_prefill(self, done: int, total: int) -> None:
        """Publish how far the model has read, in tokens."""
        self._push(PrefillEvent(done=done, total=total))

    def _push(self, event: DeltaEvent | PrefillEvent) -> None:
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

    async def follow(self, after: str | None, last_event_id: str | None = None) -> AsyncGenerator[bytes, None]:
        """The byte chunks of one reader's stream, from after a number on and then live. The number is the larger of
        what the reader asks for and what its browser says that it got last; where one of them makes no sense the stream
        is a ``resync`` that says why."""
        seen, refusal = self._parse_both(after, last_event_id)
        turn = self._turn
        snapshot = turn.snapshot() if turn else None
        reader = Subscription(self.head, snapshot)
        self._readers.add(reader)
        if self._closed:
            self._end(reader)
        try:
            first = self.first if self.first > 1 else msgspec.UNSET
            hello = HelloEvent(head=reader.head, first=first, time=datetime.now(UTC), keepalive_s=KEEPALIVE_S)
            yield KEEPALIVE_FRAME + frame(hello, None)
            if refusal is not None:
                yield frame(refusal, None)
                return
            while seen < reader.head:
                rows = await self._database.run(self._reading(seen, reader.head, _PAGE_BYTES))
                if not rows:  # the chat was erased meanwhile
                    break
                yield b"".join(frame(body, seq) for seq, body in rows)
                seen = rows[-1][0]
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
            self._left_alone = time.monotonic()

    async def read(self, after: int, up_to: int | None = None) -> list[bytes]:
        """Stored events after a number, as JSON."""
        rows = await self._database.run(self._reading(after, self.head if up_to is None else up_to))
        return [body for _, body in rows]

    async def has_resolved(self, call_id: str) -> bool:
        """Whether a question about this call has ended."""
        begins = b'{"type":"approval_resolved"'

        def read(connection: sqlite3.Connection) -> bool:
            query = "SELECT body FROM events WHERE session_id = ? AND substr(body, 1, ?) = ?"
            found = connection.execute(query, (self.session_id, len(begins), begins)).fetchall()
            return any(msgspec.json.decode(body, type=ApprovalResolvedEvent).call_id == call_id for (body,) in found)

        return await self._database.run(read)

    async def erase_before(self, seq: int, also: Write) -> None:
        """Erase the events with smaller numbers, and do ``also`` in the same step."""
        async with self._writing:
            oldest = max(self.first, min(seq, self.head + 1))
            await self._database.run(self._inserting([], self._erasing(oldest), also))
            self.first = oldest
        await self._database.checkpoint()

    def _end(self, reader: Subscription) -> None:
        if self.erased:
            reader.push(frame(ResyncEvent(reason="ended"), None))
        reader.end()

    def _parse_both(self, after: str | None, last_event_id: str | None) -> tuple[int, ResyncEvent | None]:
        asked, refusal = self._parse_after(after)
        got, other = self._parse_after(last_event_id)
        return max(asked, got), refusal or other

    def _parse_after(self, text: str | None) -> tuple[int, ResyncEvent | None]:
        if text is None or text == "":
            return 0, None
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            return 0, ResyncEvent(reason="bad_after")
        after = int(text)
        return (after, None) if after <= self.head else (0, ResyncEvent(reason="future_after"))

    def _oldest_kept(self, head: int) -> int:
        return self.first if self._most_kept is None else max(self.first, head - self._most_kept + 1)

    def _erasing(self, oldest: int) -> Write:
        def erase(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM events WHERE session_id = ? AND seq < ?", (self.session_id, oldest))

        return erase

    def _inserting(self, rows: list[tuple[int, bytes]], *others: Write | None) -> Write:
        values = [(self.session_id, seq, body) for seq, body in rows]

        def insert(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)", values)
            for other in others:
                if other is not None:
                    other(connection)

        return insert

    def _reading(
        self, after: int, up_to: int, enough_bytes: float = math.inf
    ) -> Callable[[sqlite3.Connection], list[tuple[int, bytes]]]:
        def read(connection: sqlite3.Connection) -> list[tuple[int, bytes]]:
            query = "SELECT seq, body FROM events WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq"
            rows: list[tuple[int, bytes]] = []
            size = 0
            with contextlib.closing(connection.execute(query, (self.session_id, after, up_to))) as found:
                for seq, body in found:
                    rows.append((seq, body))
                    size += len(body)
                    if size >= enough_bytes:
                        break
            return rows

        return read
