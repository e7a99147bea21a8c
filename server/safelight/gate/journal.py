"""The journal: what was changed in a catalog, when, by whom, from what to what. It is what undo works from.

What is about to change is written down before it is sent to Lightroom, as *unknown*, and settled afterwards: whatever
dies in between, nothing that may have happened is missing here.
"""

from __future__ import annotations

import asyncio
import secrets
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

from safelight.catalog.fold import fold
from safelight.errors import ToolError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from safelight.catalog.database import Database

__all__ = (
    "JOURNAL_SCHEMA",
    "ChangeKind",
    "ChangeRecord",
    "Entry",
    "ItemState",
    "Journal",
    "JournalChange",
    "JournalItem",
)

ItemState: TypeAlias = Literal["done", "failed", "unknown", "undone"]

ChangeKind: TypeAlias = Literal["values", "keywords", "develop", "membership", "collection", "lasting"]
"""What an undo has to do: write values, keywords or develop settings back, take photos out of a collection or put them
in again, delete a collection or make it again. ``lasting`` changes cannot be undone."""

JOURNAL_SCHEMA: Final = """
CREATE TABLE changes (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    change_id TEXT NOT NULL UNIQUE,
    time TEXT NOT NULL,
    tool TEXT NOT NULL,
    by TEXT NOT NULL,
    catalog_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject BLOB NOT NULL,
    undoes TEXT
);
CREATE TABLE change_items (
    n INTEGER NOT NULL REFERENCES changes (n) ON DELETE CASCADE,
    item_id TEXT NOT NULL,
    name TEXT NOT NULL,
    before BLOB NOT NULL,
    after BLOB NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (n, item_id)
) WITHOUT ROWID;
"""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One photo or collection of a change. ``before`` and ``after`` hold the same names, with values for JSON."""

    item_id: str
    name: str
    before: dict[str, Any]
    after: dict[str, Any]


class JournalItem(Entry, frozen=True, kw_only=True):
    """An entry, and what is known of it now."""

    state: ItemState


class JournalChange(msgspec.Struct, frozen=True, kw_only=True):
    """A change, with how many of its items are in which state."""

    change_id: str
    time: str
    tool: str
    by: str
    catalog_id: str
    kind: ChangeKind
    undoes: str | None
    states: dict[ItemState, int]

    @property
    def changed(self) -> int:
        """How many photos or collections it changed, or may have changed."""
        return sum(count for state, count in self.states.items() if state != "failed")

    @property
    def left(self) -> int:
        """How many of them have not been taken back."""
        return self.states.get("done", 0) + self.states.get("unknown", 0)


class Journal:
    """All changes that Safelight made. ``now`` gives the local time."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now
        self.turn = asyncio.Lock()
        """Held from looking at photos until what was done to them is settled, so that the before-values are those that
        the write met: changes that are made at the same time take turns."""

    def begin(
        self,
        *,
        tool: str,
        by: str,
        catalog_id: str,
        kind: ChangeKind,
        subject: dict[str, Any] | None = None,
        undoes: str | None = None,
    ) -> ChangeRecord:
        """A change that is going to be made. It stands in the journal from its first ``intend`` on. ``subject`` is
        what an undo has to know besides the items (e.g. the collection; for ``lasting`` changes the ``why``, a
        sentence); ``undoes`` names the change that this one takes back."""
        values = (tool, by, catalog_id, kind, msgspec.json.encode(subject or {}), undoes)
        return ChangeRecord(self._database, self.turn, self._now, values, undoes)

    async def changes(
        self, limit: int = 50, before: str | None = None, query: str = ""
    ) -> tuple[tuple[JournalChange, ...], str | None]:
        """The newest changes (before the one named), and where the next page begins. All words of ``query`` must occur
        in the tool's name, who made the change, or an item's name or values, without regard to case and accents."""
        words = fold(query).split()
        found: list[JournalChange] = []
        while True:
            page, following = await self._database.run(partial(_page, limit=limit, before=before))
            for change in page:
                if not await self._has(change, words):
                    continue
                if len(found) == limit:
                    return tuple(found), found[-1].change_id
                found.append(change)
            if following is None:
                return tuple(found), None
            before = following

    async def _has(self, change: JournalChange, words: Sequence[str]) -> bool:
        """Looks at a part of the items at a time, so that nobody else waits long for the database."""
        missing = tuple(word for word in words if word not in fold(f"{change.tool} {change.by}"))
        after: str | None = ""
        while missing and after is not None:
            look = partial(_words_after, change_id=change.change_id, item_id=after, words=missing)
            missing, after = await self._database.run(look)
        return not missing

    async def change(self, change_id: str) -> JournalChange:
        """One change. Raises ``ToolError`` CHANGE_UNKNOWN."""
        found = await self._database.run(lambda connection: _one(connection, change_id))
        if found is None:
            raise _unknown(change_id)
        return found

    async def subject(self, change_id: str) -> dict[str, Any]:
        """What the change's items have in common. Raises ``ToolError`` CHANGE_UNKNOWN."""
        query = "SELECT subject FROM changes WHERE change_id = ?"
        row = await self._database.run(lambda connection: connection.execute(query, (change_id,)).fetchone())
        if row is None:
            raise _unknown(change_id)
        return msgspec.json.decode(row[0])

    async def items(self, change_id: str, limit: int | None = None) -> tuple[JournalItem, ...]:
        """The items of a change, in the order of their ids."""
        return await self._database.run(lambda connection: _items(connection, change_id, limit))


