"""Search by meaning in a large catalog: comparing vectors, whole searches, and the job that makes vectors."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import OpenCatalog
from safelight.catalog.database import Database
from safelight.catalog.embedding_jobs import embed_texts
from safelight.catalog.index import PhotoIndex
from safelight.catalog.meaning import Nearness
from safelight.catalog.schema import MIGRATIONS
from safelight.catalog.vectors import MadeVector
from safelight.embedding.files import find_text_model
from safelight.embedding.texts import TextModel
from safelight.jobs.jobs import JobHandle, Jobs
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bench.machine import peak_mb
from tests.bench.measured import Measured, measured, percentile
from tests.bench.photos import made_up_photos
from tests.embedding.onnx_models import install_text_model

__all__ = ("measure",)

PHOTOS: Final = 100_000
TEXTS: Final = 10_000
WIDTH: Final = 384
CHUNK: Final = 1000
ROUNDS: Final = 40


def measure() -> list[Measured]:
    """100,000 photos with vectors of 384 numbers, as a small sentence model makes them."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Measured]:
    compare_s, search_s, first_s, megabytes = await _searches(folder / "large")
    rate = await _texts_a_second(folder / "job")
    which = f"{PHOTOS:,} vectors of {WIDTH} numbers"
    return [
        measured(f"search: p95 of comparing with {which}", compare_s * 1e3, "ms", target=30),
        measured(f"search: p95 of whole searches by meaning, {which}", search_s * 1e3, "ms", target=200),
        measured(f"search: first comparison after a start, {which}", first_s, "s", target=2),
        measured(f"search: peak memory with {which}", megabytes, "MB", target=600),
        measured(
            "index: texts embedded a second, beside the model's own time", rate, "1/s", target=1000, better="higher"
        ),
    ]


async def _searches(folder: Path) -> tuple[float, float, float, float]:
    database = Database(folder / "index.db", MIGRATIONS)
    try:
        catalog = OpenCatalog("bench", database, Bridge())
        await _fill(catalog.index, PHOTOS)
        random = np.random.default_rng(7)
        await catalog.vectors.begin("texts", "bench@1")
        for start in range(1, PHOTOS + 1, CHUNK):
            made = [MadeVector(start + i, "", row) for i, row in enumerate(_directions(random, CHUNK))]
            await catalog.vectors.store("texts", "bench@1", made)
        queries = _directions(random, ROUNDS)
        first_s = (await _compared(catalog, database, queries[:1]))[0]
        compare_s = await _compared(catalog, database, queries)
        search_s: list[float] = []
        for query in queries:
            began = time.perf_counter()
            near = Nearness(catalog.vectors, "texts", "bench@1", query)
            found = await catalog.index.find(SearchPhotosArguments(), ranked=near.nearest)
            search_s.append(time.perf_counter() - began)
            assert 1 <= found.count <= 100
        return percentile(compare_s, 95), percentile(search_s, 95), first_s, peak_mb()
    finally:
        await database.close()


async def _compared(catalog: OpenCatalog, database: Database, queries: NDArray[Any]) -> list[float]:
    def work(connection: sqlite3.Connection) -> list[float]:
        seconds: list[float] = []
        for query in queries:
            began = time.perf_counter()
            catalog.vectors.similarities(connection, "texts", "bench@1", query, (1, 2, 3))
            seconds.append(time.perf_counter() - began)
        return seconds

    return await database.run(work)


async def _texts_a_second(folder: Path) -> float:
    install_text_model(folder / "models" / "tiny")
    files = find_text_model(folder / "models")
    assert files is not None
    model = TextModel(files)
    database = Database(folder / "index.db", MIGRATIONS)
    try:
        catalog = OpenCatalog("bench", database, Bridge())
        await _fill(catalog.index, TEXTS)
        began = time.perf_counter()

        async def work(handle: JobHandle) -> None:
            await embed_texts(catalog, model, handle)

        jobs = Jobs()
        job = await jobs.wait(jobs.start("texts", 0, work).job_id, 600)
        assert job.state == "done"
        return job.done / (time.perf_counter() - began)
    finally:
        await database.close()


async def _fill(index: PhotoIndex, photos: int) -> None:
    chunk: list[Any] = []
    for record in made_up_photos(photos):
        chunk.append(record)
        if len(chunk) == CHUNK:
            await index.update(chunk)
            chunk = []


def _directions(random: np.random.Generator, count: int) -> NDArray[Any]:
    rows = random.standard_normal((count, WIDTH)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
