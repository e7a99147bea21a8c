"""Tools that change photos: planned, done in chunks, read back, and accounted for photo by photo."""

from __future__ import annotations

import asyncio

import pytest
from msgspec import UNSET

from safelight.bridge.sentences import SENTENCES
from safelight.tools.write import IN_DOUBT
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Workbench


@requirement("tool.per-photo", "tool.list-destructive")
async def test_a_rating_is_written_read_back_and_reported_per_photo(bench: Workbench, plugin: FakePlugin) -> None:
    content = await bench.content("set_rating", photo_ids=["photo-0001", "photo-0002", "nope"], rating=5)
    assert content["applied"] == ["photo-0001", "photo-0002"]
    assert [f["photo_id"] for f in content["failed"]] == ["nope"]
    assert "no photo with this id" in content["failed"][0]["reason"]
    assert content["not_attempted"] == []
    assert plugin.photos["photo-0002"].rating == 5
    assert plugin.undo_names == ["Safelight: 5 stars"]


async def test_no_stars_and_empty_texts_take_the_value_away(bench: Workbench, plugin: FakePlugin) -> None:
    assert (await bench.content("set_rating", photo_ids=["photo-0001"], rating=0))["applied"] == ["photo-0001"]
    content = await bench.content("set_metadata", photo_ids=["photo-0001"], title="", caption="New")
    assert content["applied"] == ["photo-0001"]
    record = plugin.photos["photo-0001"]
    assert (record.rating, record.title, record.caption) == (UNSET, UNSET, "New")


async def test_a_photo_that_has_the_value_already_is_not_written_again(bench: Workbench, plugin: FakePlugin) -> None:
    content = await bench.content("set_rating", photo_ids=["photo-0003"], rating=5)
    assert content["applied"] == ["photo-0003"]
    assert plugin.names("write") == []


@requirement("tool.per-photo")
async def test_a_value_that_lightroom_did_not_take_is_a_failure_that_says_what_is_there(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.ignores.add("photo-0001")
    answer = await bench.run("set_rating", photo_ids=["photo-0001"], rating=5)
    assert not answer.ok
    reason = answer.content["failed"][0]["reason"]
    assert reason == "Lightroom did not take the value; the photo has rating 3."
    assert "change_id" not in answer.content


@requirement("perm.preview")
async def test_a_preview_shows_before_and_after_of_the_first_twenty_and_changes_nothing(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n, rating=n % 3) for n in range(1, 31)]) as plugin:
        preview = await bench.preview("set_rating", set="view", rating=4)
        assert plugin.names("write") == []
    assert (len(preview.photos), preview.more) == (20, 10)
    first = preview.photos[0]
    assert (first.photo_id, first.file_name) == ("photo-0001", "IMG_0001.jpg")
    assert (first.before, first.after) == ({"rating": 1}, {"rating": 4})


async def test_a_preview_of_texts_shows_only_what_would_change(bench: Workbench, plugin: FakePlugin) -> None:
    preview = await bench.preview("set_metadata", photo_ids=["photo-0001", "nope"], title="Dogs")
    assert [(p.before, p.after) for p in preview.photos] == [({"title": "Two dogs"}, {"title": "Dogs"})]


async def test_no_field_at_all_is_an_error_that_says_so(bench: Workbench, plugin: FakePlugin) -> None:
    error = await bench.error("set_metadata", set="selection")
    assert error.tool_code == "NOTHING_TO_CHANGE"
    assert "at least one field" in error.message


async def test_text_that_lightroom_cannot_hold_is_cleaned_before_it_is_written(
    bench: Workbench, plugin: FakePlugin
) -> None:
    content = await bench.content("set_metadata", photo_ids=["photo-0001"], title="a\x00b\r\nc\ud800")
    assert content["applied"] == ["photo-0001"]
    assert plugin.photos["photo-0001"].title == "ab\nc\ufffd"


async def test_many_photos_are_written_in_chunks_of_two_hundred(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 502)]) as plugin:
        content = await bench.content("set_rating", set="view", rating=2)
        writes = [c for c in plugin.received if c.name == "write_photos"]
        assert [len(c.arguments["changes"]) for c in writes] == [200, 200, 101]
        assert all(p.rating == 2 for p in plugin.photos.values())
    assert len(content["applied"]) == 501


@requirement("tool.per-photo")
async def test_after_a_chunk_that_failed_nothing_more_is_sent(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 601)]) as plugin:
        async with asyncio.timeout(5):
            writing = asyncio.create_task(bench.run("set_rating", set="view", rating=2))
            await plugin.reached("write_photos")
            plugin.fail("write_photos", "CATALOG_BUSY", retriable=True)
            answer = await writing
        assert plugin.names("write") == ["write_photos"] * 2
    content = answer.content
    assert answer.ok
    assert [len(content[key]) for key in ("applied", "failed", "not_attempted")] == [200, 200, 200]
    assert content["failed"][0]["reason"] == SENTENCES["CATALOG_BUSY"]
    assert content["warnings"] == [SENTENCES["CATALOG_BUSY"]]


