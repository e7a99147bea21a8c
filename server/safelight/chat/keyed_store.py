"""Where first answers to keyed requests are kept: beside the chat that they tell of, or in memory for a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from safelight.chat.log import Write

__all__ = (
    "KEYED_SCHEMA",
    "MOST_KEPT",
    "Answered",
    "FirstAnswer",
    "KeyedRequest",
    "RecentAnswers",
    "finding",
    "keeping",
)

KEYED_SCHEMA: Final = """
CREATE TABLE keyed_answers (session_id TEXT NOT NULL, action TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL,
                            status INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (session_id, action, key));
CREATE INDEX keyed_answers_by_age ON keyed_answers (session_id);
"""

MOST_KEPT: Final = 1_000
"""Answers that are kept of one chat, and of all that is kept in memory: the newest."""

MOST_BYTES: Final = 16_777_216
"""Of answers in memory. The newest is kept in any case."""

REMEMBERED_S: Final = 24 * 3600.0


class KeyedRequest(msgspec.Struct, frozen=True):
    """A request with a key. Keys of other owners and other actions are other keys. ``owner`` is the chat (or "inbox")
    whose answers are kept with it, else whoever asks; ``digest`` is of all that was asked for."""

    owner: str
    action: str
    key: str
    digest: str


class Answered(msgspec.Struct, frozen=True):
    """An answer as it goes out."""

    status: int
    body: bytes


class FirstAnswer(msgspec.Struct, frozen=True):
    """The answer to the first request with a key, and the digest of what that asked for."""

    digest: str
    answered: Answered


def finding(request: KeyedRequest) -> Callable[[sqlite3.Connection], FirstAnswer | None]:
    """The read of what was answered first."""

    def read(connection: sqlite3.Connection) -> FirstAnswer | None:
        query = "SELECT digest, status, body FROM keyed_answers WHERE session_id = ? AND action = ? AND key = ?"
        row = connection.execute(query, (request.owner, request.action, request.key)).fetchone()
        return None if row is None else FirstAnswer(row[0], Answered(*row[1:]))

    return read


def keeping(request: KeyedRequest, answered: Answered) -> Write:
    """The write that keeps an answer. Part of the transaction of what the request did, so that a kill leaves both or
    neither. Fails where the key has an answer already, and what was to be done with it."""
    row = (request.owner, request.action, request.key, request.digest, answered.status, answered.body)

    def write(connection: sqlite3.Connection) -> None:
        insert = "INSERT INTO keyed_answers (session_id, action, key, digest, status, body) VALUES (?, ?, ?, ?, ?, ?)"
        connection.execute(insert, row)
        prune = (
            "DELETE FROM keyed_answers WHERE rowid IN"
            " (SELECT rowid FROM keyed_answers WHERE session_id = ? ORDER BY rowid DESC LIMIT -1 OFFSET ?)"
        )
        connection.execute(prune, (request.owner, MOST_KEPT))

    return write


class RecentAnswers:
    """Answers in memory: 1,000 or 16 MB at most, for 24 hours. They may hold tokens, so they are written nowhere."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._answers: dict[tuple[str, str, str], tuple[float, FirstAnswer]] = {}
        self._bytes = 0

    def find(self, request: KeyedRequest) -> FirstAnswer | None:
        """What was answered first."""
        self._forget_old()
        kept = self._answers.get((request.owner, request.action, request.key))
        return None if kept is None else kept[1]

    def keep(self, request: KeyedRequest, answered: Answered) -> None:
        """Keep an answer, and forget the oldest beyond the bound."""
        first = FirstAnswer(request.digest, answered)
        place = (request.owner, request.action, request.key)
        self._forget(place)
        self._answers[place] = (self._clock(), first)
        self._bytes += len(answered.body)
        self._forget_old()

    def forget(self, owner: str) -> None:
        """Forget what an owner was answered."""
        for place in [place for place in self._answers if place[0] == owner]:
            self._forget(place)

    def _forget(self, place: tuple[str, str, str]) -> None:
        if (kept := self._answers.pop(place, None)) is not None:
            self._bytes -= len(kept[1].answered.body)

    def _forget_old(self) -> None:
        while self._answers:
            oldest = next(iter(self._answers))
            fits = len(self._answers) == 1 or (len(self._answers) <= MOST_KEPT and self._bytes <= MOST_BYTES)
            if fits and self._clock() - self._answers[oldest][0] < REMEMBERED_S:
                return
            self._forget(oldest)
