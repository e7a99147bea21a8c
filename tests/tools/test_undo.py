"""Taking changes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from safelight.tools.undo import CHANGED_SINCE
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench


async def changed(bench: Workbench, name: str, /, **arguments: Any) -> str:
    return str((await bench.content(name, **arguments))["change_id"])


@requirement("perm.undo", "tool.list-destructive")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("set_rating", {"rating": 1}),
        ("set_rating", {"rating": 0}),
        ("set_flag", {"flag": "reject"}),
        ("set_label", {"label": "red"}),
        ("set_label", {"label": "none"}),
        ("set_metadata", {"title": "New", "caption": "", "city": "Rome"}),
        ("set_metadata", {"latitude": 41.9, "longitude": 12.5}),
        ("set_metadata", {"clear_gps": True}),
    ],
)
async def test_a_change_of_values_is_taken_back_photo_by_photo(
    bench: Workbench, plugin: FakePlugin, tool: str, arguments: dict[str, Any]
) -> None:
    """Automaat #192: a wish for a way back from what an agent has changed."""
    plugin.edit("photo-0004", flag="pick", label="My own label", latitude=-33.5, longitude=0.0)
    before = {i: plain(record) for i, record in plugin.photos.items()}
    change_id = await changed(bench, tool, set="view", **arguments)
    assert {i: plain(record) for i, record in plugin.photos.items()} != before
    undone = await bench.content("undo_change", change_id=change_id)
    assert {i: plain(record) for i, record in plugin.photos.items()} == before
    assert undone["failed"] == []
    assert (await bench.journal.change(change_id)).left == 0


def plain(record: Any) -> dict[str, Any]:
    """What a photographer sees of a photo: no time of edit, and no difference between unset and none."""
    fields = {name: getattr(record, name) for name in record.__struct_fields__ if name != "edited"}
    return {name: value for name, value in fields.items() if value is not UNSET and value != "none"}


