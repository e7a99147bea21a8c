"""What people reported of other agents for Lightroom, tried on all of this one: an agent at /mcp, the service, and the
plug-in's own Lua."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.studio import agent_of, studio
from tests.live import Live
from tests.requirement import requirement


async def export_job(live: Live) -> dict[str, Any]:
    jobs = (await live.http.get("/v1/jobs")).json()["jobs"]
    return next(job for job in jobs if job["kind"] == "export")


@requirement("tool.list-change", "bridge.delivery")
async def test_a_long_export_is_a_job_beside_which_all_goes_on_and_which_can_be_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Automaat #128: an export "failed" after 30 s, went on all the same, and nothing worked until it was done."""
    monkeypatch.setattr("safelight.tools.export.PATIENCE_S", 0.3)
    folder = tmp_path / "exported"
    async with studio(tmp_path) as (live, lightroom), agent_of(live) as agent:
        lightroom.slow_exports(0.2)
        everything = await agent.call("search_photos", limit=1)
        job = await agent.call("export_photos", set=everything["set_id"], destination=str(folder), long_edge=64)
        assert (job["state"], job["total"]) == ("running", 60)

        await agent.call("set_rating", set="selection", rating=4)
        assert {lightroom.catalog.photo(uuid).rating for uuid in lightroom.catalog.selection} == {4}
        assert (await export_job(live))["state"] == "running"

        cancelled = await live.http.delete(f"/v1/jobs/{job['job_id']}")
        assert cancelled.json()["state"] == "cancelled"
        ended = await live.application.service.jobs.wait(job["job_id"], 20)
        assert ended.state == "cancelled"
        assert f"{ended.done} files written" in str(ended.message)
        assert 0 < ended.done < 60
        assert len(list(folder.iterdir())) == ended.done


@requirement("tool.list-destructive")
async def test_absolute_and_relative_settings_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """LrGenius #257: a value that was meant as it stood was added to the one that was there, and the edit was much too
    strong."""
    async with studio(tmp_path) as (live, lightroom), agent_of(live) as agent:
        photo = lightroom.catalog.selection[0]

        async def exposure(value: float, **more: bool) -> float:
            settings = {"exposure": value}
            answer = await agent.call("set_develop_settings", settings=settings, photo_ids=[photo], **more)
            assert answer["applied"] == [photo]
            return (lightroom.catalog.photo(photo).develop or {})["Exposure2012"]

        assert [await exposure(0.5), await exposure(0.75), await exposure(0.75)] == [0.5, 0.75, 0.75]
        assert await exposure(0.5, relative=True) == 1.25
        assert await exposure(-1.0, relative=True) == 0.25
        assert await exposure(10.0, relative=True) == 5.0, "as far as the slider goes"


@requirement("bridge.delivery")
async def test_an_agent_that_waits_for_a_slow_photo_holds_up_no_other(tmp_path: Path) -> None:
    """znznzna's lightroom-cli, on a catalog of 32,000 photos: one slow search blocked all other commands."""
    async with studio(tmp_path) as (live, lightroom), agent_of(live) as agent:
        await agent.call("search_photos", limit=1)
        lightroom.show_dialog_for(2.0)
        slow = asyncio.create_task(agent.call("get_develop_settings", set="selection"))
        began = time.monotonic()
        found = await agent.call("search_photos", text="beach")
        assert found["count"] > 0
        assert not slow.done()
        assert time.monotonic() - began < 2.0
        assert len((await slow)["photos"]) == 3
