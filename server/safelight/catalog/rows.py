"""Photos as rows of the index. Every function works in the transaction of the connection that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from safelight.catalog.fields import LACKS, file_type_of
from safelight.catalog.fold import fold, index_text
from safelight.wire.bridge_models import PhotoRecord

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

__all__ = (
    "adjusted_of",
    "edited_times",
    "numbers_of",
    "photo_ids_of",
    "records_of",
    "remove",
    "set_adjusted",
    "store",
)

MANY: Final = 5000
"""From here on reading all ids is quicker than looking each up."""

COLUMNS: Final = (
    "n", "captured", "year", "rating", "flag", "label", "file_name", "file_type", "camera", "lens", "place", "folder",
    "iso", "aperture", "shutter", "focal", "lat", "lon", "width", "height", "virtual_copy", "lacks", "edited",
)  # fmt: skip
# "adjusted" is not of the record and stays as it is. Only constants of this module are put together.
WRITE_PHOTO: Final = (
    f"INSERT INTO photos ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) "  # noqa: S608
    f"ON CONFLICT (n) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in COLUMNS[1:])}"
)

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


def edited_times(connection: sqlite3.Connection) -> dict[str, float | None]:
    """When each photo that has not gone was last edited, by id: 0 where Lightroom does not say, None where the photo
    has a number and is not in the index yet."""
    return dict(
        connection.execute("SELECT photo_id, edited FROM ids LEFT JOIN photos USING (n) WHERE gone = 0 ORDER BY n")
    )


def records_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> tuple[PhotoRecord, ...]:
    """The records of the photos with these numbers, in the order of the numbers."""
    known = _encoded_records(connection, numbers)
    return tuple(_decoder.decode(known[n]) for n in numbers if n in known)


def store(connection: sqlite3.Connection, records: Sequence[PhotoRecord], listed: Mapping[str, float]) -> int:
    """Write what differs from the index; says how many photos that were. ``listed`` has the times of edit by which a
    later listing is compared, where they are not those of the records."""
    numbers = numbers_of(connection, [record.photo_id for record in records])
    before = _encoded_records(connection, numbers)
    names = _Names(connection)
    changed = 0
    for number, record in zip(numbers, records, strict=True):
        edited = listed.get(record.photo_id, _set(record.edited, 0.0))
        encoded = msgspec.json.encode(record)
        old = before.get(number)
        if old == encoded:
            connection.execute("UPDATE photos SET edited = ? WHERE n = ? AND edited <> ?", (edited, number, edited))
            continue
        _forget_texts(connection, number, old)
        _write(connection, names, number, record, edited)
        connection.execute("INSERT OR REPLACE INTO records (n, record) VALUES (?, ?)", (number, encoded))
        before[number] = encoded
        changed += 1
    return changed


def remove(connection: sqlite3.Connection, photo_ids: Iterable[str]) -> None:
    """Take photos out of the index that are no longer in the catalog."""
    for photo_id in photo_ids:
        row = connection.execute("UPDATE ids SET gone = 1 WHERE photo_id = ? RETURNING n", (photo_id,)).fetchone()
        if row is not None:
            _forget_texts(connection, row[0], _encoded_records(connection, row).get(row[0]))
            connection.execute("DELETE FROM photos WHERE n = ?", row)
            connection.execute("DELETE FROM records WHERE n = ?", row)
            connection.execute("DELETE FROM text_vectors WHERE n = ?", row)
            connection.execute("DELETE FROM picture_vectors WHERE n = ?", row)


def adjusted_of(connection: sqlite3.Connection, numbers: Sequence[int]) -> frozenset[str]:
    """The ids of those of these photos that have develop settings of their own."""
    adjusted = "SELECT photo_id FROM photos JOIN ids USING (n) WHERE adjusted AND n IN (SELECT value FROM json_each(?))"
    return frozenset(photo_id for (photo_id,) in connection.execute(adjusted, (_json(numbers),)))


def set_adjusted(connection: sqlite3.Connection, photo_ids: Sequence[str]) -> None:
    """These photos, and no others, have develop settings of their own."""
    connection.execute(
        "WITH chosen AS MATERIALIZED "
        "(SELECT ids.n FROM json_each(?) AS listed JOIN ids ON ids.photo_id = listed.value) "
        "UPDATE photos SET adjusted = n IN chosen WHERE adjusted IS NOT (n IN chosen)",
        (_json(photo_ids),),
    )


def _write(connection: sqlite3.Connection, names: _Names, number: int, record: PhotoRecord, edited: float) -> None:
    place = "\n".join(_set(text, "") for text in (record.location, record.city, record.state, record.country))
    captured = _set(record.captured, "")
    connection.execute("UPDATE ids SET gone = 0 WHERE n = ? AND gone", (number,))
    connection.execute(
        WRITE_PHOTO,
        (
            number,
            captured or None,
            int(captured[:4]) if captured[:4].isdecimal() else None,
            _set(record.rating, 0),
            _set(record.flag, "none"),
            fold(_set(record.label, "")) or "none",
            fold(record.file_name),
            file_type_of(_set(record.file_format, "")),
            names.id_of("camera", _set(record.camera, "")),
            names.id_of("lens", _set(record.lens, "")),
            names.id_of("place", place.strip("\n")),
            names.id_of("folder", _folder(_set(record.path, ""))),
            _set(record.iso, None),
            _set(record.aperture, None),
            _set(record.shutter, None),
            _set(record.focal_length, None),
            _set(record.latitude, None),
            _set(record.longitude, None),
            _set(record.width, None),
            _set(record.height, None),
            int(_set(record.virtual_copy, default=False)),
            _lacks(record),
            edited,
        ),
    )
    keywords = _set(record.keywords, [])
    connection.executemany(
        "INSERT OR IGNORE INTO photo_keywords (keyword, n) VALUES (?, ?)",
        ((names.id_of("keyword", path), number) for path in keywords if path),
    )
    connection.execute(
        "INSERT INTO words (rowid, file_name, title, caption, keywords, place, camera, lens) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            number,
            index_text(record.file_name),
            index_text(f"{_set(record.title, '')}\n{_set(record.headline, '')}"),
            index_text(_set(record.caption, "")),
            index_text("\n".join(keywords)),
            index_text(place),
            index_text(_set(record.camera, "")),
            index_text(_set(record.lens, "")),
        ),
    )


def _forget_texts(connection: sqlite3.Connection, number: int, old: bytes | None) -> None:
    """Take the words and keywords of a photo out, as its old record has them."""
    if old is None:
        return
    connection.execute("DELETE FROM words WHERE rowid = ?", (number,))
    connection.executemany(
        "DELETE FROM photo_keywords WHERE n = ? AND keyword = "
        "(SELECT id FROM names WHERE field = 'keyword' AND name = ?)",
        ((number, path) for path in _set(_decoder.decode(old).keywords, [])),
    )


def _lacks(record: PhotoRecord) -> int:
    has = {
        "title": bool(_set(record.title, "")),
        "caption": bool(_set(record.caption, "")),
        "keywords": bool(_set(record.keywords, [])),
        "gps": record.latitude is not UNSET and record.longitude is not UNSET,
        "copyright": bool(_set(record.copyright, "")),
    }
    return sum(bit for name, bit in LACKS.items() if not has[name])


def _folder(path: str) -> str:
    """The folder of a file, written with slashes on every system."""
    return path.replace("\\", "/").rpartition("/")[0]


class _Names:
    """Ids of names, within one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, str], int] = {}

    def id_of(self, field: str, name: str) -> int:
        """0 for no name; a new one is added."""
        if not name:
            return 0
        known = self._known.get((field, name))
        if known is None:
            known = self._known[field, name] = self._find(field, name)
        return known

    def _find(self, field: str, name: str) -> int:
        row = self._connection.execute("SELECT id FROM names WHERE field = ? AND name = ?", (field, name)).fetchone()
        if row is None:
            row = self._connection.execute(
                "INSERT INTO names (field, name, folded) VALUES (?, ?, ?) RETURNING id", (field, name, fold(name))
            ).fetchone()
        return row[0]


def _set(value: T | UnsetType, default: T) -> T:
    return default if value is UNSET else value


def _encoded_records(connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, bytes]:
    return dict(
        connection.execute(
            "SELECT n, record FROM records WHERE n IN (SELECT value FROM json_each(?))", (_json(numbers),)
        )
    )


def _json(values: Sequence[Any]) -> str:
    return msgspec.json.encode(list(values)).decode()
