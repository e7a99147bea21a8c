"""One SQLite file behind one worker thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from safelight.catalog.database import Database
from safelight.errors import StartRefused

LOG = "CREATE TABLE log (seq INTEGER PRIMARY KEY, text TEXT NOT NULL)"


def append(text: str) -> Callable[[sqlite3.Connection], int]:
    def work(connection: sqlite3.Connection) -> int:
        return int(connection.execute("INSERT INTO log (text) VALUES (?) RETURNING seq", (text,)).fetchone()[0])

    return work


def read(connection: sqlite3.Connection) -> list[str]:
    return [text for (text,) in connection.execute("SELECT text FROM log ORDER BY seq")]


async def test_calls_run_in_the_order_in_which_they_were_made(tmp_path: Path) -> None:
    database = Database(tmp_path / "new folder" / "x.db", [LOG])
    numbers = await asyncio.gather(*(database.run(append(str(n))) for n in range(100)))
    assert list(numbers) == list(range(1, 101))
    await database.close()


async def test_a_call_that_raises_leaves_nothing_behind_and_the_next_one_works(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", [LOG])

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO log (text) VALUES ('half')")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await database.run(half)
    await database.run(append("whole"))
    assert await database.run(read) == ["whole"]
    await database.close()


async def test_what_was_committed_is_there_after_opening_again(tmp_path: Path) -> None:
    for text in ("one", "two"):
        database = Database(tmp_path / "x.db", [LOG])
        await database.run(append(text))
        await database.close()
        await database.close()
    database = Database(tmp_path / "x.db", [LOG])
    assert await database.run(read) == ["one", "two"]
    await database.close()


async def test_a_reader_beside_it_sees_committed_rows_at_once(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", [LOG])
    await database.run(append("one"))
    beside = sqlite3.connect(tmp_path / "x.db")
    assert read(beside) == ["one"]
    beside.close()
    await database.close()


async def test_only_new_migrations_run(tmp_path: Path) -> None:
    first = Database(tmp_path / "x.db", [LOG])
    await first.run(append("one"))
    await first.close()
    second = Database(tmp_path / "x.db", [LOG, "ALTER TABLE log ADD COLUMN by TEXT; UPDATE log SET by = 'me'"])
    assert await second.run(lambda c: c.execute("SELECT text, by FROM log").fetchall()) == [("one", "me")]
    await second.close()


async def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    await Database(tmp_path / "x.db", [LOG]).close()
    with pytest.raises(sqlite3.OperationalError):
        Database(tmp_path / "x.db", [LOG, "CREATE TABLE other (n); INSERT INTO missing VALUES (1)"])
    database = Database(tmp_path / "x.db", [LOG])
    names = await database.run(lambda c: c.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall())
    assert names == [("log",)]
    await database.close()


async def test_a_file_of_a_newer_version_is_refused_in_words(tmp_path: Path) -> None:
    await Database(tmp_path / "x.db", [LOG, "CREATE TABLE other (n)"]).close()
    with pytest.raises(StartRefused, match="newer version"):
        Database(tmp_path / "x.db", [LOG])


async def test_a_damaged_file_is_an_error_and_no_thread_is_left(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"this is not a database, not at all" * 100)
    threads = threading.active_count()
    with pytest.raises(sqlite3.DatabaseError):
        Database(path, [LOG])
    assert threading.active_count() == threads


async def test_a_full_disk_is_told_as_such_and_the_next_call_works(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", [LOG])
    await database.run(append("one"))

    def without_room(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("INSERT INTO log (text) VALUES (?)", ("x" * 100_000,))

    with pytest.raises(sqlite3.OperationalError, match="full"):
        await database.run(without_room)
    assert await database.run(read) == ["one"]
    await database.close()


async def test_trouble_with_the_file_is_told_in_its_owners_words_and_a_fault_of_the_call_is_not(
    tmp_path: Path,
) -> None:
    database = Database(tmp_path / "x.db", [LOG], on_trouble=lambda error: StartRefused(f"told: {error}"))

    def no_text(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO log (text) VALUES (NULL)")

    with pytest.raises(StartRefused, match="told: no such table"):
        await database.run(lambda connection: connection.execute("SELECT * FROM missing"))
    with pytest.raises(sqlite3.IntegrityError):
        await database.run(no_text)
    await database.close()
    with pytest.raises(StartRefused, match="told: "):
        await database.run(read)


async def test_a_cancelled_call_is_done_wholly_or_not_at_all(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", [LOG])
    entered, go_on = threading.Event(), threading.Event()

    def slow(connection: sqlite3.Connection) -> None:
        entered.set()
        assert go_on.wait(5)
        append("slow")(connection)

    running = asyncio.create_task(database.run(slow))
    waiting = asyncio.create_task(database.run(append("waiting")))
    await asyncio.to_thread(entered.wait, 5)
    running.cancel()
    waiting.cancel()
    await asyncio.wait([running, waiting])
    go_on.set()
    assert await database.run(read) == ["slow"]
    await database.close()


async def test_a_database_in_memory_works_alike_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one, other = Database(None, [LOG]), Database(None, [LOG])
    await one.run(append("one"))
    await one.checkpoint()
    assert (await one.run(read), await other.run(read)) == (["one"], [])
    await one.close()
    await other.close()
    assert list(tmp_path.iterdir()) == []


async def test_what_was_deleted_stands_in_no_file_after_a_checkpoint(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", [LOG])
    for n in range(200):
        await database.run(append(f"canary {n} " * 40))
    await database.run(append("stays"))
    assert any(b"canary" in path.read_bytes() for path in tmp_path.iterdir())
    await database.run(lambda connection: connection.execute("DELETE FROM log WHERE text LIKE 'canary%'").fetchall())
    await database.checkpoint()
    assert [path.name for path in tmp_path.iterdir() if b"canary" in path.read_bytes()] == []
    assert await database.run(read) == ["stays"]
    await database.close()


async def test_nothing_is_in_progress_any_more_when_the_call_behind_a_checkpoint_commits(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db", [LOG])
    calls = [call() for _ in range(20) for call in (database.checkpoint, lambda: database.run(append("more")))]
    await asyncio.gather(*calls)
    assert len(await database.run(read)) == 20
    await database.close()
