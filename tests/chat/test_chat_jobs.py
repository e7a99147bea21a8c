"""A chat tells how the long pieces of work go on that its calls began."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

from safelight.catalog.database import Database
from safelight.chat.chat_jobs import ChatJobs
from safelight.chat.log import EventLog
from safelight.chat.schema import MIGRATIONS
from safelight.jobs.jobs import JobHandle, Jobs
from safelight.wire.models import JobEvent
from tests.chat.rig import Rig, call, kind_of, opened_rig, parse_frames, reply
from tests.chat.test_hard_races import is_well_formed, turns_of_the_loop
from tests.requirement import requirement

LONG = 3_600.0


class Work:
    """A job that goes on as the test says."""

    def __init__(self, jobs: Jobs) -> None:
        self.handle: JobHandle
        self.started = asyncio.Event()
        self.finish = asyncio.Event()
        self.job_id = jobs.start("export", 10, self._run).job_id

    async def _run(self, handle: JobHandle) -> None:
        self.handle = handle
        self.started.set()
        await self.finish.wait()

    async def begun(self) -> JobHandle:
        await self.started.wait()
        return self.handle


@asynccontextmanager
async def followed(folder: Path, between_s: float) -> AsyncGenerator[tuple[Work, EventLog, ChatJobs]]:
    database = Database(folder / "safelight.db", MIGRATIONS)
    jobs = Jobs()
    log = EventLog(database, "chat_1")
    chat_jobs = ChatJobs(jobs, log, between_s)
    work = Work(jobs)
    try:
        chat_jobs.follow(work.job_id)
        yield work, log, chat_jobs
    finally:
        await chat_jobs.close()
        await jobs.close()
        await database.close()


async def told(log: EventLog, count: int) -> list[tuple[str, int]]:
    """State and progress of the job events, once there are so many."""
    found: list[tuple[str, int]] = []
    async with asyncio.timeout(5), aclosing(log.follow(None)) as chunks:
        async for chunk in chunks:
            events = [event for event, _ in parse_frames(chunk)]
            found += [(event.state, event.done) for event in events if isinstance(event, JobEvent)]
            if len(found) >= count:
                return found
    raise AssertionError("the stream ended")


async def test_a_change_of_state_is_told_at_once_and_progress_alone_waits(tmp_path: Path) -> None:
    async with followed(tmp_path, LONG) as (work, log, chat_jobs):
        handle = await work.begun()
        assert await told(log, 1) == [("running", 0)]
        for done in range(1, 6):
            handle.progress(done, 10)
            await turns_of_the_loop(20)
        assert log.head == 1
        handle.pause("Lightroom is busy.")
        assert await told(log, 2) == [("running", 0), ("paused", 5)]
        handle.resume()
        await told(log, 3)
        work.finish.set()
        assert await told(log, 4) == [("running", 0), ("paused", 5), ("running", 5), ("done", 5)]
        await turns_of_the_loop(20)
        assert not chat_jobs.following


async def test_progress_is_told_again_when_its_time_has_come(tmp_path: Path) -> None:
    async with followed(tmp_path, 0.0) as (work, log, _):
        handle = await work.begun()
        await told(log, 1)
        handle.progress(3, 10)
        assert (await told(log, 2))[-1] == ("running", 3)
        handle.progress(7, 10)
        assert (await told(log, 3))[-1] == ("running", 7)


async def test_a_job_is_followed_once_and_one_that_nobody_knows_is_not(tmp_path: Path) -> None:
    async with followed(tmp_path, LONG) as (work, log, chat_jobs):
        chat_jobs.follow(work.job_id)
        chat_jobs.follow("job_unknown")
        await told(log, 1)
        work.finish.set()
        assert await told(log, 2) == [("running", 0), ("done", 0)]
        await turns_of_the_loop(20)
        assert log.head == 2


async def begun_by_a_call(rig: Rig) -> Work:
    work = Work(rig.services.jobs)
    rig.tools["look"].says = {"job_id": work.job_id}
    await rig.session.send("export")
    await rig.idle()
    await rig.until("job")
    return work


@requirement("event.types")
async def test_the_job_that_a_call_began_is_told_of_until_it_ends_also_after_the_run(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("It goes on.")]) as rig:
        work = await begun_by_a_call(rig)
        assert rig.session.in_use
        work.finish.set()
        events = await rig.until("job", times=2)
        is_well_formed(events)
        kinds = [kind_of(event) for event in events]
        assert kinds.index("job") > kinds.index("tool_done")
        assert [event.state for event in events if isinstance(event, JobEvent)] == ["running", "done"]


async def test_nothing_is_told_of_a_job_after_its_chat_was_ended(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("It goes on.")]) as rig:
        work = await begun_by_a_call(rig)
        await rig.chats.end(rig.session.record.session_id)
        (await work.begun()).progress(5, 10)
        work.finish.set()
        await turns_of_the_loop(50)
        assert await rig.session.log.read(0) == []
        await rig.services.jobs.close()
