"""Listing, making and deleting collections."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from safelight.bridge.sentences import SENTENCES
from tests.bridge.fake_plugin import FakePlugin
from tests.requirement import requirement
from tests.tools.conftest import Workbench


@requirement("tool.list-change")
async def test_a_collection_is_made_empty_and_then_filled(bench: Workbench, plugin: FakePlugin) -> None:
    made = await bench.content("create_collection", collection="  Best   of May ")
    assert (made["name"], made["kind"]) == ("Best of May", "collection")
    content = await bench.content("add_to_collection", collection="Best of May", set="selection")
    assert content["applied"] == ["photo-0001", "photo-0002", "photo-0003"]
    assert plugin.collections[made["collection_id"]].members == content["applied"]


async def test_a_path_makes_the_sets_that_are_missing_in_those_that_are_there(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Trips", "set")
    made = await bench.content("create_collection", collection="trips>Italy  >  Rome")
    assert made["name"] == "Trips > Italy > Rome"
    assert [(c.path, c.record.kind) for c in plugin.collections.values()] == [
        (["Trips"], "set"),
        (["Trips", "Italy"], "set"),
        (["Trips", "Italy", "Rome"], "collection"),
    ]


async def test_a_name_that_is_taken_is_an_error_that_says_what_to_do(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best")
    error = await bench.error("create_collection", collection="Best")
    assert error.tool_code == "NAME_EXISTS"
    assert "add_to_collection" in error.message
    assert plugin.names("write") == []


async def test_a_name_that_is_taken_meanwhile_is_the_same_error(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.fail("create_collection", "NAME_EXISTS")
    assert (await bench.error("create_collection", collection="Best")).tool_code == "NAME_EXISTS"
    assert (await bench.journal.changes())[0] == ()


@pytest.mark.parametrize("name", [" \t ", "Trips > ", "> Rome", "a > " * 10 + "a", "x" * 201])
async def test_a_path_that_is_none_is_refused(bench: Workbench, plugin: FakePlugin, name: str) -> None:
    assert (await bench.error("create_collection", collection=name)).tool_code == "BAD_ARGUMENTS"
    assert plugin.received == []


async def test_a_collection_whose_making_was_not_answered_is_looked_up(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.lose_next_answer("create_collection")
    making = asyncio.create_task(bench.content("create_collection", collection="Trips > Rome"))
    await plugin.reached("create_collection")
    bench.clock.advance(60)
    bench.bridge.tick()
    made = await making
    rome = plugin.collection_at("Trips", "Rome")
    assert rome is not None
    assert made["collection_id"] == rome.record.collection_id
    ((change,), _) = await bench.journal.changes()
    assert (change.change_id, change.states) == (made["change_id"], {"done": 1})


async def test_a_collection_that_lightroom_would_not_make_is_its_error(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.fail("create_collection", "LIGHTROOM_ERROR", "no more room.")
    error = await bench.error("create_collection", collection="Rome")
    assert error.tool_code == "LIGHTROOM_ERROR"
    assert "no more room" in error.message


@requirement("tool.list-change")
@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ({"rating_min": 3}, [{"criteria": "rating", "operation": ">=", "number": 3}]),
        ({"rating_max": 2}, [{"criteria": "rating", "operation": "<=", "number": 2}]),
        ({"rating_max": 0}, [{"criteria": "rating", "operation": "==", "number": 0}]),
        ({"rating_min": 2, "rating_max": 4}, [{"criteria": "rating", "operation": "in", "number": 2, "number2": 4}]),
        ({"rating_min": 3, "rating_max": 5}, [{"criteria": "rating", "operation": ">=", "number": 3}]),
        ({"flag": "reject"}, [{"criteria": "pick", "operation": "==", "number": -1}]),
        ({"label": "purple"}, [{"criteria": "labelColor", "operation": "==", "number": 5}]),
        ({"label": "none"}, [{"criteria": "labelColor", "operation": "==", "text": "none"}]),
        (
            {"captured_from": "2024", "captured_to": "2024"},
            [{"criteria": "captureTime", "operation": "in", "text": "2024-01-01", "text2": "2024-12-31"}],
        ),
        (
            {"captured_from": "2024-02", "captured_to": "2024-02"},
            [{"criteria": "captureTime", "operation": "in", "text": "2024-02-01", "text2": "2024-02-29"}],
        ),
        (
            {"captured_to": "2024-05-31"},
            [{"criteria": "captureTime", "operation": "in", "text": "1800-01-01", "text2": "2024-05-31"}],
        ),
        ({"keyword": "Animals > Dog"}, [{"criteria": "keywords", "operation": "words", "text": "Dog"}]),
        (
            {"camera": "Z 6", "lens": "50mm"},
            [
                {"criteria": "camera", "operation": "all", "text": "Z 6"},
                {"criteria": "lens", "operation": "all", "text": "50mm"},
            ],
        ),
    ],
)
async def test_a_smart_collection_gets_its_rules_in_lightrooms_words(
    bench: Workbench, plugin: FakePlugin, arguments: dict[str, Any], rules: list[dict[str, Any]]
) -> None:
    made = await bench.content("create_smart_collection", collection="Sets > Smart", **arguments)
    assert (made["name"], made["kind"]) == ("Sets > Smart", "smart")
    assert plugin.received[-1].arguments == {"path": ["Sets", "Smart"], "rules": rules}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "NO_RULES"),
        ({"rating_min": 0}, "NO_RULES"),
        ({"rating_min": 4, "rating_max": 3}, "RULES_CONTRADICT"),
        ({"captured_from": "2025", "captured_to": "2024"}, "RULES_CONTRADICT"),
        ({"captured_from": "2024-02-30"}, "BAD_DATE"),
        ({"keyword": "Animals >"}, "KEYWORD_INVALID"),
        ({"keyword": " "}, "KEYWORD_INVALID"),
        ({"camera": " "}, "NO_RULES"),
    ],
)
async def test_rules_that_no_photo_or_every_photo_fits_are_refused(
    bench: Workbench, plugin: FakePlugin, arguments: dict[str, Any], code: str
) -> None:
    assert (await bench.error("create_smart_collection", collection="Smart", **arguments)).tool_code == code
    assert plugin.received == []


@requirement("tool.list-read")
async def test_collections_are_listed_with_paths_and_counts_a_page_at_a_time(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Trips", "set")
    plugin.add_collection("Rome", members=["photo-0001", "photo-0002"], path=["Trips"])
    plugin.add_collection("Five stars", "smart", members=["photo-0003"])
    content = await bench.content("list_collections")
    assert content == {
        "count": 3,
        "collections": [
            {"collection_id": "collection-1", "name": "Trips", "kind": "set"},
            {"collection_id": "collection-2", "name": "Trips > Rome", "kind": "collection", "photos": 2},
            {"collection_id": "collection-3", "name": "Five stars", "kind": "smart", "photos": 1},
        ],
    }
    assert plugin.names() == ["find_collections"]
    page = await bench.content("list_collections", limit=1, offset=1)
    assert (page["count"], [c["name"] for c in page["collections"]]) == (3, ["Trips > Rome"])
    assert plugin.received[-1].arguments == {"count_from": 1, "count_to": 2}


async def test_a_query_finds_any_part_of_a_path_however_it_is_written(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Tromsø", members=["photo-0001"], path=["Trips"])
    plugin.add_collection("Rome", members=["photo-0002"])
    for query in ("tromso", "trips>trom", "RIPS"):
        content = await bench.content("list_collections", query=query)
        assert [(c["name"], c["photos"]) for c in content["collections"]] == [("Trips > Tromsø", 1)]


@requirement("perm.preview", "perm.bulk")
async def test_deleting_asks_with_the_photos_that_the_collection_holds(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=list(plugin.photos), path=["Trips"])
    assert await bench.count("delete_collection", collection="rome") == 5
    preview = await bench.preview("delete_collection", collection="rome")
    assert (len(preview.photos), preview.more) == (5, 0)
    assert (preview.photos[0].before, preview.photos[0].after) == ({"collection": "Trips > Rome"}, {"collection": None})
    assert plugin.names("write") == []


@requirement("perm.frozen")
async def test_the_collection_that_was_shown_is_the_one_that_is_deleted(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", path=["Trips"])
    frozen = await bench.tools["delete_collection"].freeze({"collection": "rome"})
    plugin.add_collection("rome")
    assert frozen == {"collection": "> Trips > Rome"}
    await bench.content("delete_collection", **frozen)
    assert plugin.collection_at("Trips", "Rome") is None
    assert plugin.collection_at("rome") is not None


@requirement("tool.list-destructive")
async def test_a_collection_is_deleted_and_its_photos_stay(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=["photo-0001", "photo-0002"])
    content = await bench.content("delete_collection", collection="Rome")
    assert (content["name"], content["photos"]) == ("Rome", 2)
    assert plugin.collections == {}
    assert len(plugin.photos) == 5


async def test_a_set_that_holds_any_is_not_deleted(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Trips", "set")
    plugin.add_collection("Rome", path=["Trips"])
    error = await bench.error("delete_collection", collection="Trips")
    assert error.tool_code == "NOT_EMPTY"
    await bench.content("delete_collection", collection="Trips > Rome")
    assert (await bench.content("delete_collection", collection="Trips"))["kind"] == "set"
    assert plugin.collections == {}


async def test_a_collection_that_is_still_there_is_an_error(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome")
    plugin.answer_with("delete_collection", {"deleted": False})
    error = await bench.error("delete_collection", collection="Rome")
    assert (error.tool_code, "still there" in error.message) == ("LIGHTROOM_ERROR", True)


async def test_a_delete_that_was_not_answered_is_looked_up(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=["photo-0001"])
    plugin.lose_next_answer("delete_collection")
    deleting = asyncio.create_task(bench.content("delete_collection", collection="Rome"))
    await plugin.reached("delete_collection")
    bench.clock.advance(60)
    bench.bridge.tick()
    assert "change_id" in await deleting


async def test_a_delete_that_did_not_happen_is_the_bridges_error(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=["photo-0001"])
    plugin.hold("delete_collection")
    deleting = asyncio.create_task(bench.error("delete_collection", collection="Rome"))
    await plugin.reached("delete_collection")
    await plugin.stop()
    bench.clock.advance(60)
    bench.bridge.tick()
    error = await deleting
    assert (error.tool_code, error.message) == ("TIMEOUT_UNKNOWN_OUTCOME", SENTENCES["TIMEOUT_UNKNOWN_OUTCOME"])
    ((change,), _) = await bench.journal.changes()
    assert change.states == {"unknown": 1}