class ChangeRecord:
    """A change while it is made. ``turn`` is the journal's."""

    def __init__(
        self,
        database: Database,
        turn: asyncio.Lock,
        now: Callable[[], datetime],
        values: tuple[Any, ...],
        undoes: str | None,
    ) -> None:
        self.turn = turn
        self._database = database
        self._now = now
        self._values = values
        self._undoes = undoes
        self._number: int | None = None
        self._new_id = f"change_{secrets.token_hex(6)}"
        self._has_happened = False

    @property
    def change_id(self) -> str | None:
        """Its id, once something has been changed or may have been."""
        return self._new_id if self._has_happened else None

    async def intend(self, entries: Sequence[Entry]) -> None:
        """Write down what is about to be sent; it counts as unknown until it is settled."""
        self._number = await self._database.run(lambda connection: self._write(connection, entries))

    async def settle(
        self,
        done: Mapping[str, Entry],
        failed: Iterable[str] = (),
        unknown: Iterable[str] = (),
        *,
        in_part: Iterable[str] = (),
    ) -> None:
        """What came of it, by the ids that were intended. ``done`` entries take the place of the intended ones and may
        have ids of their own; those that are ``in_part`` have not become what was intended. ``failed`` items are as
        they were before. What is named nowhere stays unknown, and ``unknown`` says that there is such."""
        number = self._number
        if number is None:
            return
        failed, as_intended = tuple(failed), tuple(done.keys() - frozenset(in_part))
        self._has_happened = self._has_happened or bool(done) or bool(tuple(unknown))
        await self._database.run(lambda connection: self._settle(connection, number, done, failed, as_intended))

    async def held_already(self, item_ids: Sequence[str]) -> None:
        """These are as wanted without a write. Where a change is taken back, nothing of it is left in them; that is
        written down too, so that it can be taken back like the rest."""
        if self._undoes is not None and item_ids:
            self._number = await self._database.run(lambda connection: self._write_held(connection, item_ids))
            self._has_happened = self._has_happened or self._number is not None

    def _write(self, connection: sqlite3.Connection, entries: Sequence[Entry]) -> int:
        number = self._begun(connection)
        connection.executemany(
            "INSERT INTO change_items (n, item_id, name, before, after, state) VALUES (?, ?, ?, ?, ?, 'unknown')",
            ((number, *_encoded(entry)) for entry in entries),
        )
        return number

    def _write_held(self, connection: sqlite3.Connection, item_ids: Sequence[str]) -> int | None:
        left = connection.execute(
            "SELECT item_id, i.name, before FROM change_items i JOIN changes USING (n) WHERE change_id = ? "
            "AND state IN ('done', 'unknown') AND item_id IN (SELECT value FROM json_each(?))",
            (self._undoes, msgspec.json.encode(item_ids).decode()),
        ).fetchall()
        if not left:
            return self._number
        number = self._begun(connection)
        connection.executemany(
            "INSERT INTO change_items (n, item_id, name, before, after, state) VALUES (?, ?, ?, ?, ?, 'done')",
            ((number, item_id, name, before, before) for item_id, name, before in left),
        )
        self._mark_undone(connection, [item_id for item_id, _, _ in left])
        return number

    def _begun(self, connection: sqlite3.Connection) -> int:
        if self._number is not None:
            return self._number
        row = connection.execute(
            "INSERT INTO changes (change_id, time, tool, by, catalog_id, kind, subject, undoes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING n",
            (self._new_id, self._now().isoformat(timespec="seconds"), *self._values),
        )
        return int(row.fetchone()[0])

    def _settle(
        self,
        connection: sqlite3.Connection,
        number: int,
        done: Mapping[str, Entry],
        failed: Sequence[str],
        as_intended: Sequence[str],
    ) -> None:
        connection.executemany(
            "UPDATE change_items SET item_id = ?, name = ?, before = ?, after = ?, state = 'done' "
            "WHERE n = ? AND item_id = ?",
            ((*_encoded(entry), number, intended) for intended, entry in done.items()),
        )
        connection.executemany(
            "UPDATE change_items SET state = 'failed' WHERE n = ? AND item_id = ?", ((number, i) for i in failed)
        )
        if self._undoes is not None:
            self._mark_undone(connection, as_intended)

    def _mark_undone(self, connection: sqlite3.Connection, item_ids: Iterable[str]) -> None:
        """Of the change that was taken back; what that one had taken back is in force again, and so on."""
        item_ids = tuple(item_ids)
        change_id, state = self._undoes, "undone"
        while change_id is not None:
            number, kind, following = connection.execute(
                "SELECT n, kind, undoes FROM changes WHERE change_id = ?", (change_id,)
            ).fetchone()
            # A collection that was made again has another id; a change of one has no other item.
            which = "?2 IS NOT NULL" if kind == "collection" else "item_id = ?2"
            connection.executemany(
                f"UPDATE change_items SET state = ?3 WHERE n = ?1 AND {which} AND state != 'failed'",  # noqa: S608  # a constant
                ((number, item_id, state) for item_id in item_ids),
            )
            change_id, state = following, "done" if state == "undone" else "undone"


