"""How old the events of a log are that has no chat: its head at the beginning of each day (pure SQL)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3
    from datetime import date

__all__ = ("LOG_DAYS_SCHEMA", "forget_days", "head_before", "known_head", "note_day")

LOG_DAYS_SCHEMA: Final = """
CREATE TABLE log_days (session_id TEXT NOT NULL, day TEXT NOT NULL, head INTEGER NOT NULL,
                       PRIMARY KEY (session_id, day)) WITHOUT ROWID;
"""


def note_day(connection: sqlite3.Connection, session_id: str, day: date, head: int) -> None:
    """This is the head on that day. The first that is noted on a day counts."""
    row = (session_id, day.isoformat(), head)
    connection.execute("INSERT OR IGNORE INTO log_days (session_id, day, head) VALUES (?, ?, ?)", row)


def head_before(connection: sqlite3.Connection, session_id: str, day: date) -> int:
    """The number up to which all events were there before the day began; 0 where nobody noted it."""
    query = "SELECT coalesce(max(head), 0) FROM log_days WHERE session_id = ? AND day < ?"
    return connection.execute(query, (session_id, day.isoformat())).fetchone()[0]


def forget_days(connection: sqlite3.Connection, session_id: str, day: date) -> None:
    """Forget what was noted before the day."""
    connection.execute("DELETE FROM log_days WHERE session_id = ? AND day < ?", (session_id, day.isoformat()))


def known_head(connection: sqlite3.Connection, session_id: str) -> int:
    """The newest number that was ever noted: events are numbered on from there when all have been erased."""
    query = "SELECT coalesce(max(head), 0) FROM log_days WHERE session_id = ?"
    return connection.execute(query, (session_id,)).fetchone()[0]
