"""Putting photos into collections and taking them out."""

from __future__ import annotations

import asyncio

import pytest

from safelight.tools.write import IN_DOUBT
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench


@requirement("tool.list-change")
async def test_photos_are_taken_out_and_stay_in_the_catalog(bench: Workbench, plugin: FakePlugin) -> None:
    rome = plugin.add_collection("Rome", members=["photo-0001", "photo-0002"], path=["Trips"])
    content = await bench.content("remove_from_collection", collection="Trips > Rome", photo_ids=["photo-0001"])
    assert content["applied"] == ["photo-0001"]
    assert rome.members == ["photo-0002"]
    assert "photo-0001" in plugin.photos


async def test_photos_that_are_where_they_shall_be_are_not_written(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best", members=["photo-0001"])
    added = await bench.content("add_to_collection", collection="Best", photo_ids=["photo-0001"])
    removed = await bench.content("remove_from_collection", collection="Best", photo_ids=["photo-0002"])
    assert (added["applied"], removed["applied"]) == (["photo-0001"], ["photo-0002"])
    assert "change_id" not in added | removed
    assert plugin.names("write") == []


async def test_an_unknown_collection_names_similar_ones(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best of May")
    plugin.add_collection("Best of March", "smart")
    error = await bench.error("add_to_collection", collection="best of mai", set="selection")
    assert error.tool_code == "COLLECTION_NOT_FOUND"
    assert '"Best of May"' in error.message
    assert "March" not in error.message


async def test_an_unknown_collection_without_similar_ones_says_to_create_it(
    bench: Workbench, plugin: FakePlugin
) -> None:
    error = await bench.error("add_to_collection", collection="Winter", set="selection")
    assert "Create it first with create_collection" in error.message


@pytest.mark.parametrize("text", ["Rome", "rome", "ROME", "Trips > Rome", "trips>rome"])
async def test_a_collection_is_meant_by_its_name_or_its_path(bench: Workbench, plugin: FakePlugin, text: str) -> None:
    rome = plugin.add_collection("Rome", path=["2024", "Trips"])
    plugin.add_collection("Romeo")
    await bench.content("add_to_collection", collection=text, photo_ids=["photo-0001"])
    assert rome.members == ["photo-0001"]


async def test_a_whole_path_and_the_exact_case_go_before_others(bench: Workbench, plugin: FakePlugin) -> None:
    top, below, lower = (
        plugin.add_collection("Rome"),
        plugin.add_collection("Rome", path=["Trips"]),
        plugin.add_collection("rome"),
    )
    for number, text in enumerate(("Rome", "Trips > Rome", "rome"), start=1):
        await bench.content("add_to_collection", collection=text, photo_ids=[f"photo-000{number}"])
    assert [c.members for c in (top, below, lower)] == [["photo-0001"], ["photo-0002"], ["photo-0003"]]


async def test_a_name_that_several_have_is_an_error_that_names_their_paths(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Best", path=["2023"])
    plugin.add_collection("Best", path=["2024"])
    error = await bench.error("add_to_collection", collection="Best", set="selection")
    assert error.tool_code == "COLLECTION_AMBIGUOUS"
    assert '"2023 > Best"' in error.message
    assert '"2024 > Best"' in error.message


async def test_a_name_that_holds_the_separator_is_found(bench: Workbench, plugin: FakePlugin) -> None:
    odd = plugin.add_collection("Rating>3")
    await bench.content("add_to_collection", collection="Rating > 3", photo_ids=["photo-0001"])
    assert odd.members == ["photo-0001"]


async def test_smart_collections_and_sets_take_no_photos(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Smart", "smart")
    plugin.add_collection("Folder", "set")
    smart = await bench.error("add_to_collection", collection="Smart", set="selection")
    folder = await bench.error("remove_from_collection", collection="Folder", set="selection")
    assert (smart.tool_code, folder.tool_code) == ("SMART_COLLECTION_READONLY", "COLLECTION_NOT_FOUND")
    assert plugin.names("write") == []


@requirement("tool.per-photo")
async def test_photos_that_the_catalog_does_not_know_are_reported_one_by_one(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Best")
    content = await bench.content("add_to_collection", collection="Best", photo_ids=["photo-0001", "nope"])
    assert content["applied"] == ["photo-0001"]
    assert content["failed"][0]["photo_id"] == "nope"
    assert "no photo with this id" in content["failed"][0]["reason"]


async def test_a_failure_that_came_after_the_write_is_looked_at(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best")
    failed = [{"photo_id": "photo-0001", "code": "LIGHTROOM_ERROR", "message": "written, but not read back"}]
    plugin.answer_with("add_to_collection", {"applied": [], "failed": failed, "not_attempted": []})
    content = await bench.content("add_to_collection", collection="Best", photo_ids=["photo-0001"])
    assert (content["applied"], content["failed"]) == (["photo-0001"], [])


async def test_a_failure_that_cannot_be_looked_at_stays_in_doubt(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best")
    failed = [{"photo_id": "photo-0001", "code": "LIGHTROOM_ERROR", "message": "written, but not read back"}]
    plugin.answer_with("add_to_collection", {"applied": [], "failed": failed, "not_attempted": []})
    released = plugin.hold("add_to_collection")
    adding = asyncio.create_task(bench.run("add_to_collection", collection="Best", photo_ids=["photo-0001"]))
    await plugin.reached("add_to_collection")
    plugin.fail("list_photo_ids", "TIMEOUT", retriable=True)
    released.set()
    answer = await adding
    assert answer.content["failed"] == [{"photo_id": "photo-0001", "reason": IN_DOUBT}]
    assert "change_id" in answer.content


async def test_a_preview_shows_where_each_photo_is_and_would_be(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best", members=["photo-0001"])
    preview = await bench.preview("add_to_collection", collection="Best", set="selection")
    assert [(p.photo_id, p.before, p.after) for p in preview.photos] == [
        ("photo-0001", {"in_collection": True}, {"in_collection": True}),
        ("photo-0002", {"in_collection": False}, {"in_collection": True}),
        ("photo-0003", {"in_collection": False}, {"in_collection": True}),
    ]
    assert plugin.names("write") == []


async def test_many_photos_are_added_in_chunks_of_five_hundred(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 1102)]) as plugin:
        best = plugin.add_collection("Best")
        content = await bench.content("add_to_collection", collection="Best", set="view")
        assert [len(c.arguments["photo_ids"]) for c in plugin.received if c.name == "add_to_collection"] == [
            500,
            500,
            101,
        ]
    assert (len(content["applied"]), len(best.members)) == (1101, 1101)


@requirement("perm.undo")
async def test_an_undo_that_found_one_photo_as_wanted_already_is_taken_back_for_the_others_too(
    bench: Workbench, plugin: FakePlugin
) -> None:
    one, other = list(plugin.photos)[:2]
    plugin.add_collection("Rome")
    added = await bench.content("add_to_collection", collection="Rome", photo_ids=[one, other])
    await bench.content("remove_from_collection", collection="Rome", photo_ids=[one])
    undone = await bench.content("undo_change", change_id=added["change_id"])
    (rome,) = plugin.collections.values()
    assert rome.members == []
    redone = await bench.content("undo_change", change_id=undone["change_id"])
    assert redone["failed"] == []
    assert rome.members == [other]
