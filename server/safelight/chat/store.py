"""What is kept of chats in ``safelight.db``: the sessions, their transcripts and the whole results of their calls.

Of a chat token only the hash is kept; of connections nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.conversation.parts import History, Message
from safelight.wire.models import CallResult, Mode

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from safelight.catalog.database import Database

__all__ = ("SCHEMA", "ChatRecord", "ChatStore")

SCHEMA: Final = """
CREATE TABLE sessions (session_id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, body BLOB NOT NULL);
CREATE TABLE events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,
                     PRIMARY KEY (session_id, seq)) WITHOUT ROWID;
CREATE TABLE transcript (session_id TEXT NOT NULL, position INTEGER NOT NULL, body BLOB NOT NULL,
                         PRIMARY KEY (session_id, position)) WITHOUT ROWID;
CREATE TABLE results (session_id TEXT NOT NULL, call_id TEXT NOT NULL, body BLOB NOT NULL,
                      PRIMARY KEY (session_id, call_id)) WITHOUT ROWID;
"""

_MESSAGE: Final = msgspec.json.Decoder(Message)


class ChatRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A chat as it is kept."""

    session_id: str
    token_hash: str
    model: str
    created: datetime
    mode: Mode | None = None
    sends_to: str | None = None
    temperature: float = 0.0


class ChatStore:
    """Reads and writes chats; every coroutine is one transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, record: ChatRecord) -> None:
        body = msgspec.json.encode(record)

        def insert(connection: sqlite3.Connection) -> None:
            row = (record.session_id, record.token_hash, body)
            connection.execute("INSERT INTO sessions (session_id, token_hash, body) VALUES (?, ?, ?)", row)

        await self.database.run(insert)

    async def erase(self, session_id: str) -> None:
        """Take the chat and all that belongs to it away."""

        def delete(connection: sqlite3.Connection) -> None:
            for table in ("sessions", "events", "transcript", "results"):
                connection.execute(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))  # noqa: S608  # own names

        await self.database.run(delete)

    async def all(self) -> list[tuple[ChatRecord, int]]:
        """Every chat with the number of its newest event."""

        def read(connection: sqlite3.Connection) -> list[tuple[bytes, int]]:
            query = (
                "SELECT body, (SELECT coalesce(max(seq), 0) FROM events WHERE events.session_id = sessions.session_id)"
                " FROM sessions ORDER BY rowid"
            )
            return connection.execute(query).fetchall()

        rows = await self.database.run(read)
        return [(msgspec.json.decode(body, type=ChatRecord), head) for body, head in rows]

    async def history(self, session_id: str) -> History:
        """The conversation so far."""

        def read(connection: sqlite3.Connection) -> list[tuple[bytes]]:
            query = "SELECT body FROM transcript WHERE session_id = ? ORDER BY position"
            return connection.execute(query, (session_id,)).fetchall()

        return tuple(_MESSAGE.decode(body) for (body,) in await self.database.run(read))

    def saying(self, session_id: str, position: int, message: Message) -> Callable[[sqlite3.Connection], None]:
        """The write that keeps one more message of the conversation. Part of the transaction of the events that tell of
        it, so that a kill leaves both or neither."""
        row = (session_id, position, msgspec.json.encode(message))

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT INTO transcript (session_id, position, body) VALUES (?, ?, ?)", row)

        return insert

    def keeping(self, session_id: str, result: CallResult) -> Callable[[sqlite3.Connection], None]:
        """The write that keeps a call's whole result for the page."""
        row = (session_id, result.call_id, msgspec.json.encode(result))

        def insert(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO results (session_id, call_id, body) VALUES (?, ?, ?)", row)

        return insert

    async def result(self, session_id: str, call_id: str) -> CallResult | None:
        """A call's whole result, where it has one."""

        def read(connection: sqlite3.Connection) -> tuple[bytes] | None:
            query = "SELECT body FROM results WHERE session_id = ? AND call_id = ?"
            return connection.execute(query, (session_id, call_id)).fetchone()

        row = await self.database.run(read)
        return msgspec.json.decode(row[0], type=CallResult) if row else None
