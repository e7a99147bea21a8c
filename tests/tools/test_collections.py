"""Making and filling collections."""

from __future__ import annotations

from tests.bridge.fake_plugin import FakePlugin
from tests.requirement import requirement
from tests.tools.conftest import Workbench


async def test_a_collection_is_made_empty_and_then_filled(bench: Workbench, plugin: FakePlugin) -> None:
    made = await bench.content("create_collection", collection="  Best   of May ")
    assert (made["name"], made["kind"]) == ("Best of May", "collection")
    content = await bench.content("add_to_collection", collection="Best of May", set="selection")
    assert content["applied"] == ["photo-0001", "photo-0002", "photo-0003"]
    assert plugin.collections[made["collection_id"]].members == content["applied"]


async def test_a_name_that_is_taken_is_an_error_that_says_what_to_do(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best")
    error = await bench.error("create_collection", collection="Best")
    assert error.tool_code == "NAME_EXISTS"
    assert "add_to_collection" in error.message


async def test_a_name_without_a_visible_character_is_refused(bench: Workbench, plugin: FakePlugin) -> None:
    assert (await bench.error("create_collection", collection=" \t ")).tool_code == "BAD_ARGUMENTS"


async def test_an_unknown_collection_names_similar_ones(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best of May")
    plugin.add_collection("Best of March", "smart")
    error = await bench.error("add_to_collection", collection="best of may", set="selection")
    assert error.tool_code == "COLLECTION_NOT_FOUND"
    assert '"Best of May"' in error.message
    assert "March" not in error.message


async def test_an_unknown_collection_without_similar_ones_says_to_create_it(
    bench: Workbench, plugin: FakePlugin
) -> None:
    error = await bench.error("add_to_collection", collection="Winter", set="selection")
    assert "Create it first with create_collection" in error.message


async def test_several_collections_of_one_name_are_an_error(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best")
    plugin.add_collection("Best")
    error = await bench.error("add_to_collection", collection="Best", set="selection")
    assert error.tool_code == "COLLECTION_AMBIGUOUS"


async def test_smart_collections_and_sets_take_no_photos(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Smart", "smart")
    plugin.add_collection("Folder", "set")
    smart = await bench.error("add_to_collection", collection="Smart", set="selection")
    folder = await bench.error("add_to_collection", collection="Folder", set="selection")
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


async def test_a_preview_shows_where_the_photos_would_go(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Best")
    preview = await bench.preview("add_to_collection", collection="Best", set="selection")
    assert [p.after for p in preview.photos] == [{"collection": "Best"}] * 3
    assert plugin.names("write") == []
