"""Tools that start long work: they answer with the job as it is, and the status names it while it runs."""

from __future__ import annotations

from tests.bridge.fake_plugin import FakePlugin
from tests.requirement import requirement
from tests.tools.conftest import Workbench


@requirement("tool.list-change", "tool.list-read")
async def test_reading_the_catalog_is_a_job_that_the_status_names_while_it_runs(
    bench: Workbench, plugin: FakePlugin
) -> None:
    released = plugin.hold("list_photo_ids")
    job = await bench.content("index_photos")
    assert (job["kind"], job["state"]) == ("index", "running")
    status = await bench.content("get_status")
    assert [one["job_id"] for one in status["jobs"]] == [job["job_id"]]
    assert (await bench.content("index_photos"))["job_id"] == job["job_id"], "who asks again joins it"
    released.set()
    ended = await bench.jobs.wait(job["job_id"], 5)
    assert (ended.state, ended.done) == ("done", 5)


async def test_pictures_cannot_be_indexed_without_a_model_for_them(bench: Workbench, plugin: FakePlugin) -> None:
    error = await bench.error("index_photos", what="pictures")
    assert error.tool_code == "NO_MODEL"
