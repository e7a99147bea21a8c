"""The search in full, and the tools that look over the whole catalog."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench


def ids(content: dict[str, Any]) -> list[str]:
    return [photo["photo_id"] for photo in content["photos"]]


def facet(content: dict[str, Any], name: str) -> dict[str, int]:
    return {
        count["value"]: count["photos"] for one in content["facets"] if one["name"] == name for count in one["counts"]
    }


async def test_a_collection_limits_a_search_whatever_its_kind(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", path=["Trips"], members=["photo-0001", "photo-0003", "photo-0005"])
    plugin.add_collection("Best", kind="smart", members=["photo-0003"])
    assert ids(await bench.content("search_photos", collection="trips > rome")) == [
        "photo-0005",
        "photo-0003",
        "photo-0001",
    ]
    assert ids(await bench.content("search_photos", collection="Rome", text="dog")) == ["photo-0005", "photo-0001"]
    assert ids(await bench.content("search_photos", collection="Best")) == ["photo-0003"]
    error = await bench.error("search_photos", collection="Roma")
    assert error.tool_code == "COLLECTION_NOT_FOUND"
    assert "Trips > Rome" in error.message


@requirement("tool.targets")
async def test_a_search_within_a_set_the_selection_or_the_view_finds_nothing_else(
    bench: Workbench, plugin: FakePlugin
) -> None:
    dogs = await bench.content("search_photos", text="dog")
    assert ids(await bench.content("search_photos", within=dogs["set_id"], rating_min=1)) == ["photo-0001"]
    assert ids(await bench.content("search_photos", within="selection", text="dog")) == ["photo-0001"]
    plugin.view = ["photo-0004", "photo-0005"]
    assert ids(await bench.content("search_photos", within="view")) == ["photo-0005", "photo-0004"]
    plugin.add_collection("Rome", members=["photo-0001", "photo-0004"])
    assert ids(await bench.content("search_photos", within="view", collection="Rome")) == ["photo-0004"]
    assert (await bench.error("search_photos", within="set_none")).tool_code == "SET_UNKNOWN"
    plugin.selection = []
    assert (await bench.error("search_photos", within="selection")).tool_code == "NO_SELECTION"


async def test_facets_count_all_that_was_found_and_adjusted_photos_say_so(bench: Workbench) -> None:
    photos = [photo(n, rating=n % 2 + 1, keywords=["Sea"] if n > 2 else []) for n in range(1, 6)]
    async with FakePlugin(bench.bridge, photos) as plugin:
        plugin.adjusted = {"photo-0002"}
        content = await bench.content("search_photos", facets=True, limit=1, sort="oldest")
        assert facet(content, "rating") == {"2": 3, "1": 2}
        assert facet(content, "keyword") == {"Sea": 3}
        assert "facets" not in await bench.content("search_photos")
        found = await bench.content("search_photos", adjusted=True)
    assert [(p["photo_id"], p["adjusted"]) for p in found["photos"]] == [("photo-0002", True)]


@requirement("index.pixels")
async def test_without_an_image_model_what_a_picture_shows_is_looked_for_in_texts_and_that_is_said(
    bench: Workbench, plugin: FakePlugin
) -> None:
    content = await bench.content("search_photos", shows="dog")
    assert ids(content) == ["photo-0005", "photo-0001"]
    assert content["warnings"] == ["No image model is installed, so shows was looked for in the photos' texts only."]
    assert ids(await bench.content("search_photos", shows="dog", text="two")) == ["photo-0001"]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"filter": "iso>"}, "BAD_FILTER", "at character 5 of the filter"),
        ({"captured_from": "2024-02-30"}, "BAD_DATE", "29 days"),
    ],
)
async def test_what_cannot_be_searched_for_is_refused_in_words(
    bench: Workbench, plugin: FakePlugin, arguments: dict[str, Any], code: str, says: str
) -> None:
    error = await bench.error("search_photos", **arguments)
    assert error.tool_code == code
    assert says in error.message


@requirement("tool.list-read")
async def test_the_overview_counts_the_catalog_and_its_collections(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", path=["Trips"], members=["photo-0001", "photo-0004"])
    plugin.add_collection("Trips", kind="set")
    plugin.add_collection("Empty")
    content = await bench.content("catalog_overview")
    assert (content["count"], content["first"], content["last"]) == (5, "2024-01-01T10:00:00", "2024-01-05T10:00:00")
    assert facet(content, "rating") == {"0": 3, "3": 1, "5": 1}
    assert facet(content, "camera") == {"NIKON Z 6": 1}
    assert facet(content, "collection") == {"Trips > Rome": 2}
    assert "warnings" not in content


async def test_the_overview_without_lightroom_says_what_is_left_out(bench: Workbench, plugin: FakePlugin) -> None:
    await plugin.stop()
    bench.clock.advance(60)
    content = await bench.content("catalog_overview")
    assert content["count"] == 5
    assert facet(content, "collection") == {}
    assert any(warning.startswith("Collections are left out.") for warning in content["warnings"])


@requirement("tool.list-read")
async def test_keywords_are_listed_with_their_photos_also_those_that_no_photo_has(bench: Workbench) -> None:
    photos = [photo(1, keywords=["Animals > Dog", "Sea"]), photo(2, keywords=["Animals > Dog"])]
    async with FakePlugin(bench.bridge, photos) as plugin:
        plugin.keywords = ["Animals", "Île", "unused"]
        content = await bench.content("list_keywords")
        assert [(k["keyword"], k["photos"]) for k in content["keywords"]] == [
            ("Animals", 0),
            ("Animals > Dog", 2),
            ("Île", 0),
            ("Sea", 1),
            ("unused", 0),
        ]
        page = await bench.content("list_keywords", offset=1, limit=2)
        assert (page["count"], [k["keyword"] for k in page["keywords"]]) == (5, ["Animals > Dog", "Île"])
        assert [k["keyword"] for k in (await bench.content("list_keywords", query="ile"))["keywords"]] == ["Île"]
    bench.clock.advance(60)
    away = await bench.content("list_keywords")
    assert [k["keyword"] for k in away["keywords"]] == ["Animals > Dog", "Sea"]
    assert any(warning.startswith("Keywords that no photo has are left out.") for warning in away["warnings"])


@requirement("index.pixels", "tool.list-read")
async def test_without_an_image_model_similar_photos_are_those_taken_around_the_same_time(bench: Workbench) -> None:
    times = ["10:00:00", "10:05:00", "09:58:00.5", "10:10:00", "10:10:01", "08:00:00"]
    photos = [photo(n, captured=f"2024-05-01T{time}") for n, time in enumerate(times, 1)]
    async with FakePlugin(bench.bridge, [*photos, photo(7), photo(8, captured="about noon")]):
        content = await bench.content("find_similar", photo_id="photo-0001", limit=2)
        assert (content["count"], ids(content)) == (3, ["photo-0003", "photo-0002"])
        assert content["warnings"][0].startswith("No image model is installed")
        everything = await bench.content("get_photos", set=content["set_id"])
        assert ids(everything) == ["photo-0003", "photo-0002", "photo-0004"]
        undated = await bench.content("find_similar", photo_id="photo-0008")
        assert (undated["count"], len(undated["warnings"])) == (0, 2)
        assert (await bench.error("find_similar", photo_id="nope")).tool_code == "PHOTO_NOT_FOUND"
