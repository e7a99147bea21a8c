"""The tool that exports photos, on the plug-in's own Lua and a real disk."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from safelight.jobs.jobs import JobHandle
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench


async def ended(bench: Workbench, job: dict[str, Any]) -> dict[str, Any]:
    """The job at its end."""
    found = await bench.jobs.wait(job["job_id"], 30)
    assert found.state in ("done", "failed", "cancelled")
    return {"state": found.state, "done": found.done, "total": found.total, "message": found.message}


async def failed(bench: Workbench, **arguments: Any) -> str:
    """The message of an export that fails."""
    answer = await bench.run("export_photos", **arguments)
    job = await ended(bench, answer.content)
    assert job["state"] == "failed"
    return str(job["message"])


@requirement("tool.list-change")
async def test_photos_are_exported_in_size_and_format_and_never_over_others(studio: Studio, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    photos = studio.ids(2, 8)
    for _ in range(2):
        job = await studio.content(
            "export_photos", photo_ids=photos, destination=str(folder), format="png", long_edge=64
        )
        assert (job["state"], job["done"], job["total"]) == ("done", 7, 7)
        assert job["message"] == f"7 files written to {folder}."
    files = sorted(folder.iterdir())
    assert len(files) == 14
    with Image.open(files[0]) as opened:
        assert (opened.format, max(opened.size)) == ("PNG", 64)


@requirement("tool.per-photo")
async def test_originals_that_are_offline_are_named_and_the_rest_is_exported(studio: Studio, tmp_path: Path) -> None:
    photos = studio.ids(2, 9)
    studio.lightroom.take_offline(photos[1:6])
    job = await studio.content("export_photos", photo_ids=[*photos, "nope"], destination=str(tmp_path / "out"))
    assert (job["state"], job["done"]) == ("done", 9)
    assert job["message"].startswith(f"3 files written to {tmp_path / 'out'}. Not exported: 6 photos. {photos[1]}: ")
    assert "The photo's original file cannot be reached." in job["message"]
    assert job["message"].endswith("And 3 more.")


async def test_an_export_of_offline_originals_alone_fails(studio: Studio, tmp_path: Path) -> None:
    photos = studio.ids(2)
    studio.lightroom.take_offline(photos)
    message = await failed(studio, photo_ids=photos, destination=str(tmp_path / "out"))
    assert message.startswith("0 files written")
    assert "Connect its drive" in message


async def test_a_full_disk_ends_the_export_and_says_how_far_it_came(studio: Studio, tmp_path: Path) -> None:
    studio.lightroom.fill_disk_after(6)
    message = await failed(studio, photo_ids=studio.ids(2, 12), destination=str(tmp_path / "out"))
    assert "The disk is full" in message
    assert "6 files written" in message
    assert "Not exported: 1 photo." in message
    assert "Not attempted: 4 photos." in message
    assert len(list((tmp_path / "out").iterdir())) == 6


async def test_a_folder_that_nothing_can_be_written_into_is_said_at_once(studio: Studio, tmp_path: Path) -> None:
    studio.lightroom.make_unwritable(tmp_path)
    for folder in (tmp_path, tmp_path / "new", tmp_path / "not" / "there"):
        message = await failed(studio, set="selection", destination=str(folder))
        assert "Choose another folder" in message
        assert "Not attempted: 3 photos." in message


@requirement("perm.read-only-switch")
async def test_nothing_is_exported_with_the_read_only_switch_on(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.read_only = True
    message = await failed(bench, set="selection", destination="/somewhere")
    assert "read-only switch" in message
    assert plugin.writes.exported == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"destination": "Pictures/Export"}, "BAD_FOLDER"),
        ({"destination": "~/Export"}, "BAD_FOLDER"),
        ({"destination": "C:Export"}, "BAD_FOLDER"),
        ({"destination": "."}, "BAD_FOLDER"),
        ({"destination": "/x", "format": "original", "long_edge": 600}, "BAD_ARGUMENTS"),
        ({"destination": "/x", "format": "dng", "long_edge": 600}, "BAD_ARGUMENTS"),
    ],
)
async def test_an_export_that_cannot_be_meant_is_refused_before_it_begins(
    bench: Workbench, plugin: FakePlugin, arguments: dict[str, Any], code: str
) -> None:
    error = await bench.error("export_photos", set="selection", **arguments)
    assert error.tool_code == code
    assert bench.jobs.list() == []


@pytest.mark.parametrize("destination", ["/Users/me/Export", "C:\\Users\\me\\Export", "\\\\nas\\photos\\Export"])
async def test_whole_paths_of_every_system_are_taken(bench: Workbench, plugin: FakePlugin, destination: str) -> None:
    job = await bench.content("export_photos", set="selection", destination=destination)
    assert job["state"] == "done"


async def test_an_empty_set_starts_no_job(bench: Workbench, plugin: FakePlugin) -> None:
    found = await bench.content("search_photos", text="nothing like this")
    error = await bench.error("export_photos", set=found["set_id"], destination="/x")
    assert (error.tool_code, bench.jobs.list()) == ("NO_PHOTOS", [])


async def test_what_a_command_had_no_time_for_goes_into_the_next(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 13)]) as plugin:
        plugin.most_photos_a_write = 2
        job = await bench.content("export_photos", set="view", destination="/x")
        assert (job["state"], job["done"]) == ("done", 12)
        assert plugin.writes.exported == list(plugin.photos)


@pytest.mark.parametrize(("code", "said"), [("AGENTS_OFF", "turned off"), ("CATALOG_BUSY", "busy")])
async def test_another_reason_to_stop_ends_the_export(bench: Workbench, code: str, said: str) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 13)]) as plugin:
        plugin.most_photos_a_write = 2
        plugin.stops_with = code
        message = await failed(bench, set="view", destination="/x")
        assert said in message
        assert "2 files written to /x. Not attempted: 10 photos." in message


async def test_a_plugin_that_gets_nothing_done_is_not_asked_for_ever(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 13)]) as plugin:
        plugin.most_photos_a_write = 0
        assert "Not attempted: 12 photos." in await failed(bench, set="view", destination="/x")
        assert len(plugin.names("write")) == 1


@requirement("bridge.identity")
async def test_an_export_ends_with_its_catalog(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 13)]) as plugin:
        running = asyncio.create_task(bench.run("export_photos", set="view", destination="/x"))
        await plugin.reached("export_photos")
        plugin.hold("export_photos")
        await plugin.reached("export_photos")
        async with FakePlugin(bench.bridge, [photo(1)], catalog_id="another") as other:
            bench.clock.advance(400)
            bench.bridge.tick()
            job = await ended(bench, (await running).content)
            assert other.names("write") == []
    assert job["state"] == "failed"
    assert "5 files written to /x. 5 photos may or may not have been exported. Not attempted: 2 photos." in str(
        job["message"]
    )


@requirement("bridge.delivery")
async def test_a_lost_answer_leaves_its_photos_in_doubt_and_ends_the_export(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 13)]) as plugin:
        running = asyncio.create_task(bench.run("export_photos", set="view", destination="/x"))
        await plugin.reached("export_photos")
        plugin.lose_next_answer("export_photos")
        await plugin.reached("export_photos")
        bench.clock.advance(400)
        bench.bridge.tick()
        job = await ended(bench, (await running).content)
    assert "5 files written to /x. 5 photos may or may not have been exported. Not attempted: 2 photos." in str(
        job["message"]
    )


async def test_photos_that_the_answer_forgets_are_in_doubt(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.answer_with("export_photos", {"exported": [], "failed": [], "not_attempted": []})
    job = await bench.content("export_photos", set="selection", destination="/x")
    assert "3 photos may or may not have been exported." in job["message"]


async def test_a_cancelled_export_ends_after_the_photos_under_way(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 13)]) as plugin:
        plugin.hold("export_photos")
        running = asyncio.create_task(bench.run("export_photos", set="view", destination="/x"))
        await plugin.reached("export_photos")
        bench.jobs.cancel(bench.jobs.list()[0].job_id)
        plugin.hold("export_photos").set()
        job = (await running).content
    assert (job["state"], job["done"]) == ("cancelled", 5)
    assert job["message"] == "5 files written to /x. Not attempted: 7 photos."


@pytest.mark.parametrize("left_out", [["photo-0001"], ["photo-0001", "photo-0001"]])
async def test_an_export_that_goes_nowhere_ends(bench: Workbench, plugin: FakePlugin, left_out: list[str]) -> None:
    """A plug-in that left photos out without a reason was asked for them for ever."""
    for _ in range(10):
        plugin.answer_with("export_photos", {"exported": [], "failed": [], "not_attempted": left_out})
    message = await failed(bench, photo_ids=["photo-0001"], destination="/x")
    assert "0 files written to /x. Not attempted: 1 photo." in message
    assert plugin.names("write") == ["export_photos"]


async def test_exports_that_run_already_are_waited_for(bench: Workbench, plugin: FakePlugin) -> None:
    """Without a limit, an agent that keeps calling would leave no room for anybody else's commands."""
    end = asyncio.Event()

    async def work(job: JobHandle) -> None:
        del job
        await end.wait()

    started = [bench.jobs.start("export", 1, work) for _ in range(3)]
    error = await bench.error("export_photos", set="selection", destination="/x")
    assert (error.tool_code, plugin.names("write")) == ("TOO_MANY_EXPORTS", [])
    end.set()
    await bench.jobs.wait(started[0].job_id, 5)
    assert (await bench.content("export_photos", set="selection", destination="/x"))["state"] == "done"
