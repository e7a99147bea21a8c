"""Photos as rows of the index. Every function works in the transaction of the connection that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from safelight.wire.bridge_models import PhotoRecord

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

__all__ = ("numbers_of", "photo_ids_of", "present_ids", "records_of", "remove", "store")

MANY: Final = 5000
"""From here on reading all ids is quicker than looking each up."""

T = TypeVar("T")

_decoder = msgspec.json.Decoder(PhotoRecord)


def numbers_of(connection: sqlite3.Connection, photo_ids: Sequence[str]) -> list[int]:
    """The numbers of these photos, in their order; a new photo gets one."""
    connection.executemany("INSERT OR IGNORE INTO ids (photo_id) VALUES (?)", ((i,) for i in photo_ids))
    known = dict(
        connection.execute(
            "SELECT photo_id, n FROM ids WHERE photo_id IN (SELECT value FROM json_each(?))", (_json(photo_ids),)
        )
    )
    return [known[i] for i in photo_ids]


def photo_ids_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> tuple[str, ...]:
    """The ids of the photos with these numbers that have not gone, in the order of the numbers."""
    if len(numbers) > MANY:
        known = dict(connection.execute("SELECT n, photo_id FROM ids WHERE gone = 0"))
    else:
        known = dict(
            connection.execute(
                "SELECT n, photo_id FROM ids WHERE gone = 0 AND n IN (SELECT value FROM json_each(?))",
                (_json(numbers),),
            )
        )
    return tuple(known[n] for n in numbers if n in known)


def present_ids(connection: sqlite3.Connection) -> set[str]:
    """The ids of all photos in the index."""
    return {photo_id for (photo_id,) in connection.execute("SELECT photo_id FROM photos JOIN ids USING (n)")}


def records_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> tuple[PhotoRecord, ...]:
    """The records of the photos with these numbers, in the order of the numbers."""
    known = _encoded_records(connection, numbers)
    return tuple(_decoder.decode(known[n]) for n in numbers if n in known)


def store(connection: sqlite3.Connection, records: Sequence[PhotoRecord]) -> int:
    """Write what differs from the index; says how many photos that were."""
    numbers = numbers_of(connection, [record.photo_id for record in records])
    before = _encoded_records(connection, numbers)
    changed = 0
    for number, record in zip(numbers, records, strict=True):
        encoded = msgspec.json.encode(record)
        if before.get(number) != encoded:
            _write(connection, number, record, encoded)
            changed += 1
    return changed


def remove(connection: sqlite3.Connection, photo_ids: Iterable[str]) -> None:
    """Take photos out of the index that are no longer in the catalog."""
    for photo_id in photo_ids:
        row = connection.execute("UPDATE ids SET gone = 1 WHERE photo_id = ? RETURNING n", (photo_id,)).fetchone()
        if row is not None:
            connection.execute("DELETE FROM photos WHERE n = ?", row)
            connection.execute("DELETE FROM records WHERE n = ?", row)
            connection.execute("DELETE FROM words WHERE rowid = ?", row)


def _write(connection: sqlite3.Connection, number: int, record: PhotoRecord, encoded: bytes) -> None:
    connection.execute("UPDATE ids SET gone = 0 WHERE n = ? AND gone", (number,))
    connection.execute(
        "INSERT OR REPLACE INTO photos (n, captured, rating, flag, label, file_name) VALUES (?, ?, ?, ?, ?, ?)",
        (
            number,
            _set(record.captured, "") or None,
            _set(record.rating, 0),
            _set(record.flag, "none"),
            _set(record.label, "").lower() or "none",
            record.file_name,
        ),
    )
    connection.execute("INSERT OR REPLACE INTO records (n, record) VALUES (?, ?)", (number, encoded))
    connection.execute("DELETE FROM words WHERE rowid = ?", (number,))
    connection.execute(
        "INSERT INTO words (rowid, file_name, title, caption, keywords, place, camera, lens) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            record.file_name,
            _set(record.title, ""),
            _set(record.caption, ""),
            "\n".join(_set(record.keywords, [])),
            f"{_set(record.city, '')}\n{_set(record.country, '')}",
            _set(record.camera, ""),
            _set(record.lens, ""),
        ),
    )


def _set(value: T | UnsetType, default: T) -> T:
    return default if value is UNSET else value


def _encoded_records(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, bytes]:
    return dict(
        connection.execute(
            "SELECT n, record FROM records WHERE n IN (SELECT value FROM json_each(?))", (_json(numbers),)
        )
    )


def _json(values: Sequence[object]) -> str:
    return msgspec.json.encode(list(values)).decode()
