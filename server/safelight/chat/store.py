"""What is kept of chats in ``safelight.db``: the sessions, their transcripts and the whole results of their calls.

Of a chat token only the hash is kept; of connections only whose they are.
"""

from __future__ import annotations

import contextlib
import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.chat.standing import Standing
from safelight.conversation.parts import History, Message
from safelight.conversation.sampling import Sampling
from safelight.engines.engine import GrammarName
from safelight.errors import Conflict
from safelight.models.chat_model import EngineWishes
from safelight.wire.models import CallResult, Mode, Provider

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Generator, Sequence

    from safelight.catalog.database import Database

__all__ = ("SCHEMA", "ChatRecord", "ChatStore", "StoredChat", "refusing_damage")

logger = logging.getLogger(__name__)

SCHEMA: Final = """
CREATE TABLE sessions (session_id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, body BLOB NOT NULL);
CREATE TABLE events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, body BLOB NOT NULL,
                     PRIMARY KEY (session_id, seq)) WITHOUT ROWID;
CREATE TABLE transcript (session_id TEXT NOT NULL, position INTEGER NOT NULL, body BLOB NOT NULL,
                         PRIMARY KEY (session_id, position)) WITHOUT ROWID;
CREATE TABLE results (session_id TEXT NOT NULL, call_id TEXT NOT NULL, body BLOB NOT NULL,
                      PRIMARY KEY (session_id, call_id)) WITHOUT ROWID;
"""

_PARTS: Final = ("sessions", "events", "transcript", "results", "keyed_answers", "log_days")
"""The tables with a ``session_id``, from which a chat is erased."""

_ROW: Final = (
    "SELECT body, last_active, title, running, providers,"
    " (SELECT coalesce(max(seq), 0) FROM events WHERE events.session_id = sessions.session_id) FROM sessions"
)

