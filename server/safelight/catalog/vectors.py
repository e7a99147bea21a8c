"""The vectors of photos in the index file: one of its texts and one of its picture, each made by one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from safelight.catalog.database import Database
    from safelight.embedding.embedders import EmbeddingKind

__all__ = ("MadeVector", "PhotoRow", "Similarities", "Vectors")

TABLES: Final[dict[EmbeddingKind, str]] = {"texts": "text_vectors", "pictures": "picture_vectors"}

KEPT_BYTES: Final = 400 << 20
"""Of a matrix in memory; larger ones are read from the file at each search."""

BLOCK: Final = 8192
"""Rows that are read at a time."""


class MadeVector(msgspec.Struct, frozen=True):
    """A vector of length 1, and what it was made of, so that a change of that shows."""

    number: int
    made_of: str
    vector: Any


class PhotoRow(msgspec.Struct, frozen=True):
    """What vectors are made of."""

    number: int
    photo_id: str
    edited: float
    record: bytes


class Similarities(NamedTuple):
    """How alike photos are: their numbers, a cosine for each, and the mean of all photos that have a vector."""

    numbers: NDArray[Any]
    scores: NDArray[Any]
    usual: float


class Vectors:
    """Keeps the vectors of one catalog as 16-bit numbers. In memory there is at most one matrix of each kind, of 400 MB
    at most; it is read again after a change."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._version = 0
        self._kept: dict[EmbeddingKind, tuple[str, int, list[tuple[Any, Any]]]] = {}

    async def begin(self, kind: EmbeddingKind, model_id: str) -> dict[int, str]:
        """Forget what other models made; says what each vector of this one was made of, by the photo's number."""
        table = TABLES[kind]

        def work(connection: sqlite3.Connection) -> dict[int, str]:
            connection.execute("INSERT OR IGNORE INTO embedding_models (model) VALUES (?)", (model_id,))
            key = _key(connection, model_id)
            connection.execute(f"DELETE FROM {table} WHERE model <> ?", (key,))  # noqa: S608  # a constant
            return dict(connection.execute(f"SELECT n, made_of FROM {table} WHERE model = ?", (key,)))  # noqa: S608

        self._version += 1
        return await self._database.run(work)

    async def count(self, kind: EmbeddingKind, model_id: str) -> int:
        """How many photos have a vector of this model."""
        count = f"SELECT count(*) FROM {TABLES[kind]} WHERE model = ?"  # noqa: S608  # a constant
        return await self._database.run(lambda db: int(db.execute(count, (_key(db, model_id),)).fetchone()[0]))

    async def store(self, kind: EmbeddingKind, model_id: str, made: Sequence[MadeVector]) -> None:
        """Keep vectors, in place of earlier ones. Photos that have gone meanwhile are passed over."""
        import numpy as np

        write = (
            f"INSERT OR REPLACE INTO {TABLES[kind]} (n, model, made_of, vector) "  # noqa: S608  # a constant
            "SELECT n, ?, ?, ? FROM photos WHERE n = ?"
        )
        rows = [(one.made_of, np.asarray(one.vector, np.float16).tobytes(), one.number) for one in made]

        def work(connection: sqlite3.Connection) -> None:
            key = _key(connection, model_id)
            connection.executemany(write, ((key, *row) for row in rows))

        await self._database.run(work)
        self._version += 1

    async def forget(self, kind: EmbeddingKind, numbers: Iterable[int]) -> None:
        """Delete the vectors of these photos."""
        delete = f"DELETE FROM {TABLES[kind]} WHERE n = ?"  # noqa: S608  # a constant
        rows = [(number,) for number in numbers]
        await self._database.run(lambda connection: connection.executemany(delete, rows))
        self._version += 1

    async def photos_after(self, number: int, limit: int) -> list[PhotoRow]:
        """The photos with the next numbers."""
        read = (
            "SELECT n, photo_id, edited, record FROM photos JOIN ids USING (n) JOIN records USING (n) "
            "WHERE n > ? ORDER BY n LIMIT ?"
        )
        return await self._database.run(lambda db: [PhotoRow(*row) for row in db.execute(read, (number, limit))])

    def vector_of(self, connection: sqlite3.Connection, kind: EmbeddingKind, model_id: str, number: int) -> Any:
        """A photo's vector, None when it has none of this model."""
        import numpy as np

        read = f"SELECT vector FROM {TABLES[kind]} WHERE n = ? AND model = ?"  # noqa: S608  # a constant
        row = connection.execute(read, (number, _key(connection, model_id))).fetchone()
        return None if row is None else np.frombuffer(row[0], np.float16).astype(np.float32)

    def similarities(
        self,
        connection: sqlite3.Connection,
        kind: EmbeddingKind,
        model_id: str,
        vector: NDArray[Any],
        among: Iterable[int],
    ) -> Similarities:
        """How alike these photos are to a vector of length 1; those without a vector are left out."""
        import numpy as np

        with np.errstate(all="ignore"):
            rows = self._blocks(connection, kind, model_id, len(vector))
            blocks = [(numbers, vectors @ vector) for numbers, vectors in rows if len(numbers)]
        if not blocks:
            return Similarities(np.empty(0, np.int64), np.empty(0, np.float32), 0.0)
        numbers = np.concatenate([block[0] for block in blocks])
        # One vector that a damaged file has made no number is not to hide all others.
        scores = np.nan_to_num(np.concatenate([block[1] for block in blocks]), nan=-1.0, posinf=-1.0, neginf=-1.0)
        wanted = np.fromiter(among, np.int64)
        places = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
        known = places[numbers[places] == wanted]
        return Similarities(numbers[known], scores[known], float(scores.mean()))

    def _blocks(
        self, connection: sqlite3.Connection, kind: EmbeddingKind, model_id: str, width: int
    ) -> Iterable[tuple[NDArray[Any], NDArray[Any]]]:
        """Numbers and vectors of all photos, by number: from memory where they have room there."""
        version = self._version
        kept = self._kept.get(kind)
        if kept is not None and kept[:2] == (model_id, version):
            return kept[2]
        self._kept.pop(kind, None)
        key = _key(connection, model_id)
        count = f"SELECT count(*) FROM {TABLES[kind]} WHERE model = ?"  # noqa: S608  # a constant
        (rows,) = connection.execute(count, (key,)).fetchone()
        read = _read(connection, TABLES[kind], key, width)
        if rows * width * 4 > KEPT_BYTES:
            return read
        blocks = [_together(read, rows, width)]
        self._kept[kind] = (model_id, version, blocks)
        return blocks


