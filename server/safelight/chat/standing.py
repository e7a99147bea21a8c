"""What the list of chats says of one besides its model, kept in the transaction of the events (pure)."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.wire.models import BusyEvent, Event, UserMessageEvent

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

__all__ = ("STANDING_SCHEMA", "Standing", "title_of")

STANDING_SCHEMA: Final = """
ALTER TABLE sessions ADD COLUMN last_active REAL NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN running INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN providers TEXT NOT NULL DEFAULT '[]';
UPDATE sessions SET
    last_active = (julianday('now') - 2440587.5) * 86400.0,
    title = coalesce((SELECT substr(json_extract(CAST(e.body AS TEXT), '$.text'), 1, 400) FROM events e
                      WHERE e.session_id = sessions.session_id
                        AND json_extract(CAST(e.body AS TEXT), '$.type') = 'user_message' ORDER BY e.seq LIMIT 1), ''),
    running = coalesce((SELECT json_extract(CAST(e.body AS TEXT), '$.busy') FROM events e
                        WHERE e.session_id = sessions.session_id
                          AND json_extract(CAST(e.body AS TEXT), '$.type') = 'busy' ORDER BY e.seq DESC LIMIT 1), 0);
CREATE INDEX sessions_running ON sessions (session_id) WHERE running = 1;
"""
"""Adds to the sessions what their events tell. When an older chat was last active nobody wrote down: it counts as
active now, so that it is kept as long as a new one."""

_TITLE: Final = 80
_KEPT_EVERY: Final = timedelta(minutes=1)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """When the newest event came, the beginning of the first message, and whether a run goes on."""

    last_active: datetime
    title: str = ""
    running: bool = False

    @classmethod
    def read(cls, last_active: float, title: str, running: int) -> Standing:
        """From the columns of the table."""
        when = datetime.fromtimestamp(last_active, UTC)
        return cls(last_active=when, title=title_of(title), running=bool(running))

    def after(self, events: Iterable[Event], now: datetime) -> Standing:
        """How it stands once these events are logged."""
        title, running = self.title, self.running
        for event in events:
            match event:
                case UserMessageEvent() if not title:
                    title = title_of(event.text)
                case BusyEvent():
                    running = event.busy
                case _:
                    pass
        return Standing(last_active=now, title=title, running=running)

    def is_due(self, kept: Standing) -> bool:
        """Whether it must take the place of the one that is kept: for another title and for the run at once, for the
        time alone after a minute, since a write with every event would cost as much as the event."""
        same = (self.title, self.running) == (kept.title, kept.running)
        return not same or not timedelta() <= self.last_active - kept.last_active < _KEPT_EVERY

    def keeping(self, session_id: str) -> Callable[[sqlite3.Connection], None]:
        """The write that keeps it."""
        row = (self.last_active.timestamp(), self.title, self.running, session_id)

        def update(connection: sqlite3.Connection) -> None:
            query = "UPDATE sessions SET last_active = ?, title = ?, running = ? WHERE session_id = ?"
            connection.execute(query, row)

        return update


def title_of(text: str) -> str:
    """The beginning of a message on one line, without what cannot be seen."""
    seen = "".join(" " if letter.isspace() else letter for letter in text[: 20 * _TITLE])
    clean = " ".join("".join(letter for letter in seen if unicodedata.category(letter)[0] != "C").split())
    return clean if len(clean) <= _TITLE else f"{clean[: _TITLE - 1].rstrip()}…"