_MESSAGE: Final = msgspec.json.Decoder(Message)
_DAMAGE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class ChatRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A chat as it is kept. ``model`` is empty where it was opened for the inbox and takes no messages."""

    session_id: str
    token_hash: str
    model: str
    created: datetime
    mode: Mode | None = None
    sends_to: str | None = None
    temperature: float = 0.0
    top_p: float = 1.0
    min_p: float = 0.0
    seed: int | None = None
    context_tokens: int | None = None
    parallel: int | None = None
    grammar: GrammarName | None = None

    @property
    def sampling(self) -> Sampling:
        return Sampling(temperature=self.temperature, top_p=self.top_p, min_p=self.min_p, seed=self.seed)

    @property
    def wishes(self) -> EngineWishes:
        return EngineWishes(context_tokens=self.context_tokens, parallel=self.parallel, grammar=self.grammar)


class StoredChat(msgspec.Struct, frozen=True, kw_only=True):
    """A chat as it is found. ``providers`` are those of the connections that it was given, ``head`` is the number of
    its newest event."""

    record: ChatRecord
    standing: Standing
    providers: tuple[Provider, ...]
    head: int


class ChatStore:
    """Reads and writes chats; every coroutine is one transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, chat: StoredChat) -> None:
        """Keep a chat that has no events yet."""
        record, standing = chat.record, chat.standing
        providers = msgspec.json.encode(chat.providers).decode()
        body = msgspec.json.encode(record)
        row = (record.session_id, record.token_hash, body, standing.last_active.timestamp(), standing.title, providers)

        def insert(connection: sqlite3.Connection) -> None:
            columns = "session_id, token_hash, body, last_active, title, providers"
            connection.execute(f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?, ?)", row)  # noqa: S608  # own names

        await self.database.run(insert)

    async def keep_providers(self, session_id: str, providers: tuple[Provider, ...]) -> None:
        """Whose connections the chat needs."""
        row = (msgspec.json.encode(providers).decode(), session_id)

        def update(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE sessions SET providers = ? WHERE session_id = ?", row)

        await self.database.run(update)

    async def erase(self, session_ids: Sequence[str]) -> None:
        """Take the chats and all that belongs to them away; afterwards the files of the database hold none of it."""

        def delete(connection: sqlite3.Connection) -> None:
            for table in _PARTS:
                query = f"DELETE FROM {table} WHERE session_id = ?"  # noqa: S608  # own names
                connection.executemany(query, [(session_id,) for session_id in session_ids])

        await self.database.run(delete)
        await self.database.checkpoint()

    async def erase_all(self) -> None:
        """Take every chat away, likewise."""

        def delete(connection: sqlite3.Connection) -> None:
            for table in _PARTS:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608  # own names

        await self.database.run(delete)
        await self.database.checkpoint()

    async def token_hashes(self) -> list[tuple[str, str]]:
        """The hash of every chat's token, and whose it is."""

        def read(connection: sqlite3.Connection) -> list[tuple[str, str]]:
            return connection.execute("SELECT token_hash, session_id FROM sessions").fetchall()

        return await self.database.run(read)

    async def cut_off(self) -> list[str]:
        """The chats with a run that never came to its end."""

        def read(connection: sqlite3.Connection) -> list[tuple[str]]:
            return connection.execute("SELECT session_id FROM sessions WHERE running = 1").fetchall()

        return [session_id for (session_id,) in await self.database.run(read)]

    async def older_than(self, when: datetime) -> list[str]:
        """The chats whose newest event is older, and in which no run goes on."""

        def read(connection: sqlite3.Connection) -> list[tuple[str]]:
            query = "SELECT session_id FROM sessions WHERE last_active < ? AND running = 0"
            return connection.execute(query, (when.timestamp(),)).fetchall()

        return [session_id for (session_id,) in await self.database.run(read)]

    async def all(self) -> list[StoredChat]:
        """Every chat that can be read, in the order in which they were opened."""
        rows = await self.database.run(lambda connection: connection.execute(f"{_ROW} ORDER BY rowid").fetchall())
        found: list[StoredChat] = []
        for row in rows:
            try:
                found.append(_stored(row))
            except _DAMAGE as error:
                logger.warning("A conversation is damaged and cannot be listed: %s", error)
        return found

    async def one(self, session_id: str) -> tuple[StoredChat, History] | None:
        """A chat and the conversation so far, where there is such a chat. ``Conflict`` where it is damaged."""

        def read(connection: sqlite3.Connection) -> tuple[Any, list[tuple[bytes]]]:
            row = connection.execute(f"{_ROW} WHERE session_id = ?", (session_id,)).fetchone()
            query = "SELECT body FROM transcript WHERE session_id = ? ORDER BY position"
            return row, connection.execute(query, (session_id,)).fetchall()

        row, messages = await self.database.run(read)
        with refusing_damage():
            return None if row is None else (_stored(row), tuple(_MESSAGE.decode(body) for (body,) in messages))

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
        """A call's whole result, where it has one. ``Conflict`` where it is damaged."""

        def read(connection: sqlite3.Connection) -> tuple[bytes] | None:
            query = "SELECT body FROM results WHERE session_id = ? AND call_id = ?"
            return connection.execute(query, (session_id, call_id)).fetchone()

        row = await self.database.run(read)
        with refusing_damage():
            return msgspec.json.decode(row[0], type=CallResult) if row else None


@contextlib.contextmanager
def refusing_damage() -> Generator[None]:
    """What is read of a chat within: where it is damaged, a ``Conflict`` says so."""
    try:
        yield
    except _DAMAGE as error:
        text = f"This chat is damaged and cannot be read ({error}). Delete it, or put a backup back."
        raise Conflict(text) from None


def _stored(row: tuple[Any, ...]) -> StoredChat:
    body, last_active, title, running, providers, head = row
    return StoredChat(
        record=msgspec.json.decode(body, type=ChatRecord),
        standing=Standing.read(last_active, title, running),
        providers=msgspec.json.decode(providers, type=tuple[Provider, ...]),
        head=head,
    )
