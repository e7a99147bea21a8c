"""Taking back what was done to collections."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest

from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench


async def changed(bench: Workbench, name: str, /, **arguments: Any) -> str:
    return str((await bench.content(name, **arguments))["change_id"])


def paths(plugin: FakePlugin) -> list[str]:
    return [" > ".join(collection.path) for collection in plugin.collections.values()]


@requirement("perm.undo")
@pytest.mark.parametrize(
    ("tool", "after", "before"),
    [
        ("add_to_collection", ["photo-0003", "photo-0001", "photo-0002"], ["photo-0003"]),
        ("remove_from_collection", [], ["photo-0003"]),
    ],
)
async def test_photos_go_back_to_where_they_were(
    bench: Workbench, plugin: FakePlugin, tool: str, after: list[str], before: list[str]
) -> None:
    rome = plugin.add_collection("Rome", members=["photo-0003"])
    change_id = await changed(bench, tool, collection="Rome", set="selection")
    assert rome.members == after
    undone = await bench.content("undo_change", change_id=change_id)
    assert rome.members == before
    await bench.content("undo_change", change_id=undone["change_id"])
    assert sorted(rome.members) == sorted(after)


async def test_photos_that_were_moved_since_are_left_alone(bench: Workbench, plugin: FakePlugin) -> None:
    rome = plugin.add_collection("Rome")
    change_id = await changed(bench, "add_to_collection", collection="Rome", photo_ids=["photo-0001", "photo-0002"])
    rome.members.remove("photo-0001")
    content = await bench.content("undo_change", change_id=change_id)
    assert (content["applied"], rome.members) == (["photo-0001", "photo-0002"], [])
    assert len([c for c in plugin.received if c.name == "remove_from_collection"][0].arguments["photo_ids"]) == 1


async def test_photos_of_a_collection_that_has_gone_cannot_be_taken_out(bench: Workbench, plugin: FakePlugin) -> None:
    rome = plugin.add_collection("Rome")
    change_id = await changed(bench, "add_to_collection", collection="Rome", set="selection")
    del plugin.collections[rome.record.collection_id]
    error = await bench.error("undo_change", change_id=change_id)
    assert (error.tool_code, '"Rome"' in error.message) == ("COLLECTION_NOT_FOUND", True)


@requirement("perm.undo")
async def test_a_collection_that_was_made_goes_again_with_the_sets_that_were_made_for_it(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Trips", "set")
    change_id = await changed(bench, "create_collection", collection="Trips > 2024 > Italy > Rome")
    await bench.content("undo_change", change_id=change_id)
    assert paths(plugin) == ["Trips"]


async def test_a_set_that_holds_more_by_now_stays(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "create_collection", collection="Trips > Italy > Rome")
    plugin.add_collection("Oslo", path=["Trips"])
    await bench.content("undo_change", change_id=change_id)
    assert paths(plugin) == ["Trips", "Trips > Oslo"]


@requirement("perm.undo")
async def test_a_collection_that_was_filled_since_stays(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "create_collection", collection="Rome")
    filling = await changed(bench, "add_to_collection", collection="Rome", set="selection")
    answer = await bench.run("undo_change", change_id=change_id)
    assert not answer.ok
    assert "put in since" in answer.content["failed"][0]["reason"]
    for undoing in (filling, change_id):
        await bench.content("undo_change", change_id=undoing)
    assert plugin.collections == {}


async def test_a_collection_that_was_renamed_since_stays(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "create_collection", collection="Rome")
    (rome,) = plugin.collections.values()
    rome.record = type(rome.record)(collection_id=rome.record.collection_id, name="Oslo", path=[], kind="collection")
    answer = await bench.run("undo_change", change_id=change_id)
    assert "changed since" in answer.content["failed"][0]["reason"]
    assert paths(plugin) == ["Oslo"]


@requirement("perm.undo")
async def test_a_deleted_collection_is_made_again_with_its_photos_and_deleted_again(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 2_502)]) as plugin:
        plugin.add_collection("Rome", members=list(plugin.photos), path=["Trips"])
        plugin.add_collection("Trips", "set")
        change_id = await changed(bench, "delete_collection", collection="Rome")
        assert paths(plugin) == ["Trips"]
        undone = await bench.content("undo_change", change_id=change_id)
        rome = plugin.collection_at("Trips", "Rome")
        assert rome is not None
        assert rome.members == list(plugin.photos)
        assert (await bench.journal.change(change_id)).states == {"undone": 1}
        await bench.content("undo_change", change_id=undone["change_id"])
        assert paths(plugin) == ["Trips"]


async def test_a_collection_made_again_says_how_many_of_its_photos_have_gone(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Rome", members=["photo-0001", "photo-0002"])
    change_id = await changed(bench, "delete_collection", collection="Rome")
    del plugin.photos["photo-0001"]
    content = await bench.content("undo_change", change_id=change_id)
    assert content["warnings"] == ["1 of its photos could not be put into the collection."]


async def test_a_collection_is_not_made_again_beside_another_of_its_name(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=["photo-0001"])
    change_id = await changed(bench, "delete_collection", collection="Rome")
    plugin.add_collection("Rome")
    answer = await bench.run("undo_change", change_id=change_id)
    assert 'another "Rome"' in answer.content["failed"][0]["reason"]
    assert len(plugin.collections) == 1


async def test_a_smart_collection_of_ours_can_be_taken_back_and_made_again(
    bench: Workbench, plugin: FakePlugin
) -> None:
    change_id = await changed(bench, "create_smart_collection", collection="Best", rating_min=4)
    (rules,) = [c.rules for c in plugin.collections.values()]
    undone = await bench.content("undo_change", change_id=change_id)
    assert plugin.collections == {}
    await bench.content("undo_change", change_id=undone["change_id"])
    assert [c.rules for c in plugin.collections.values()] == [rules]


async def test_earlier_changes_find_a_collection_that_was_made_again(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome")
    filling = await changed(bench, "add_to_collection", collection="Rome", set="selection")
    deleting = await changed(bench, "delete_collection", collection="Rome")
    for change_id in (deleting, filling):
        await bench.content("undo_change", change_id=change_id)
    assert [(c.path, c.members) for c in plugin.collections.values()] == [(["Rome"], [])]


@requirement("perm.preview")
async def test_a_question_shows_which_collection_would_come_or_go(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=["photo-0001", "photo-0002"])
    change_id = await changed(bench, "delete_collection", collection="Rome")
    preview = await bench.preview("undo_change", change_id=change_id)
    assert [(p.file_name, p.before, p.after) for p in preview.photos] == [
        ("Rome", {"collection": None, "photos": None}, {"collection": "Rome", "photos": 2})
    ]


async def test_of_a_delete_of_unknown_outcome_what_is_still_there_is_left(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Rome", members=["photo-0001"])
    plugin.hold("delete_collection")
    deleting = asyncio.create_task(bench.error("delete_collection", collection="Rome"))
    await plugin.reached("delete_collection")
    await plugin.stop()
    bench.clock.advance(60)
    bench.bridge.tick()
    await deleting
    ((change,), _) = await bench.journal.changes()
    async with FakePlugin(bench.bridge, plugin.photos.values()) as again:
        again.collections.update(plugin.collections)
        content = await bench.content("undo_change", change_id=change.change_id)
        assert (len(content["applied"]), paths(again), again.names("write")) == (1, ["Rome"], [])


@pytest.mark.parametrize("kind", ["smart", "set"])
async def test_what_took_the_place_of_a_collection_that_was_made_stays(
    bench: Workbench, plugin: FakePlugin, kind: Literal["smart", "set"]
) -> None:
    change_id = await changed(bench, "create_collection", collection="Rome")
    plugin.collections.clear()
    plugin.add_collection("Rome", kind)
    answer = await bench.run("undo_change", change_id=change_id)
    assert 'another "Rome"' in answer.content["failed"][0]["reason"]
    assert paths(plugin) == ["Rome"]


async def test_photos_that_are_put_in_while_a_collection_is_deleted_are_not_lost(
    bench: Workbench, plugin: FakePlugin
) -> None:
    rome = plugin.add_collection("Rome", members=["photo-0001"])
    async with bench.journal.turn:
        deleting = asyncio.create_task(bench.error("delete_collection", collection="Rome"))
        await plugin.reached("find_collections")
        await plugin.reached("list_photo_ids")
        going_on = plugin.hold("find_collections")
    await plugin.reached("find_collections")
    rome.members.append("photo-0005")
    going_on.set()
    assert "put in since" in (await deleting).message
    assert paths(plugin) == ["Rome"]


@requirement("perm.bulk")
async def test_taking_back_a_deletion_counts_the_photos_that_the_collection_held(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.add_collection("Rome", members=list(plugin.photos))
    change_id = await changed(bench, "delete_collection", collection="Rome")
    assert await bench.count("undo_change", change_id=change_id) == 5
    undone = await bench.content("undo_change", change_id=change_id)
    assert await bench.count("undo_change", change_id=undone["change_id"]) == 5
    making = await changed(bench, "create_collection", collection="Oslo")
    assert await bench.count("undo_change", change_id=making) == 1