def _key(connection: sqlite3.Connection, model_id: str) -> int:
    row = connection.execute("SELECT id FROM embedding_models WHERE model = ?", (model_id,)).fetchone()
    return 0 if row is None else row[0]


def _together(
    blocks: Iterable[tuple[NDArray[Any], NDArray[Any]]], rows: int, width: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """One block, which is quicker to compare with, put together without a second copy of all."""
    import numpy as np

    numbers, vectors, filled = np.empty(rows, np.int64), np.empty((rows, width), np.float32), 0
    for some_numbers, some_vectors in blocks:
        end = filled + len(some_numbers)
        numbers[filled:end], vectors[filled:end] = some_numbers, some_vectors
        filled = end
    return numbers[:filled], vectors[:filled]


def _read(
    connection: sqlite3.Connection, table: str, key: int, width: int
) -> Iterable[tuple[NDArray[Any], NDArray[Any]]]:
    import numpy as np

    read = (
        f"SELECT n, vector FROM {table} NOT INDEXED "  # noqa: S608  # a constant
        "WHERE model = ? AND length(vector) = ? ORDER BY n"
    )
    cursor = connection.execute(read, (key, width * 2))
    while rows := cursor.fetchmany(BLOCK):
        numbers = np.array([number for number, _ in rows], np.int64)
        vectors = np.frombuffer(b"".join([vector for _, vector in rows]), np.float16)
        yield numbers, vectors.reshape(len(rows), width).astype(np.float32)
