"""Result sets: photos in an order, under a short name that later calls can use. They outlive chats and restarts."""

from __future__ import annotations

import hashlib
import secrets
import time
from array import array
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.catalog.rows import numbers_of, photo_ids_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from safelight.catalog.database import Database

__all__ = ("ResultSets", "StoredSet", "store_numbers")

ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
NAME_LENGTH: Final = 4
UNUSED_DAYS: Final = 60


class StoredSet(msgspec.Struct, frozen=True, kw_only=True):
    """A set as the catalog stands. ``photo_ids`` are still there, in the set's order; ``gone`` have been removed."""

    set_id: str
    photo_ids: tuple[str, ...]
    gone: int


class ResultSets:
    """The sets of one catalog. The same photos in the same order have one name."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, photo_ids: Sequence[str]) -> str:
        """Keep these photos as a set and give its id. Photos need not be in the index."""
        return await self._database.run(lambda connection: store_numbers(connection, numbers_of(connection, photo_ids)))

    async def load(self, set_id: str) -> StoredSet | None:
        """The set, or None when this catalog has none with that id."""
        return await self._database.run(lambda connection: _load(connection, set_id))

    async def forget_unused(self) -> None:
        """Delete sets that nobody has used for 60 days."""
        oldest = time.time() - UNUSED_DAYS * 86_400
        delete = "DELETE FROM sets WHERE used < ?"
        await self._database.run(lambda connection: connection.execute(delete, (oldest,)).rowcount)


def store_numbers(connection: sqlite3.Connection, numbers: Sequence[int]) -> str:
    """Keep the photos with these numbers as a set, in the transaction of ``connection``."""
    members = array("Q", numbers).tobytes()
    digest = hashlib.blake2b(members, digest_size=16).digest()
    row = connection.execute(
        "UPDATE sets SET used = ? WHERE digest = ? RETURNING set_id", (time.time(), digest)
    ).fetchone()
    if row is not None:
        return row[0]
    length = NAME_LENGTH
    while True:
        set_id = "set_" + "".join(secrets.choice(ALPHABET) for _ in range(length))
        added = connection.execute(
            "INSERT OR IGNORE INTO sets VALUES (?, ?, ?, ?)", (set_id, digest, time.time(), members)
        ).rowcount
        if added:
            return set_id
        length += 1


def _load(connection: sqlite3.Connection, set_id: str) -> StoredSet | None:
    row = connection.execute(
        "UPDATE sets SET used = ? WHERE set_id = ? RETURNING members", (time.time(), set_id)
    ).fetchone()
    if row is None:
        return None
    numbers = array("Q")
    numbers.frombytes(row[0])
    present = photo_ids_of(connection, numbers)
    return StoredSet(set_id=set_id, photo_ids=present, gone=len(numbers) - len(present))
