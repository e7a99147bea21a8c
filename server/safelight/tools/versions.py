"""Tools that keep or make versions of photos: snapshots and virtual copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.gate.journal import Entry
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import missing_photos
from safelight.tools.reach import ChangesPhotos, OnPhotos
from safelight.tools.targets import page_of, resolve_target, target_of
from safelight.tools.write import UNTOUCHED, ChunkOutcome, Plan, Planned, failures_of, no_such_photo
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import (
    Copy,
    CreateSnapshotArguments,
    CreateVirtualCopiesAnswer,
    CreateVirtualCopiesArguments,
    Failure,
    ListSnapshotsArguments,
)
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind, ChangeRecord
    from safelight.gate.running import RunningCall

__all__ = ("CreateSnapshot", "CreateVirtualCopies", "ListSnapshots")

PAGE: Final = 20
COPIES_CHUNK: Final = 20
SNAPSHOT_CHUNK: Final = 50
IN_DOUBT: Final = "Lightroom gave no clear answer: a virtual copy may or may not have been made."


class ListSnapshots(OnPhotos):
    """The snapshots of photos."""

    spec = TOOLS["list_snapshots"]

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Those of a page of the target's photos. Raises as ``resolve_target`` does."""
        del call
        catalog, page = await page_of(self._catalogs, parse(arguments, ListSnapshotsArguments), PAGE)
        answer = await _snapshots(catalog, page.photo_ids)
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
            failed=failures_of(outcome.failed),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """A photo may have had a snapshot of this name before, so that its being there proves nothing."""
        del planned
        return frozenset()


class CreateVirtualCopies(OnPhotos):
    """Makes one virtual copy of each photo."""

    spec = TOOLS["create_virtual_copies"]

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Copy the photos; the copies are a set of their own. Stops where it goes wrong; raises the ``BridgeError``
        itself when that was before any photo."""
        parsed = parse(arguments, CreateVirtualCopiesArguments)
        target = target_of(parsed)
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        if not resolved.photo_ids:
            raise ToolError("NO_PHOTOS", "There are no photos to copy: the set is empty.")
        name = None if parsed.name is UNSET else " ".join(parsed.name.split())
        why = {"why": "A virtual copy can only be removed by hand, in Lightroom's grid."}
        work = _Copying(catalog, call.change(catalog.catalog_id, "lasting", why), name, list(resolved.warnings))
        for start in range(0, len(resolved.photo_ids), COPIES_CHUNK):
            await work.chunk(resolved.photo_ids[start : start + COPIES_CHUNK])
            await call.progress(min(start + COPIES_CHUNK, len(resolved.photo_ids)), len(resolved.photo_ids))
        return await work.answer()


class _Copying:
    def __init__(self, catalog: OpenCatalog, record: ChangeRecord, name: str | None, warnings: list[str]) -> None:
        self._catalog = catalog
        self._record = record
        self._name = name
        self._warnings = warnings
        self._copies: list[Copy] = []
        self._failed: list[Failure] = []
        self._not_attempted: list[str] = []
        self._stopped = False

    async def chunk(self, photo_ids: Sequence[str]) -> None:
        if self._stopped:
            self._not_attempted += photo_ids
            return
        records = await self._catalog.source.read(photo_ids)
        entries = {i: Entry(item_id=i, name=r.file_name, before={}, after={"copy": True}) for i, r in records.items()}
        await self._record.intend(list(entries.values()))
        try:
            outcome = await self._catalog.source.command(
                bridge.CreateVirtualCopiesArguments(
                    name=UNSET if self._name is None else self._name, photo_ids=list(photo_ids)
                ),
                bridge.CreateVirtualCopiesOutcome,
            )
        except BridgeError as error:
            await self._failed_as_a_whole(photo_ids, error)
            return
        copies = {copy.photo_id: copy.copy_id for copy in outcome.copies}
        done = {i: _copied(entries[i], copy_id) for i, copy_id in copies.items() if i in entries}
        failed = failures_of(outcome.failed)
        await self._record.settle(done, [*(f.photo_id for f in failed), *outcome.not_attempted])
        self._copies += [Copy(photo_id=i, copy_id=copy_id) for i, copy_id in copies.items()]
        self._failed += failed
        self._not_attempted += outcome.not_attempted
        if outcome.not_attempted:
            self._stopped = True
            self._warnings.append("Lightroom was busy or ran out of time; call again for what was not attempted.")

    async def answer(self) -> ToolAnswer:
        copy_ids = [copy.copy_id for copy in self._copies]
        if copy_ids:
            await self._catalog.index.update(tuple((await self._catalog.source.read(copy_ids)).values()))
        answer = CreateVirtualCopiesAnswer(
            set_id=await self._catalog.sets.save(copy_ids) if copy_ids else UNSET,
            copies=self._copies,
            failed=self._failed,
            not_attempted=self._not_attempted,
            change_id=self._record.change_id or UNSET,
            warnings=self._warnings or UNSET,
        )
        return ToolAnswer(content=msgspec.to_builtins(answer), ok=bool(self._copies))

    async def _failed_as_a_whole(self, photo_ids: Sequence[str], error: BridgeError) -> None:
        untouched = error.retriable or error.tool_code in UNTOUCHED
        if untouched:
            await self._record.settle({}, photo_ids)
            if not self._copies and not self._failed:
                raise error
        else:
            await self._record.settle({}, unknown=photo_ids)
        reason = error.message if untouched else IN_DOUBT
        self._failed += [Failure(photo_id=i, reason=reason) for i in photo_ids]
        self._stopped = True
        self._warnings.append(error.message)


def _copied(entry: Entry, copy_id: str) -> Entry:
    return msgspec.structs.replace(entry, after={"copy": copy_id})


async def _snapshots(catalog: OpenCatalog, photo_ids: Sequence[str]) -> bridge.ListSnapshotsOutcome:
    if not photo_ids:
        return bridge.ListSnapshotsOutcome(snapshots=[], missing=[])
    return await catalog.source.command(
        bridge.ListSnapshotsArguments(photo_ids=list(photo_ids)), bridge.ListSnapshotsOutcome
    )
