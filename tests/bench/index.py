"""A large catalog: reading it into the index for the first time, and searching it."""

from __future__ import annotations

import asyncio
import itertools
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import msgspec

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs
from safelight.catalog.database import Database
from safelight.catalog.index import PhotoIndex
from safelight.catalog.schema import MIGRATIONS
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bench.machine import peak_mb
from tests.bench.measured import Measured, measured, percentile
from tests.bench.photos import made_up_photos
from tests.bridge.fake_plugin import FakePlugin

__all__ = ("QUERIES", "measure", "measure_million")

PHOTOS: Final = 100_000
MILLION: Final = 1_000_000
CHUNK: Final = 500
ROUNDS: Final = 10

TWO_WORDS: Final = {
    "two words that stand under many photos": ("dog beach", "family garden", "night city", "snow mountain"),
    "one of many photos, one of few": ("wedding alderford", "sunset duneholm", "cat ferngate", "river jademoor"),
    "two words of few photos": ("alderford birchwick", "cedarmere duneholm", "emberstead ferndale"),
    "a word and a place": ("portrait Lisbon", "concert Kyoto", "harbour Tromsø"),
    "a word and a camera": ("birthday NIKON", "forest iPhone"),
    "a word and the beginning of a file name": ("market IMG_09", "bridge IMG_012"),
}
RATINGS: Final[dict[str, dict[str, Any]]] = {
    "three stars and more": {"rating_min": 3},
    "five stars": {"rating_min": 5},
    "without stars": {"rating_max": 0},
}
DATES: Final[dict[str, dict[str, Any]]] = {
    "a day": {"captured_from": "2022-07-14", "captured_to": "2022-07-14"},
    "a month": {"captured_from": "2021-05", "captured_to": "2021-05"},
    "years": {"captured_from": "2018", "captured_to": "2023"},
}
QUERIES: Final = {
    f"{words_name} ({words}), {rating_name}, {date_name}": SearchPhotosArguments(text=words, **rating, **dates)
    for (words_name, texts), (rating_name, rating), (date_name, dates) in itertools.product(
        TWO_WORDS.items(), RATINGS.items(), DATES.items()
    )
    for words in texts
}
"""Every pair of words with every rating and every span of time."""

COUNTED: Final = (
    SearchPhotosArguments(text="dog beach", limit=1),
    SearchPhotosArguments(rating_min=3, limit=1),
    SearchPhotosArguments(captured_from="2020", limit=1),
)
"""Searches that find few photos and many."""


def measure() -> list[Measured]:
    """A catalog of 100,000 photos. The plug-in of the tests answers in the same process, so that its photos and its
    time are in the figures, but no HTTP."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Measured]:
    bridge = Bridge()
    catalogs = Catalogs(folder, bridge)
    plugin = FakePlugin(bridge, made_up_photos(PHOTOS))
    bridge.observe(catalogs.follow)
    began = time.perf_counter()
    try:
        async with plugin:
            catalog = await catalogs.present()
            await catalog.sync.run()
            seconds = time.perf_counter() - began
            megabytes = peak_mb()
            assert await catalog.index.count() == PHOTOS
            search = await _search_p95(catalog.index)
            counting = await _counting_p95(catalog.index)
    finally:
        bridge.closing()
        await catalogs.close()
    which = f"{PHOTOS:,} photos, plug-in in process"
    return [
        measured(f"index: first full index of {which}", seconds, "s", target=60),
        measured(f"index: peak memory at the first full index of {which}", megabytes, "MB", target=400),
        _search_result(PHOTOS, search, target=30),
        measured(f"index: p95 of an overview and of facets of searches in {which}", counting * 1e3, "ms", target=100),
    ]


def measure_million() -> list[Measured]:
    """Search alone, on an index that was filled directly."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure_million(Path(folder)))


async def _measure_million(folder: Path) -> list[Measured]:
    database = Database(folder / "index.db", MIGRATIONS)
    try:
        index = PhotoIndex(database)
        photos = made_up_photos(MILLION)
        while chunk := list(itertools.islice(photos, CHUNK)):
            await index.update(chunk)
        return [_search_result(MILLION, await _search_p95(index), target=200)]
    finally:
        await database.close()


def _search_result(photos: int, seconds: float, *, target: float) -> Measured:
    name = f"search: p95 of {len(QUERIES)} queries (two words, rating, date) in the index of {photos:,} photos"
    return measured(name, seconds * 1e3, "ms", target=target)


async def _counting_p95(index: PhotoIndex) -> float:
    """Overviews of a catalog in which a photo has just changed, and facets of searches that find few and many."""
    took: list[float] = []
    photo = next(made_up_photos(PHOTOS))
    for number in range(ROUNDS):
        await index.update([msgspec.structs.replace(photo, title=f"Title {number}")])
        began = time.perf_counter()
        await index.overview()
        took.append(time.perf_counter() - began)
        for search in COUNTED:
            began = time.perf_counter()
            await index.find(search)
            without = time.perf_counter() - began
            began = time.perf_counter()
            await index.find(msgspec.structs.replace(search, facets=True))
            took.append(time.perf_counter() - began - without)
    return percentile(took, 95)


async def _search_p95(index: PhotoIndex) -> float:
    """Each search keeps its set and reads its page, as the tool does; a later round finds the set kept already."""
    took: list[float] = []
    found = 0
    for _ in range(ROUNDS):
        for query in QUERIES.values():
            began = time.perf_counter()
            answer = await index.find(query)
            took.append(time.perf_counter() - began)
            found += answer.count > 0
    assert found > len(took) / 4, f"only {found} of {len(took)} searches found anything"
    everything = await index.find(msgspec.convert({}, SearchPhotosArguments))
    assert everything.count in {PHOTOS, MILLION}
    return percentile(took, 95)
