"""The tool that exports photos: a job that sends one short command after the other."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.reach import OnPhotos
from safelight.tools.targets import resolve_target, target_of
from safelight.tools.write import failures_of
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import ExportPhotosArguments, Failure, Job
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.running import RunningCall
    from safelight.jobs.jobs import JobHandle, Jobs

__all__ = ("ExportPhotos",)

CHUNK: Final = 5
"""Photos of one command: a few seconds each, so that other commands come through and a cancelled job ends soon."""
PATIENCE_S: Final = 8.0
"""A small export is done within this, and then the answer says so at once."""
NAMED: Final = 3


class ExportPhotos(OnPhotos):
    """Writes files; never over others."""

    spec = TOOLS["export_photos"]

    def __init__(self, catalogs: Catalogs, jobs: Jobs) -> None:
        super().__init__(catalogs)
        self._jobs = jobs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Start the job and wait a moment for it. Raises ``ToolError`` BAD_FOLDER for a path that is not a whole one,
        NO_PHOTOS, and what a target may raise."""
        del call
        wanted = parse(arguments, ExportPhotosArguments)
        target = target_of(wanted)
        _check_folder(wanted.destination)
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        if not resolved.photo_ids:
            raise ToolError("NO_PHOTOS", "There are no photos to export: the set is empty.")
        work = _Exporting(catalog, wanted, resolved.photo_ids)
        started = self._jobs.start("export", len(resolved.photo_ids), work.run)
        job = await self._jobs.wait(started.job_id, PATIENCE_S)
        return ToolAnswer(
            content=msgspec.to_builtins(msgspec.convert(job, Job, from_attributes=True)), ok=job.state != "failed"
        )


class _Exporting:
    def __init__(self, catalog: OpenCatalog, wanted: ExportPhotosArguments, photo_ids: Sequence[str]) -> None:
        self._catalog = catalog
        self._wanted = wanted
        self._photo_ids = photo_ids
        self._failed: list[Failure] = []
        self._written = 0

    async def run(self, job: JobHandle) -> None:
        """Export chunk by chunk until it is done, cancelled, or something stands in the way of all that follow."""
        for start in range(0, len(self._photo_ids), CHUNK):
            if job.cancelled:
                break
            chunk = list(self._photo_ids[start : start + CHUNK])
            outcome = await self._export(chunk)
            self._written += len(outcome.exported)
            self._failed += failures_of(outcome.failed)
            job.progress(start + len(chunk) - len(outcome.not_attempted), len(self._photo_ids))
            if outcome.not_attempted:
                why = "" if outcome.stopped is UNSET else f" {outcome.stopped.message}"
                raise ToolError("EXPORT_STOPPED", f"The export stopped after {self._written} files.{why}")
        job.message = self._summary()
        if self._failed and not self._written:
            raise ToolError("EXPORT_FAILED", job.message)

    async def _export(self, photo_ids: list[str]) -> bridge.ExportPhotosOutcome:
        wanted = self._wanted
        command = bridge.ExportPhotosArguments(
            folder=wanted.destination,
            format="jpeg" if wanted.format is UNSET else wanted.format,
            quality=wanted.quality,
            long_edge=wanted.long_edge,
            photo_ids=photo_ids,
        )
        try:
            return await self._catalog.source.command(command, bridge.ExportPhotosOutcome)
        except BridgeError as error:
            message = f"The export stopped after {self._written} files. {error.message}"
            raise ToolError(error.tool_code, message) from error

    def _summary(self) -> str:
        said = f"{self._written} files written to {self._wanted.destination}."
        if self._failed:
            reasons = "; ".join(f"{f.photo_id}: {f.reason}" for f in self._failed[:NAMED])
            said += f" {len(self._failed)} photos were not exported: {reasons}"
        return said


def _check_folder(destination: str) -> None:
    """A model that gives half a path would write into whatever folder Lightroom happens to be in."""
    if not (PurePosixPath(destination).is_absolute() or PureWindowsPath(destination).is_absolute()):
        raise ToolError("BAD_FOLDER", f'"{destination}" is not a whole path. Give one like /Users/me/Pictures/Export.')
