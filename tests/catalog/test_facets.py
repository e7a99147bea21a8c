"""What is counted of what was found, and of the whole catalog."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from random import Random

import pytest
from msgspec import UNSET

from safelight.catalog import facets
from safelight.catalog.database import Database
from safelight.catalog.index import PhotoIndex
from safelight.catalog.schema import MIGRATIONS
from safelight.errors import ToolError
from safelight.wire.bridge_models import PhotoRecord
from safelight.wire.tool_models import Facet, SearchPhotosArguments
from tests.bridge.fake_plugin import photo

PHOTOS = (
    photo(1, rating=5, flag="pick", label="red", camera="NIKON Z 6", keywords=["Animals > Dog", "Beach"]),
    photo(2, rating=5, camera="NIKON Z 6", lens="50mm", file_format="RAW", keywords=["Beach"]),
    photo(3, camera="X-T4", file_format="JPG", captured="2023-01-01T00:00:00"),
    PhotoRecord(photo_id="photo-0004", file_name="scan.tif"),
)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(tmp_path / "index.db", MIGRATIONS)
    yield database
    await database.close()


@pytest.fixture
def index(database: Database) -> PhotoIndex:
    return PhotoIndex(database, today=lambda: date(2024, 6, 5))


def told(found: tuple[Facet, ...] | None) -> dict[str, dict[str, int]]:
    assert found is not None
    return {facet.name: {count.value: count.photos for count in facet.counts} for facet in found}


async def test_the_whole_catalog_is_counted_by_what_its_photos_have(index: PhotoIndex) -> None:
    await index.update(PHOTOS)
    overview = await index.overview()
    assert (overview.count, overview.first, overview.last) == (4, "2023-01-01T00:00:00", "2024-01-02T10:00:00")
    assert told(overview.facets) == {
        "rating": {"5": 2, "0": 2},
        "flag": {"none": 3, "pick": 1},
        "label": {"none": 3, "red": 1},
        "year": {"2024": 2, "2023": 1},
        "camera": {"NIKON Z 6": 2, "X-T4": 1},
        "lens": {"50mm": 1},
        "file_type": {"raw": 1, "jpeg": 1},
        "keyword": {"Beach": 2, "Animals > Dog": 1},
    }


async def test_an_overview_follows_every_change(index: PhotoIndex) -> None:
    assert (await index.overview()).first is None
    await index.update(PHOTOS)
    assert (await index.overview()) is (await index.overview())
    await index.update([photo(1, keywords=["Cat"])])
    changed = await index.overview()
    assert told(changed.facets)["keyword"] == {"Beach": 1, "Cat": 1}
    await index.remove(["photo-0002", "photo-0003"])
    assert told((await index.overview()).facets)["year"] == {"2024": 1}


async def test_what_was_found_is_counted_only_when_it_is_asked_for(index: PhotoIndex) -> None:
    await index.update(PHOTOS)
    assert (await index.find(SearchPhotosArguments(camera="nikon"))).facets is None
    found = await index.find(SearchPhotosArguments(camera="nikon", facets=True, limit=1))
    assert told(found.facets)["keyword"] == {"Beach": 2, "Animals > Dog": 1}
    assert told(found.facets)["camera"] == {"NIKON Z 6": 2}
    nothing = await index.find(SearchPhotosArguments(camera="canon", facets=True))
    assert not any(told(nothing.facets).values())


async def test_the_ten_commonest_values_are_told_and_how_many_more_there_are(index: PhotoIndex) -> None:
    photos = [photo(n, keywords=[f"K{kind:02}" for kind in range(n % 13 + 1)]) for n in range(1, 27)]
    await index.update(photos)
    keyword = next(facet for facet in (await index.overview()).facets if facet.name == "keyword")
    assert [(count.value, count.photos) for count in keyword.counts[:2]] == [("K00", 26), ("K01", 24)]
    assert (len(keyword.counts), keyword.more) == (10, 3)


async def test_few_and_many_photos_are_counted_alike(index: PhotoIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(3)
    await index.update([
        photo(
            n,
            rating=random.randrange(6) or UNSET,
            camera=random.choice(["A", "B", UNSET]),
            keywords=random.sample(["x", "y", "z > x"], random.randrange(4)),
        )
        for n in range(1, 200)
    ])  # fmt: skip
    search = SearchPhotosArguments(rating_min=2, facets=True)
    few = (await index.find(search)).facets
    monkeypatch.setattr(facets, "FEW", 0)
    assert (await index.find(search)).facets == few
    everything = (await index.find(SearchPhotosArguments(facets=True))).facets
    assert everything == (await index.overview()).facets


async def test_keywords_are_listed_by_path_with_their_photos(index: PhotoIndex) -> None:
    await index.update(PHOTOS)
    assert [(k.keyword, k.photos) for k in await index.keywords()] == [("Animals > Dog", 1), ("Beach", 2)]


async def test_an_unknown_keyword_is_told_with_similar_ones(index: PhotoIndex) -> None:
    await index.update(PHOTOS)
    found = await index.find(SearchPhotosArguments(keyword="bea"))
    assert found.warnings == ('No photo has the keyword "bea". Similar ones are Beach.',)
    assert (await index.find(SearchPhotosArguments(keyword="BEACH"))).warnings == ()


async def test_a_search_that_takes_too_long_is_given_up_in_words(database: Database) -> None:
    index = PhotoIndex(database, patience_s=-1.0)
    await index.update([photo(n) for n in range(1, 3000)])
    with pytest.raises(ToolError) as caught:
        await index.find(SearchPhotosArguments(filter="file_name:*a*b*c or caption:no or iso=1", sort="file_name"))
    assert caught.value.tool_code == "SEARCH_TOO_SLOW"
    assert await PhotoIndex(database).count() == 2999


async def test_a_pattern_of_many_stars_on_long_names_does_not_hang(index: PhotoIndex) -> None:
    await index.update([PhotoRecord(photo_id=f"p{n}", file_name="a" * 250) for n in range(200)])
    assert (await index.find(SearchPhotosArguments(file_name="*a" * 99 + "b"))).count == 0
