"""The tools about Safelight and Lightroom themselves."""

from __future__ import annotations

import asyncio
import json

import pytest

from safelight.jobs.jobs import JobHandle
from safelight.tools.registry import for_people
from safelight.tools.status import JOBS
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench


@requirement("tool.list-read")
async def test_the_status_is_what_lightroom_says_of_itself(studio: Studio) -> None:
    await (await studio.catalogs.present()).sync.run()
    content = await studio.content("get_status")
    assert (content["connected"], content["read_only"], content["agents_on"]) == (True, False, True)
    assert (content["photo_count"], content["selected_count"], content["indexed"]) == (30, 3, 30)
    assert content["transport"] == "long_poll"
    assert content["view"]
    assert "jobs" not in content


async def test_the_status_tells_a_long_job_however_many_have_ended_since(bench: Workbench, plugin: FakePlugin) -> None:
    release = asyncio.Event()

    async def long(job: JobHandle) -> None:
        await release.wait()

    async def short(job: JobHandle) -> None:
        job.message = "Done."

    running = bench.jobs.start("index", 10, long)
    ended = [bench.jobs.start("export", n, short) for n in range(JOBS + 3)]
    await bench.jobs.wait(ended[-1].job_id, 5)
    jobs = (await bench.content("get_status"))["jobs"]
    assert [job["job_id"] for job in jobs] == [running.job_id, *(job.job_id for job in ended[-JOBS:])]
    assert [job["state"] for job in jobs] == ["running"] + ["done"] * JOBS
    release.set()
    await bench.jobs.wait(running.job_id, 5)


async def test_the_status_with_lightroom_away_still_tells_the_jobs(bench: Workbench) -> None:
    async def work(job: JobHandle) -> None:
        del job

    job = bench.jobs.start("export", 1, work)
    await bench.jobs.wait(job.job_id, 5)
    content = await bench.content("get_status")
    assert (content["connected"], content["jobs"][0]["state"]) == (False, "done")


async def test_a_lightroom_that_does_not_answer_is_an_error_and_not_called_away(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.fail("get_state", "TIMEOUT", retriable=True)
    assert (await bench.error("get_status")).tool_code == "TIMEOUT"


@requirement("perm.developer-tools")
async def test_the_trace_tells_what_went_over_the_bridge_and_no_text_of_a_photo(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(1, title="A secret title")]) as plugin:
        await bench.content("set_metadata", photo_ids=["photo-0001"], title="Another secret")
        plugin.fail("write_photos", "CATALOG_BUSY", retriable=True)
        await bench.error("set_metadata", photo_ids=["photo-0001"], title="A third secret")
        commands = (await bench.content("bridge_trace"))["commands"]
    writes = [c for c in commands if c["name"] == "write_photos"]
    assert [(c["kind"], c["outcome"], c["photos"]) for c in writes] == [
        ("write", "CATALOG_BUSY", 1),
        ("write", "ok", 1),
    ]
    assert "secret" not in json.dumps(commands)
    assert "bridge_trace" not in for_people(bench.tools)


@pytest.mark.parametrize("limit", [1, 2])
async def test_a_trace_is_as_long_as_asked_for(bench: Workbench, plugin: FakePlugin, limit: int) -> None:
    await bench.content("get_photos", set="selection")
    commands = (await bench.content("bridge_trace", limit=limit))["commands"]
    assert [c["name"] for c in commands] == ["read_photos", "list_photo_ids"][:limit]
