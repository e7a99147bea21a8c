"""One SQLite database behind one worker thread: calls run one after the other, each as one transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from safelight.errors import StartRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ("Database",)

T = TypeVar("T")

_TROUBLE: Final = (sqlite3.DatabaseError, sqlite3.OperationalError)
"""Of the file. Other kinds of ``sqlite3.DatabaseError`` are faults of the call."""


class Database:
    """An open database: a file in WAL mode, whose folder is made when missing, or in memory where ``path`` is None.

    ``migrations`` are SQL scripts; the file's ``user_version`` counts those that have run, so scripts are only ever
    appended. A committed call survives a killed process (not a power cut); what is deleted is overwritten. Raises
    ``StartRefused`` when the file was written by a newer Safelight, ``sqlite3.DatabaseError`` when it is damaged. When
    a later call finds it damaged, locked, without room, or closed, ``on_trouble`` is called in the event loop and its
    error is raised instead.
    """

    def __init__(
        self,
        path: Path | None,
        migrations: Sequence[str] = (),
        *,
        on_trouble: Callable[[Exception], Exception] | None = None,
    ) -> None:
        self._on_trouble = on_trouble
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        name = "memory" if path is None else path.stem
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"db-{name}")
        try:
            self._connection = self._worker.submit(_connect, path, tuple(migrations)).result()
        except BaseException:
            self._worker.shutdown()
            raise

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` on the connection in the worker thread, in a transaction of its own, and give its value.

        It commits when ``work`` returns and rolls back when it raises. A cancelled caller leaves it either not begun or
        completed. Calls run in the order in which they were made.
        """
        return await self._submit(lambda connection: _in_transaction(connection, work))

    async def checkpoint(self) -> None:
        """Bring what was committed into the file and empty its write-ahead log, where deleted rows would stay on."""
        await self._submit(lambda connection: connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    async def _submit(self, call: Callable[[sqlite3.Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            result = loop.run_in_executor(self._worker, call, self._connection)
        except RuntimeError as error:
            if self._on_trouble is None:
                raise
            raise self._on_trouble(error) from error
        try:
            return await result
        except sqlite3.DatabaseError as error:
            if self._on_trouble is None or type(error) not in _TROUBLE:
                raise
            raise self._on_trouble(error) from error

    async def close(self) -> None:
        """Finish what was called, then close. Later calls raise ``RuntimeError``; closing twice is fine."""
        await asyncio.to_thread(self._shut)

    def _shut(self) -> None:
        try:
            closing = self._worker.submit(self._connection.close)
        except RuntimeError:  # closed already
            return
        self._worker.shutdown()
        closing.result()


def _in_transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    connection.execute("BEGIN IMMEDIATE")
    try:
        value = work(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself may have ended it, e.g. with the disk full
            connection.execute("ROLLBACK")
        raise
    return value


def _connect(path: Path | None, migrations: tuple[str, ...]) -> sqlite3.Connection:
    connection = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=10.0)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        _migrate(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path | None, migrations: tuple[str, ...]) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if path is not None and version > len(migrations):
        raise StartRefused(f"{path.name} was written by a newer version of Safelight; update this one.")
    for number, script in enumerate(migrations[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\n;PRAGMA user_version = {number};\nCOMMIT;")
