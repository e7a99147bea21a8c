"""Vectors in the index file: kept, forgotten, and compared, in memory or from the file."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from safelight.catalog import vectors as vectors_module
from safelight.catalog.database import Database
from safelight.catalog.index import PhotoIndex
from safelight.catalog.schema import MIGRATIONS
from safelight.catalog.vectors import MadeVector, Vectors
from tests.bridge.fake_plugin import photo

EAST, NORTH = np.array([1, 0], np.float32), np.array([0, 1], np.float32)


class Shelf:
    """The vectors of an index with twenty photos, whose numbers are 1 to 20."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.index = PhotoIndex(database)
        self.vectors = Vectors(database)

    async def store(self, numbers: Sequence[int], vector: Any = EAST, model: str = "m@1") -> None:
        await self.vectors.store("texts", model, [MadeVector(number, f"text {number}", vector) for number in numbers])

    async def scores(self, vector: Any = EAST, model: str = "m@1") -> dict[int, float]:
        def work(connection: sqlite3.Connection) -> dict[int, float]:
            told = self.vectors.similarities(connection, "texts", model, vector, range(21))
            return dict(zip(told.numbers.tolist(), told.scores.tolist(), strict=True))

        return await self.database.run(work)


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncGenerator[Shelf]:
    database = Database(tmp_path / "index.db", MIGRATIONS)
    shelf = Shelf(database)
    await shelf.index.update([photo(n) for n in range(1, 21)])
    await shelf.vectors.begin("texts", "m@1")
    yield shelf
    await database.close()


async def test_vectors_are_compared_by_their_direction(shelf: Shelf) -> None:
    await shelf.store([1, 2])
    await shelf.store([3], NORTH)
    assert await shelf.scores() == {1: 1.0, 2: 1.0, 3: 0.0}
    assert await shelf.scores(NORTH) == {1: 0.0, 2: 0.0, 3: 1.0}


async def test_a_change_of_a_vector_shows_in_the_next_comparison(shelf: Shelf) -> None:
    await shelf.store([1])
    assert await shelf.scores() == {1: 1.0}
    await shelf.store([1], NORTH)
    await shelf.store([2])
    assert await shelf.scores() == {1: 0.0, 2: 1.0}
    await shelf.vectors.forget("texts", [2])
    assert await shelf.scores() == {1: 0.0}


async def test_too_many_to_keep_are_read_from_the_file_with_the_same_outcome(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 21):
        await shelf.store([number], np.array([np.cos(number), np.sin(number)], np.float32))
    kept = await shelf.scores()
    monkeypatch.setattr(vectors_module, "KEPT_BYTES", 0)
    monkeypatch.setattr(vectors_module, "BLOCK", 3)
    await shelf.vectors.forget("texts", [])
    assert await shelf.scores() == kept
    assert len(kept) == 20


async def test_another_model_forgets_what_the_former_one_made(shelf: Shelf) -> None:
    await shelf.store([1, 2])
    assert await shelf.vectors.begin("texts", "m@1") == {1: "text 1", 2: "text 2"}
    assert await shelf.vectors.count("texts", "m@2") == 0
    assert await shelf.scores(model="m@2") == {}
    assert await shelf.vectors.begin("texts", "m@2") == {}
    assert await shelf.vectors.count("texts", "m@1") == 0
    await shelf.store([1], NORTH, "m@2")
    assert await shelf.scores(NORTH, "m@2") == {1: 1.0}


async def test_kinds_do_not_mix(shelf: Shelf) -> None:
    await shelf.vectors.begin("pictures", "m@1")
    await shelf.store([1])
    assert await shelf.vectors.count("pictures", "m@1") == 0
    assert await shelf.vectors.begin("pictures", "m@3") == {}
    assert await shelf.vectors.count("texts", "m@1") == 1


async def test_a_photo_that_has_gone_has_no_vector_and_gets_none(shelf: Shelf) -> None:
    await shelf.store([1, 2])
    await shelf.index.remove(["photo-0001"])
    assert await shelf.vectors.count("texts", "m@1") == 1
    await shelf.store([1, 3, 999])
    assert await shelf.vectors.begin("texts", "m@1") == {2: "text 2", 3: "text 3"}


async def test_a_vector_that_is_no_number_hides_no_other(shelf: Shelf) -> None:
    await shelf.store([1])
    await shelf.store([2], np.array([np.nan, np.inf], np.float32))
    assert await shelf.scores() == {1: 1.0, 2: -1.0}


async def test_vectors_of_another_length_are_left_out(shelf: Shelf) -> None:
    await shelf.store([1])
    await shelf.store([2], np.array([1, 0, 0], np.float32))
    assert await shelf.scores() == {1: 1.0}