@pytest.mark.parametrize(
    ("code", "warning"),
    [
        ("TIMEOUT", "Lightroom ran out of time; call again for the photos that were not attempted."),
        (
            "CATALOG_BUSY",
            "Lightroom became busy with another operation; call again for the photos that were not attempted.",
        ),
        ("LIGHTROOM_ERROR", "Some photos were not attempted. Lightroom refused or failed."),
    ],
)
@pytest.mark.parametrize("tool", ["set_rating", "add_to_collection"])
async def test_photos_that_were_not_attempted_come_with_the_reason(
    bench: Workbench, tool: str, code: str, warning: str
) -> None:
    arguments = {"set_rating": {"rating": 2}, "add_to_collection": {"collection": "Best"}}[tool]
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 401)]) as plugin:
        plugin.most_photos_a_write = 150
        plugin.stops_with = code
        plugin.add_collection("Best")
        content = await bench.content(tool, set="view", **arguments)
        assert len(plugin.names("write")) == 1
    assert (len(content["applied"]), len(content["not_attempted"])) == (150, 250)
    assert content["warnings"] == [warning]


async def test_a_plugin_that_does_not_say_why_it_stopped_may_be_asked_again(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.answer_with("write_photos", {"applied": [], "failed": [], "not_attempted": ["photo-0001"]})
    answer = await bench.run("set_rating", photo_ids=["photo-0001"], rating=1)
    assert answer.content["not_attempted"] == ["photo-0001"]
    assert "busy or ran out of time; call again" in answer.content["warnings"][0]


@requirement("bridge.delivery", "tool.per-photo")
async def test_after_an_unknown_outcome_the_photos_are_looked_at_and_the_rest_is_left_alone(
    bench: Workbench,
) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 401)]) as plugin:
        plugin.ignores.add("photo-0001")
        plugin.lose_next_answer("write_photos")
        writing = asyncio.create_task(bench.run("set_rating", set="view", rating=2))
        await plugin.reached("write_photos")
        bench.clock.advance(60)
        bench.bridge.tick()
        answer = await writing
        assert plugin.names("write") == ["write_photos"]
    content = answer.content
    assert len(content["applied"]) == 199
    assert content["failed"] == [{"photo_id": "photo-0001", "reason": IN_DOUBT}]
    assert len(content["not_attempted"]) == 200
    assert content["warnings"] == [SENTENCES["TIMEOUT_UNKNOWN_OUTCOME"]]


async def test_with_lightroom_gone_in_mid_write_every_photo_of_the_chunk_is_in_doubt(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.hold("write_photos")
    writing = asyncio.create_task(bench.run("set_rating", set="selection", rating=1))
    await plugin.reached("write_photos")
    await plugin.stop()
    bench.clock.advance(60)
    bench.bridge.tick()
    answer = await writing
    assert not answer.ok
    assert {f["reason"] for f in answer.content["failed"]} == {IN_DOUBT}


@pytest.mark.parametrize(
    "tool", ["set_rating", "set_metadata", "add_to_collection", "show_photos", "create_collection"]
)
async def test_the_read_only_switch_refuses_every_change_in_words(
    bench: Workbench, plugin: FakePlugin, tool: str
) -> None:
    plugin.add_collection("Best")
    plugin.read_only = True
    arguments = {
        "set_rating": {"rating": 1, "set": "selection"},
        "set_metadata": {"title": "x", "set": "selection"},
        "add_to_collection": {"collection": "Best", "set": "selection"},
        "show_photos": {"set": "selection"},
        "create_collection": {"collection": "New"},
    }
    error = await bench.error(tool, **arguments[tool])
    assert error.tool_code == "READ_ONLY"
    assert "nothing was changed" in error.message


async def test_a_report_that_forgets_a_photo_leaves_it_in_doubt(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.answer_with("write_photos", {"applied": [], "failed": [], "not_attempted": []})
    answer = await bench.run("set_rating", photo_ids=["photo-0004"], rating=1)
    assert answer.content["failed"] == [{"photo_id": "photo-0004", "reason": IN_DOUBT}]


async def test_a_photo_that_was_refused_and_cannot_be_looked_at_stays_in_doubt(
    bench: Workbench, plugin: FakePlugin
) -> None:
    failed = [{"photo_id": "photo-0001", "code": "LIGHTROOM_ERROR", "message": "caption refused"}]
    plugin.answer_with("write_photos", {"applied": [], "failed": failed, "not_attempted": []})
    released = plugin.hold("write_photos")
    writing = asyncio.create_task(bench.run("set_rating", photo_ids=["photo-0001"], rating=1))
    await plugin.reached("write_photos")
    plugin.fail("read_photos", "TIMEOUT", retriable=True)
    released.set()
    answer = await writing
    assert answer.content["failed"] == [{"photo_id": "photo-0001", "reason": IN_DOUBT}]
    assert (await bench.journal.change(answer.content["change_id"])).states == {"unknown": 1}


async def test_an_answer_of_the_wrong_shape_is_settled_by_reading_back(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.answer_with("write_photos", {"done": True})
    content = await bench.content("set_rating", photo_ids=["photo-0004"], rating=1)
    assert content["applied"] == ["photo-0004"]
    assert "cannot be read" in content["warnings"][0]