def _unknown(change_id: str) -> ToolError:
    return ToolError("CHANGE_UNKNOWN", f"There is no change {change_id}. Use the change_id of an earlier answer.")


def _encoded(entry: Entry) -> tuple[str, str, bytes, bytes]:
    return entry.item_id, entry.name, msgspec.json.encode(entry.before), msgspec.json.encode(entry.after)


_COLUMNS: Final = "n, change_id, time, tool, by, catalog_id, kind, undoes"
_HAPPENED: Final = "EXISTS (SELECT 1 FROM change_items i WHERE i.n = changes.n AND i.state != 'failed')"
_LOOKED_AT: Final = 500
"""Items that a search reads at a time."""


def _page(
    connection: sqlite3.Connection, limit: int, before: str | None
) -> tuple[tuple[JournalChange, ...], str | None]:
    older = "" if before is None else "AND n < (SELECT n FROM changes WHERE change_id = ?)"
    rows = connection.execute(
        # Only constants of this module are put together; every value is a parameter.
        f"SELECT {_COLUMNS} FROM changes WHERE {_HAPPENED} {older} ORDER BY n DESC LIMIT ?",  # noqa: S608
        (*(() if before is None else (before,)), limit + 1),
    ).fetchall()
    found = tuple(_change(connection, row) for row in rows[:limit])
    return found, found[-1].change_id if len(rows) > limit else None


def _words_after(
    connection: sqlite3.Connection, change_id: str, item_id: str, words: Sequence[str]
) -> tuple[tuple[str, ...], str | None]:
    """The words that none of the next items has, and the last of these items; None when there are no more."""
    rows = connection.execute(
        "SELECT item_id, i.name || ' ' || before || ' ' || after FROM change_items i JOIN changes USING (n) "
        "WHERE change_id = ? AND item_id > ? ORDER BY item_id LIMIT ?",
        (change_id, item_id, _LOOKED_AT),
    ).fetchall()
    text = fold("\n".join(text for _, text in rows))
    last = rows[-1][0] if len(rows) == _LOOKED_AT else None
    return tuple(word for word in words if word not in text), last


def _one(connection: sqlite3.Connection, change_id: str) -> JournalChange | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM changes WHERE change_id = ?", (change_id,)).fetchone()  # noqa: S608  # a constant
    return None if row is None else _change(connection, row)


def _change(connection: sqlite3.Connection, row: tuple[Any, ...]) -> JournalChange:
    number, change_id, time, tool, by, catalog_id, kind, undoes = row
    counts = connection.execute("SELECT state, count(*) FROM change_items WHERE n = ? GROUP BY state", (number,))
    return JournalChange(
        change_id=change_id,
        time=time,
        tool=tool,
        by=by,
        catalog_id=catalog_id,
        kind=kind,
        undoes=undoes,
        states=dict(counts.fetchall()),
    )


def _items(connection: sqlite3.Connection, change_id: str, limit: int | None) -> tuple[JournalItem, ...]:
    rows = connection.execute(
        "SELECT item_id, i.name, before, after, state FROM change_items i JOIN changes USING (n) WHERE change_id = ? "
        "ORDER BY item_id LIMIT ?",
        (change_id, -1 if limit is None else limit),
    )
    return tuple(
        JournalItem(
            item_id=item_id,
            name=name,
            before=msgspec.json.decode(before),
            after=msgspec.json.decode(after),
            state=state,
        )
        for item_id, name, before, after, state in rows
    )
