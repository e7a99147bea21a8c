"""Tools that keep or make versions of photos: snapshots and virtual copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import missing_photos
from safelight.tools.reach import ChangesPhotos, OnPhotos
from safelight.tools.targets import page_of, resolve_target, target_of
from safelight.tools.write import ChunkOutcome, Plan, Planned, change_photos, failures_of, no_such_photo
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import (
    Copy,
    CreateSnapshotArguments,
    CreateVirtualCopiesAnswer,
    CreateVirtualCopiesArguments,
    Failure,
    ListSnapshotsArguments,
    WriteReport,
)
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind
    from safelight.gate.running import RunningCall

__all__ = ("CreateSnapshot", "CreateVirtualCopies", "ListSnapshots")

PAGE: Final = 20
COPIES_CHUNK: Final = 20
SNAPSHOT_CHUNK: Final = 50


class ListSnapshots(OnPhotos):
    """The snapshots of photos."""

    spec = TOOLS["list_snapshots"]

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Those of a page of the target's photos. Unknown ids are named; PHOTO_NOT_FOUND when all are."""
        del call
        catalog, page = await page_of(self._catalogs, parse(arguments, ListSnapshotsArguments), PAGE)
        answer = await _snapshots(catalog, page.photo_ids)
        if answer.missing and len(answer.missing) == len(page.photo_ids):
            raise ToolError("PHOTO_NOT_FOUND", missing_photos(answer.missing)[0])
        content: dict[str, Any] = {"count": page.count, "snapshots": msgspec.to_builtins(answer.snapshots)}
        if warnings := [*page.warnings, *missing_photos(answer.missing)]:
            content["warnings"] = warnings
        return ToolAnswer(content=content)


class CreateSnapshot(ChangesPhotos):
    """Keeps the settings of photos under a name."""

    spec = TOOLS["create_snapshot"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> _SnapshotWriter:
        """Makes one snapshot a photo."""
        name = " ".join(parse(arguments, CreateSnapshotArguments).name.split())
        if not name:
            raise ToolError("BAD_ARGUMENTS", "The snapshot needs a name with at least one visible character.")
        return _SnapshotWriter(catalog, name)


class _SnapshotWriter:
    kind: ChangeKind = "lasting"
    chunk = SNAPSHOT_CHUNK

    def __init__(self, catalog: OpenCatalog, name: str) -> None:
        self.subject: dict[str, Any] = {"why": "A snapshot can only be deleted by hand, in the Develop module."}
        self._catalog = catalog
        self._name = name

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        records = await self._catalog.source.read(photo_ids)
        return Plan(
            todo=tuple(
                Planned(photo_id=i, file_name=records[i].file_name, before={}, after={"snapshot": self._name})
                for i in photo_ids
                if i in records
            ),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        outcome = await self._catalog.source.command(
            bridge.CreateSnapshotsArguments(name=self._name, photo_ids=[p.photo_id for p in planned]),
            bridge.CreateSnapshotsOutcome,
        )
        return ChunkOutcome(
            applied=tuple(outcome.applied),
            failed=tuple(self._in_words(failure) for failure in outcome.failed),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """A photo may have had a snapshot of this name before, so that its being there proves nothing."""
        del planned
        return frozenset()

    def _in_words(self, failure: bridge.PhotoFailure) -> Failure:
        if failure.code != "NAME_EXISTS":
            return failures_of([failure])[0]
        reason = f'The photo or a virtual copy of it has a snapshot "{self._name}" already. Choose another name.'
        return Failure(photo_id=failure.photo_id, reason=reason)


class CreateVirtualCopies(ChangesPhotos):
    """Makes one virtual copy of each photo."""

    spec = TOOLS["create_virtual_copies"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> _CopyWriter:
        """Makes one copy a photo, with Lightroom's own name where none is given."""
        given = parse(arguments, CreateVirtualCopiesArguments).name
        return _CopyWriter(catalog, "" if given is UNSET else " ".join(given.split()))

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Copy the photos; the copies are a set of their own. Raises as ``change_photos``, ``target_of`` and
        ``resolve_target``."""
        target = target_of(parse(arguments, CreateVirtualCopiesArguments))
        catalog = await self._catalogs.present()
        writer = await self.writer(catalog, arguments)
        resolved = await resolve_target(self._catalogs, catalog, target)
        answer = await change_photos(writer, catalog.catalog_id, resolved.photo_ids, call, warnings=resolved.warnings)
        report = msgspec.convert(answer.content, WriteReport)
        copies = [Copy(photo_id=i, copy_id=writer.copies[i]) for i in report.applied]
        content = CreateVirtualCopiesAnswer(
            set_id=await _set_of(catalog, copies),
            copies=copies,
            failed=report.failed,
            not_attempted=report.not_attempted,
            change_id=report.change_id,
            warnings=report.warnings,
        )
        return ToolAnswer(content=msgspec.to_builtins(content), ok=answer.ok)


class _CopyWriter:
    """``copies`` are those made so far, by the photo that was copied."""

    kind: ChangeKind = "lasting"
    chunk = COPIES_CHUNK

    def __init__(self, catalog: OpenCatalog, name: str) -> None:
        self.subject: dict[str, Any] = {"why": "A virtual copy can only be removed by hand, in Lightroom's grid."}
        self.copies: dict[str, str] = {}
        self._catalog = catalog
        self._name = name

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        records = await self._catalog.source.read(photo_ids)
        after = {"virtual copy": self._name or True}
        return Plan(
            todo=tuple(
                Planned(photo_id=i, file_name=records[i].file_name, before={}, after=after)
                for i in photo_ids
                if i in records
            ),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        name = self._name or UNSET
        outcome = await self._catalog.source.command(
            bridge.CreateVirtualCopiesArguments(name=name, photo_ids=[p.photo_id for p in planned]),
            bridge.CreateVirtualCopiesOutcome,
        )
        made = {copy.photo_id: copy.copy_id for copy in outcome.copies}
        self.copies |= made
        return ChunkOutcome(
            applied=tuple(made),
            failed=failures_of(outcome.failed),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
            settled={
                p.photo_id: msgspec.structs.replace(p, after={"virtual copy": made[p.photo_id]})
                for p in planned
                if p.photo_id in made
            },
            warnings=await self._indexed(tuple(made.values())),
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Other copies of a photo may be there, so that one's being there proves nothing."""
        del planned
        return frozenset()

    async def _indexed(self, copy_ids: Sequence[str]) -> tuple[str, ...]:
        try:
            records = await self._catalog.source.read(copy_ids)
        except BridgeError:
            return ("Searches find the new copies only once the index has been brought up to date.",)
        await self._catalog.take_over(tuple(records.values()))
        return ()


async def _set_of(catalog: OpenCatalog, copies: Sequence[Copy]) -> str | msgspec.UnsetType:
    """Copies that were made are told also where they cannot be kept as a set."""
    try:
        return await catalog.sets.save([copy.copy_id for copy in copies]) if copies else UNSET
    except ToolError:
        return UNSET


async def _snapshots(catalog: OpenCatalog, photo_ids: Sequence[str]) -> bridge.ListSnapshotsOutcome:
    if not photo_ids:
        return bridge.ListSnapshotsOutcome(snapshots=[], missing=[])
    return await catalog.source.command(
        bridge.ListSnapshotsArguments(photo_ids=list(photo_ids)), bridge.ListSnapshotsOutcome
    )
