"""Long pieces of work."""

from __future__ import annotations

from litestar import Controller, delete, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from safelight.guard.doors import PERSON
from safelight.routes.service import Service
from safelight.wire.models import Job, JobList

__all__ = ("JobsController",)


class JobsController(Controller):
    """For the person at any chat's page, and for the holder of the agent token."""

    path = "/v1/jobs"
    opt = PERSON

    @get(sync_to_thread=False)
    def list_jobs(self, service: NamedDependency[Service]) -> JobList:
        return JobList(jobs=service.jobs.list())

    @delete("/{job_id:str}", status_code=200, sync_to_thread=False)
    def cancel_job(self, job_id: FromPath[str], service: NamedDependency[Service]) -> Job:
        return service.jobs.cancel(job_id)