async def test_lightrooms_undo_menu_says_what_is_taken_back(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", photo_ids=["photo-0001"], rating=5)
    undone = await bench.content("undo_change", change_id=change_id)
    await bench.content("undo_change", change_id=undone["change_id"])
    assert plugin.undo_names == ["Safelight: 5 stars", "Safelight: undo Rate photos", "Safelight: redo"]


@requirement("perm.undo")
async def test_a_photo_that_was_changed_since_is_left_and_named(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    plugin.edit("photo-0002", rating=4)
    content = await bench.content("undo_change", change_id=change_id)
    assert content["applied"] == ["photo-0001", "photo-0003"]
    assert content["failed"] == [{"photo_id": "photo-0002", "reason": CHANGED_SINCE}]
    assert [plugin.photos[i].rating for i in ("photo-0001", "photo-0002", "photo-0003")] == [3, 4, 5]
    assert (await bench.journal.change(change_id)).states == {"undone": 2, "done": 1}


async def test_what_was_left_can_be_taken_back_once_it_is_as_the_change_had_left_it(
    bench: Workbench, plugin: FakePlugin
) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    plugin.edit("photo-0002", rating=4)
    await bench.content("undo_change", change_id=change_id)
    assert not (await bench.run("undo_change", change_id=change_id)).ok
    plugin.edit("photo-0002", rating=1)
    assert (await bench.content("undo_change", change_id=change_id))["applied"] == ["photo-0002"]
    assert plugin.photos["photo-0002"].rating is UNSET


async def test_a_photo_that_somebody_put_back_by_hand_needs_no_write(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", photo_ids=["photo-0001"], rating=1)
    plugin.edit("photo-0001", rating=3)
    undone = await bench.content("undo_change", change_id=change_id)
    assert undone["applied"] == ["photo-0001"]
    assert (await bench.journal.change(change_id)).left == 0
    await bench.content("undo_change", change_id=undone["change_id"])
    assert plugin.names("write") == ["write_photos"]
    assert (await bench.journal.change(change_id)).left == 1


async def test_a_photo_that_has_gone_is_a_failure_and_the_rest_is_taken_back(
    bench: Workbench, plugin: FakePlugin
) -> None:
    change_id = await changed(bench, "set_rating", photo_ids=["photo-0001", "photo-0002"], rating=1)
    del plugin.photos["photo-0001"]
    content = await bench.content("undo_change", change_id=change_id)
    assert content["applied"] == ["photo-0002"]
    assert "no photo with this id" in content["failed"][0]["reason"]


@requirement("perm.undo")
async def test_a_change_is_taken_back_once(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    await bench.content("undo_change", change_id=change_id)
    error = await bench.error("undo_change", change_id=change_id)
    assert error.tool_code == "ALREADY_UNDONE"
    assert plugin.names("write") == ["write_photos"] * 2


async def test_two_who_take_back_the_same_change_at_once_write_once(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    answers = await asyncio.gather(*(bench.content("undo_change", change_id=change_id) for _ in range(2)))
    assert [len(answer["applied"]) for answer in answers] == [3, 3]
    assert ["change_id" in answer for answer in answers].count(True) == 1
    assert plugin.names("write") == ["write_photos"] * 2
    assert plugin.photos["photo-0001"].rating == 3


async def test_changes_at_the_same_time_keep_the_values_that_they_met(bench: Workbench, plugin: FakePlugin) -> None:
    first, second = await asyncio.gather(
        changed(bench, "set_rating", photo_ids=["photo-0001"], rating=1),
        changed(bench, "set_rating", photo_ids=["photo-0001"], rating=2),
    )
    await bench.content("undo_change", change_id=second)
    assert plugin.photos["photo-0001"].rating == 1
    await bench.content("undo_change", change_id=first)
    assert plugin.photos["photo-0001"].rating == 3


@requirement("perm.undo")
async def test_what_was_taken_back_can_be_done_again(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    undone = await bench.content("undo_change", change_id=change_id)
    redone = await bench.content("undo_change", change_id=undone["change_id"])
    assert [plugin.photos[i].rating for i in redone["applied"]] == [1, 1, 1]
    again = await bench.content("undo_change", change_id=redone["change_id"])
    assert len(again["applied"]) == 3
    assert plugin.photos["photo-0001"].rating == 3


async def test_the_older_of_two_changes_waits_for_the_newer(bench: Workbench, plugin: FakePlugin) -> None:
    older = await changed(bench, "set_rating", photo_ids=["photo-0001"], rating=1)
    newer = await changed(bench, "set_rating", photo_ids=["photo-0001"], rating=2)
    assert not (await bench.run("undo_change", change_id=older)).ok
    for change_id in (newer, older):
        await bench.content("undo_change", change_id=change_id)
    assert plugin.photos["photo-0001"].rating == 3


@requirement("perm.undo", "perm.preview")
async def test_a_question_shows_what_would_be_restored_and_changes_nothing(
    bench: Workbench, plugin: FakePlugin
) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    plugin.edit("photo-0002", rating=4)
    assert await bench.count("undo_change", change_id=change_id) == 3
    preview = await bench.preview("undo_change", change_id=change_id)
    assert [(p.photo_id, p.before, p.after) for p in preview.photos] == [
        ("photo-0001", {"rating": 1}, {"rating": 3}),
        ("photo-0003", {"rating": 1}, {"rating": 5}),
    ]
    assert plugin.names("write") == ["write_photos"]


async def test_an_unknown_change_is_an_error(bench: Workbench, plugin: FakePlugin) -> None:
    assert (await bench.error("undo_change", change_id="change_x")).tool_code == "CHANGE_UNKNOWN"


@requirement("bridge.identity")
async def test_a_change_of_another_catalog_is_not_taken_back_here(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    async with FakePlugin(bench.bridge, [photo(1, rating=1)], catalog_id="another") as other:
        error = await bench.error("undo_change", change_id=change_id)
        assert (error.tool_code, other.names("write")) == ("CATALOG_CHANGED", [])


async def test_what_cannot_be_taken_back_says_why(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.add_collection("Smart", "smart")
    content = await bench.content("delete_collection", collection="Smart")
    assert "change_id" not in content
    ((change,), _) = await bench.journal.changes()
    error = await bench.error("undo_change", change_id=change.change_id)
    assert error.tool_code == "CANNOT_UNDO"
    assert "rules of a smart collection" in error.message


@requirement("perm.undo", "bridge.delivery")
async def test_of_an_unknown_outcome_what_did_happen_is_taken_back(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.ignores.add("photo-0002")
    plugin.lose_next_answer("write_photos")
    writing = asyncio.create_task(bench.run("set_rating", set="selection", rating=1))
    await plugin.reached("write_photos")
    bench.clock.advance(60)
    bench.bridge.tick()
    change_id = (await writing).content["change_id"]
    assert (await bench.journal.change(change_id)).states == {"done": 2, "unknown": 1}
    plugin.ignores.clear()
    content = await bench.content("undo_change", change_id=change_id)
    assert sorted(content["applied"]) == ["photo-0001", "photo-0002", "photo-0003"]
    assert [plugin.photos[i].rating for i in sorted(content["applied"])] == [3, UNSET, 5]
    assert (await bench.journal.change(change_id)).states == {"undone": 3}


async def test_a_value_that_lightroom_took_in_part_can_be_taken_back(bench: Workbench, plugin: FakePlugin) -> None:
    failed = [{"photo_id": "photo-0001", "code": "LIGHTROOM_ERROR", "message": "caption refused"}]
    plugin.answer_with("write_photos", {"applied": [], "failed": failed, "not_attempted": []})
    plugin.photos["photo-0001"] = photo(1, title="Two dogs", rating=3)
    answer = await bench.run("set_metadata", photo_ids=["photo-0001"], title="New")
    assert not answer.ok
    assert plugin.photos["photo-0001"].title == "New"
    await bench.content("undo_change", change_id=answer.content["change_id"])
    assert plugin.photos["photo-0001"].title == "Two dogs"


async def test_an_undo_that_stops_half_way_goes_on_with_the_next_call(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n, rating=3) for n in range(1, 401)]) as plugin:
        change_id = await changed(bench, "set_rating", set="view", rating=1)
        plugin.most_photos_a_write = 150
        first = await bench.content("undo_change", change_id=change_id)
        assert (len(first["applied"]), len(first["not_attempted"])) == (150, 250)
        assert await bench.count("undo_change", change_id=change_id) == 250
        plugin.most_photos_a_write = None
        second = await bench.content("undo_change", change_id=change_id)
        assert len(second["applied"]) == 250
        assert {p.rating for p in plugin.photos.values()} == {3}


async def test_nothing_is_taken_back_with_the_read_only_switch_on(bench: Workbench, plugin: FakePlugin) -> None:
    change_id = await changed(bench, "set_rating", set="selection", rating=1)
    plugin.read_only = True
    assert (await bench.error("undo_change", change_id=change_id)).tool_code == "READ_ONLY"
    assert (await bench.journal.change(change_id)).left == 3
    assert len((await bench.journal.changes())[0]) == 1


@requirement("perm.undo")
async def test_five_thousand_photos_are_taken_back(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n, rating=n % 6) for n in range(1, 5_001)]) as plugin:
        change_id = await changed(bench, "set_rating", set="view", rating=5)
        count = await bench.count("undo_change", change_id=change_id)
        content = await bench.content("undo_change", change_id=change_id)
        assert count == len(content["applied"]) == 5_000 - 833
        assert [p.rating or 0 for p in plugin.photos.values()] == [n % 6 for n in range(1, 5_001)]


@requirement("perm.undo")
async def test_a_change_from_before_a_restart_is_taken_back(tmp_path: Path) -> None:
    async with asyncio.timeout(10):
        photos = [photo(1, rating=3)]
        first = Workbench(tmp_path)
        async with FakePlugin(first.bridge, photos) as plugin:
            change_id = await changed(first, "set_rating", photo_ids=["photo-0001"], rating=1)
            photos = list(plugin.photos.values())
        await first.close()
        second = Workbench(tmp_path)
        async with FakePlugin(second.bridge, photos) as plugin:
            await second.content("undo_change", change_id=change_id)
            assert plugin.photos["photo-0001"].rating == 3
        await second.close()


@requirement("perm.undo")
async def test_a_photo_that_was_taken_back_in_part_does_not_count_as_taken_back(
    bench: Workbench, plugin: FakePlugin
) -> None:
    before = plugin.photos["photo-0001"]
    change_id = await changed(bench, "set_metadata", photo_ids=["photo-0001"], title="New", caption="New")
    halfway = msgspec.structs.replace(plugin.photos["photo-0001"], title=before.title)
    plugin.answer_with("write_photos", {"applied": [msgspec.to_builtins(halfway)], "failed": [], "not_attempted": []})
    answer = await bench.run("undo_change", change_id=change_id)
    assert [failure["photo_id"] for failure in answer.content["failed"]] == ["photo-0001"]
    assert (await bench.journal.change(change_id)).left == 1
    assert (await bench.journal.change(answer.content["change_id"])).left == 1
