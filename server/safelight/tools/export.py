"""The tool that exports photos: a job that sends one short command after the other."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.bridge.sentences import sentence
from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.reach import OnPhotos
from safelight.tools.targets import resolve_target, target_of
from safelight.tools.write import UNTOUCHED, failures_of
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import ExportPhotosArguments, Failure
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.running import RunningCall
    from safelight.jobs.jobs import JobHandle, Jobs

__all__ = ("ExportPhotos",)

CHUNK: Final = 5
"""Photos of one command: a few seconds each, so that other commands come through and a cancelled job ends soon."""
MOST_AT_A_TIME: Final = 3
"""Exports take turns with each other and with all else that Lightroom is to do."""
PATIENCE_S: Final = 8.0
"""A small export is done within this, and then the answer says so at once."""
NAMED: Final = 3
WHOLE: Final = frozenset({"dng", "original"})
"""Formats that are the photo as it is."""


class ExportPhotos(OnPhotos):
    """Writes files; never over others."""

    spec = TOOLS["export_photos"]

    def __init__(self, catalogs: Catalogs, jobs: Jobs) -> None:
        super().__init__(catalogs)
        self._jobs = jobs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Start the job and wait a moment for it. Raises ``ToolError`` BAD_FOLDER for a path that is not a whole one,
        BAD_ARGUMENTS for a size of what keeps its own, NO_PHOTOS, TOO_MANY_EXPORTS, and what a target may raise."""
        del call
        wanted = parse(arguments, ExportPhotosArguments)
        target = target_of(wanted)
        _check_folder(wanted.destination)
        if wanted.long_edge is not UNSET and wanted.format in WHOLE:
            raise ToolError("BAD_ARGUMENTS", f"Leave long_edge out: {wanted.format} files keep their own size.")
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        if not resolved.photo_ids:
            raise ToolError("NO_PHOTOS", "There are no photos to export: the set is empty.")
        if sum(job.kind == "export" and job.state == "running" for job in self._jobs.list()) >= MOST_AT_A_TIME:
            raise ToolError(
                "TOO_MANY_EXPORTS",
                f"{MOST_AT_A_TIME} exports are running already. Wait until one has ended; get_status lists them.",
            )
        work = _Exporting(catalog, wanted, resolved.photo_ids)
        started = self._jobs.start("export", len(resolved.photo_ids), work.run)
        job = await self._jobs.wait(started.job_id, PATIENCE_S)
        return ToolAnswer(content=msgspec.to_builtins(job), ok=job.state != "failed")


class _Exporting:
    def __init__(self, catalog: OpenCatalog, wanted: ExportPhotosArguments, photo_ids: Sequence[str]) -> None:
        self._catalog = catalog
        self._wanted = wanted
        self._left = tuple(photo_ids)
        self._total = len(photo_ids)
        self._failed: list[Failure] = []
        self._written = 0
        self._in_doubt = 0

    async def run(self, job: JobHandle) -> None:
        """Export a few at a time until all are done, it is cancelled, or something stands in the way of all that
        follow. Raises ``ToolError`` with what became of the photos."""
        while self._left and not job.cancelled:
            try:
                await self._export_some()
            except ToolError as error:
                raise ToolError(error.tool_code, f"The export stopped. {error.message} {self._told()}") from error
            job.progress(self._total - len(self._left), self._total)
        job.message = self._told()
        if self._failed and not self._written:
            raise ToolError("EXPORT_FAILED", job.message)

    async def _export_some(self) -> None:
        chunk = self._left[:CHUNK]
        try:
            outcome = await self._catalog.source.command(self._command(chunk), bridge.ExportPhotosOutcome)
        except BridgeError as error:
            if not error.retriable and error.tool_code not in UNTOUCHED:
                self._in_doubt += len(chunk)
                self._left = self._left[len(chunk) :]
            raise
        self._written += len(outcome.exported)
        self._failed += failures_of(outcome.failed)
        left_out = tuple(i for i in chunk if i in outcome.not_attempted)
        told = {*(e.photo_id for e in outcome.exported), *(f.photo_id for f in outcome.failed), *left_out}
        self._in_doubt += len(set(chunk) - told)
        self._left = (*left_out, *self._left[len(chunk) :])
        stopped = outcome.stopped
        if stopped is not UNSET and (stopped.code != "TIMEOUT" or left_out == chunk):
            raise ToolError(stopped.code, sentence(stopped.code, stopped.message))
        if left_out == chunk:
            raise ToolError("LIGHTROOM_ERROR", "Lightroom left out all photos that it was asked for.")

    def _command(self, photo_ids: Sequence[str]) -> bridge.ExportPhotosArguments:
        wanted = self._wanted
        return bridge.ExportPhotosArguments(
            folder=wanted.destination,
            format="jpeg" if wanted.format is UNSET else wanted.format,
            quality=wanted.quality,
            long_edge=wanted.long_edge,
            photo_ids=list(photo_ids),
        )

    def _told(self) -> str:
        """What became of all photos."""
        said = [f"{_count(self._written, 'file')} written to {self._wanted.destination}."]
        if self._failed:
            reasons = " ".join(f"{f.photo_id}: {_ended(f.reason)}" for f in self._failed[:NAMED])
            more = f" And {len(self._failed) - NAMED} more." if len(self._failed) > NAMED else ""
            said.append(f"Not exported: {_count(len(self._failed), 'photo')}. {reasons}{more}")
        if self._in_doubt:
            said.append(f"{_count(self._in_doubt, 'photo')} may or may not have been exported.")
        if self._left:
            said.append(f"Not attempted: {_count(len(self._left), 'photo')}.")
        return " ".join(said)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _ended(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _check_folder(destination: str) -> None:
    """A model that gives half a path would write into whatever folder Lightroom happens to be in."""
    if not (PurePosixPath(destination).is_absolute() or PureWindowsPath(destination).is_absolute()):
        raise ToolError("BAD_FOLDER", f'"{destination}" is not a whole path. Give one like /Users/me/Pictures/Export.')
