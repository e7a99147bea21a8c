"""The tools for snapshots and virtual copies."""

from __future__ import annotations

import asyncio

import pytest

from safelight.tools.write import IN_DOUBT
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench


@requirement("tool.list-read", "tool.list-change", "tool.per-photo")
async def test_snapshots_are_made_and_listed(studio: Studio) -> None:
    photos = studio.ids(2, 3)
    studio.change(photos[0], develop={"Exposure2012": 1.0})
    content = await studio.content("create_snapshot", name="  Before\tall ", photo_ids=[*photos, "nope"])
    assert content["applied"] == photos
    assert [f["photo_id"] for f in content["failed"]] == ["nope"]
    listed = await studio.content("list_snapshots", photo_ids=[*photos, "nope"])
    assert [(one["photo_id"], one["name"]) for one in listed["snapshots"]] == [(i, "Before all") for i in photos]
    assert (listed["count"], "nope" in listed["warnings"][0]) == (3, True)
    (snapshot,) = studio.catalog.photo(photos[0]).snapshots
    assert snapshot.settings["Exposure2012"] == 1.0


async def test_a_snapshot_of_the_same_name_is_never_written_over(studio: Studio) -> None:
    one, two = studio.ids(2, 3)
    await studio.content("create_snapshot", name="Before", photo_ids=[one])
    content = await studio.content("create_snapshot", name="Before", photo_ids=[one, two])
    assert content["applied"] == [two]
    assert content["failed"] == [
        {
            "photo_id": one,
            "reason": 'The photo or a virtual copy of it has a snapshot "Before" already. Choose another name.',
        }
    ]
    assert len(studio.catalog.photo(one).snapshots) == 1


async def test_a_snapshot_cannot_be_taken_back_and_says_why(studio: Studio) -> None:
    content = await studio.content("create_snapshot", name="Before", photo_ids=studio.ids(2))
    error = await studio.error("undo_change", change_id=content["change_id"])
    assert error.tool_code == "CANNOT_UNDO"
    assert "Develop module" in error.message


async def test_a_snapshot_needs_a_name_that_can_be_seen(bench: Workbench, plugin: FakePlugin) -> None:
    error = await bench.error("create_snapshot", name=" \t ", set="selection")
    assert (error.tool_code, plugin.names("write")) == ("BAD_ARGUMENTS", [])


async def test_snapshots_of_unknown_photos_only_are_an_error(bench: Workbench, plugin: FakePlugin) -> None:
    assert (await bench.error("list_snapshots", photo_ids=["nope"])).tool_code == "PHOTO_NOT_FOUND"
    empty = await bench.content("search_photos", text="nothing like this")
    assert await bench.content("list_snapshots", set=empty["set_id"]) == {"count": 0, "snapshots": []}


@requirement("tool.list-change", "tool.result-sets", "tool.per-photo")
async def test_virtual_copies_are_a_set_that_searches_and_later_calls_find(studio: Studio) -> None:
    photos = studio.ids(2, 3)
    selected = studio.catalog.selection
    content = await studio.content("create_virtual_copies", name="Square", photo_ids=[*photos, "nope"])
    assert [copy["photo_id"] for copy in content["copies"]] == photos
    assert [f["photo_id"] for f in content["failed"]] == ["nope"]
    made = [copy["copy_id"] for copy in content["copies"]]
    assert [studio.catalog.photo(i).copy_name for i in made] == ["Square", "Square"]
    assert studio.catalog.selection == selected
    page = await studio.content("get_photos", set=content["set_id"])
    assert [one["photo_id"] for one in page["photos"]] == made
    found = await studio.content("search_photos", virtual_copy=True)
    assert {one["photo_id"] for one in found["photos"]} >= set(made)
    error = await studio.error("undo_change", change_id=content["change_id"])
    assert "grid" in error.message


async def test_without_a_name_lightroom_names_the_copies(studio: Studio) -> None:
    content = await studio.content("create_virtual_copies", photo_ids=studio.ids(2))
    (copy,) = content["copies"]
    assert studio.catalog.photo(copy["copy_id"]).copy_name == "Copy 1"


async def test_copies_that_lightroom_was_too_busy_for_are_told_with_the_reason(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 51)]) as plugin:
        plugin.most_photos_a_write = 15
        plugin.stops_with = "CATALOG_BUSY"
        content = await bench.content("create_virtual_copies", set="view")
        assert (len(content["copies"]), len(content["not_attempted"])) == (15, 35)
        assert "became busy" in content["warnings"][0]
        assert len(plugin.names("write")) == 1


@requirement("bridge.delivery")
async def test_copies_whose_answer_is_lost_are_in_doubt_and_those_made_before_are_told(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 51)]) as plugin:
        running = asyncio.create_task(bench.run("create_virtual_copies", set="view"))
        await plugin.reached("create_virtual_copies")
        plugin.lose_next_answer("create_virtual_copies")
        await plugin.reached("create_virtual_copies")
        bench.clock.advance(150)
        bench.bridge.tick()
        content = (await running).content
    assert (len(content["copies"]), len(content["failed"]), len(content["not_attempted"])) == (20, 20, 10)
    assert {f["reason"] for f in content["failed"]} == {IN_DOUBT}
    assert (await bench.journal.change(content["change_id"])).states == {"done": 20, "unknown": 20}


@requirement("bridge.identity")
async def test_copies_made_before_another_catalog_was_opened_are_told(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 51)]) as plugin:
        plugin.hold("create_virtual_copies")
        running = asyncio.create_task(bench.run("create_virtual_copies", set="view"))
        await plugin.reached("create_virtual_copies")
        plugin.fail("read_photos", "CATALOG_CHANGED", times=3)
        plugin.hold("create_virtual_copies").set()
        content = (await running).content
    assert (len(content["copies"]), len(content["not_attempted"])) == (20, 30)
    assert any("Another catalog" in warning for warning in content["warnings"])
    assert any("once the index" in warning for warning in content["warnings"])


@pytest.mark.parametrize("tool", ["create_snapshot", "create_virtual_copies"])
async def test_a_catalog_that_is_busy_from_the_start_is_an_error(
    bench: Workbench, plugin: FakePlugin, tool: str
) -> None:
    name = {"create_snapshot": "create_snapshots"}.get(tool, tool)
    plugin.fail(name, "CATALOG_BUSY", retriable=True)
    error = await bench.error(tool, name="x", set="selection")
    assert error.tool_code == "CATALOG_BUSY"
    assert (await bench.journal.changes())[0] == ()
