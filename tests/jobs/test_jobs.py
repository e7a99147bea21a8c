"""Long pieces of work: their states, their end, and what is left of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator

import pytest
from msgspec import UNSET

from safelight.errors import NotFound, ToolError
from safelight.jobs.jobs import JobHandle, Jobs
from safelight.wire.models import Job


@pytest.fixture
async def jobs() -> AsyncGenerator[Jobs]:
    jobs = Jobs()
    async with asyncio.timeout(5):
        yield jobs
    await jobs.close()


async def nothing(job: JobHandle) -> None:
    del job


async def until_cancelled(job: JobHandle) -> None:
    """Works until it is asked to end, as real work does between two pieces."""
    while not job.cancelled:  # noqa: ASYNC110  # real work looks at it between two pieces, too
        await asyncio.sleep(0)


async def test_a_job_tells_how_far_it_is_and_that_it_is_done(jobs: Jobs) -> None:
    go_on = asyncio.Event()

    async def work(job: JobHandle) -> None:
        job.progress(3, 10)
        await go_on.wait()
        job.progress(10, 10)
        job.message = "Two were left out."

    told: list[Job] = []
    jobs.observe(told.append)
    started = jobs.start("export", 10, work)
    assert (started.kind, started.state, started.done, started.total) == ("export", "running", 0, 10)
    running = await jobs.wait(started.job_id, 0.01)
    assert (running.state, running.done) == ("running", 3)
    assert jobs.running("export") == running
    go_on.set()
    done = await jobs.wait(started.job_id, 5)
    assert (done.state, done.done, done.message) == ("done", 10, "Two were left out.")
    assert jobs.list() == [done]
    assert jobs.running("export") is None
    assert [(job.state, job.done) for job in told] == [("running", 0), ("running", 3), ("running", 10), ("done", 10)]


async def test_the_sentence_of_an_error_is_the_message_of_a_failed_job(jobs: Jobs) -> None:
    async def work(job: JobHandle) -> None:
        raise ToolError("NO_ROOM", "The disk is full.")

    job = await jobs.wait(jobs.start("index", 1, work).job_id, 5)
    assert (job.state, job.message) == ("failed", "The disk is full.")


async def test_a_fault_of_ours_fails_the_job_and_stands_in_the_log(
    jobs: Jobs, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(job: JobHandle) -> None:
        raise ZeroDivisionError

    with caplog.at_level(logging.ERROR):
        job = await jobs.wait(jobs.start("index", 1, work).job_id, 5)
    assert (job.state, job.message) == ("failed", "Something went wrong inside Safelight. The log says more.")
    assert "ZeroDivisionError" in caplog.text


async def test_a_cancelled_job_ends_at_its_next_good_moment_and_stays_cancelled(jobs: Jobs) -> None:
    job_id = jobs.start("export", 5, until_cancelled).job_id
    assert jobs.cancel(job_id).state == "cancelled"
    assert (await jobs.wait(job_id, 5)).state == "cancelled"
    assert [job.job_id for job in jobs.list()] == [job_id]


async def test_cancelling_an_ended_job_takes_it_off_the_list(jobs: Jobs) -> None:
    job = await jobs.wait(jobs.start("export", 5, nothing).job_id, 5)
    assert jobs.cancel(job.job_id).state == "done"
    assert jobs.list() == []
    with pytest.raises(NotFound):
        jobs.cancel(job.job_id)
    with pytest.raises(NotFound):
        await jobs.wait(job.job_id, 0)


async def test_a_paused_job_says_why_and_goes_on(jobs: Jobs) -> None:
    go_on = asyncio.Event()

    async def work(job: JobHandle) -> None:
        job.pause("Lightroom is busy.")
        await go_on.wait()
        job.resume()
        await until_cancelled(job)
        job.pause("Too late.")

    job_id = jobs.start("index", 5, work).job_id
    paused = await jobs.wait(job_id, 0.01)
    assert (paused.state, paused.message) == ("paused", "Lightroom is busy.")
    go_on.set()
    running = await jobs.wait(job_id, 0.01)
    assert (running.state, running.message) == ("running", UNSET)
    jobs.cancel(job_id)
    assert (await jobs.wait(job_id, 5)).state == "cancelled"


async def test_a_hundred_ended_jobs_are_kept_and_every_running_one(jobs: Jobs) -> None:
    running = jobs.start("index", 1, until_cancelled)
    ended = [jobs.start("export", 1, nothing) for _ in range(105)]
    for job in ended:
        if job.job_id in {listed.job_id for listed in jobs.list()}:
            await jobs.wait(job.job_id, 5)
    assert [job.job_id for job in jobs.list()] == [running.job_id, *(job.job_id for job in ended[5:])]


async def test_closing_cuts_off_what_runs() -> None:
    async def work(job: JobHandle) -> None:
        await asyncio.Event().wait()

    jobs = Jobs()
    job_id = jobs.start("index", 1, work).job_id
    await asyncio.sleep(0)
    await jobs.close()
    assert [(job.job_id, job.state) for job in jobs.list()] == [(job_id, "cancelled")]
