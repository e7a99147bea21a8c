"""The one path on which photos are changed: plan, write down, send, read back, settle; in chunks, each photo accounted
for, stopping where it goes wrong."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from safelight.bridge.sentences import sentence
from safelight.errors import BridgeError, ToolError
from safelight.gate.journal import Entry
from safelight.gate.running import to_its_end
from safelight.gate.tool import ToolAnswer
from safelight.wire.bridge_models import WriteStop
from safelight.wire.models import Preview, PreviewPhoto
from safelight.wire.tool_models import Failure, WriteReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.gate.journal import ChangeKind, ChangeRecord
    from safelight.gate.running import RunningCall
    from safelight.wire.bridge_models import PhotoFailure

__all__ = (
    "CHUNK",
    "PREVIEWED",
    "UNTOUCHED",
    "ChunkOutcome",
    "ChunkWriter",
    "Plan",
    "Planned",
    "change_photos",
    "failures_of",
    "no_such_photo",
    "preview_of",
)

CHUNK: Final = 200
PREVIEWED: Final = 20
LOOK_AGAIN_S: Final = 5.0
"""After a write of unknown outcome the photos are looked at, but not for long: the person waits already."""

UNTOUCHED: Final = frozenset(
    [
        "AGENTS_OFF",
        "BAD_ARGUMENTS",
        "CATALOG_BUSY",
        "CATALOG_CHANGED",
        "COLLECTION_NOT_FOUND",
        "FOLDER_NOT_WRITABLE",
        "NAME_EXISTS",
        "PHOTO_NOT_FOUND",
        "PLUGIN_OFFLINE",
        "PRESET_NOT_FOUND",
        "READ_ONLY",
        "SMART_COLLECTION_READONLY",
        "UNKNOWN_COMMAND",
        "UNSUPPORTED",
    ]
)
"""Errors of a write that say that nothing was changed; after others the outcome is unknown."""

IN_DOUBT: Final = "Lightroom gave no clear answer: this photo may or may not have been changed."

STOPPED_BY: Final = {
    "CATALOG_BUSY": "Lightroom became busy with another operation",
    "TIMEOUT": "Lightroom ran out of time",
}


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A photo that is going to change, or a collection. ``before`` and ``after`` hold the same names. Where what will
    change is not known before (a preset), ``before`` holds all that may change and ``after`` what can be said."""

    photo_id: str
    file_name: str
    before: dict[str, Any]
    after: dict[str, Any]

    def entry(self) -> Entry:
        """As the journal writes it."""
        return Entry(item_id=self.photo_id, name=self.file_name, before=self.before, after=self.after)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What would happen to each photo: those to change, those that are as wanted already (where ``before`` and
    ``after`` are alike), those that cannot be."""

    todo: tuple[Planned, ...] = ()
    done: tuple[Planned, ...] = ()
    failed: tuple[Failure, ...] = ()


class ChunkOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What Lightroom says of each photo of a chunk; ``applied`` has been compared with what was planned."""

    applied: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()
    not_attempted: tuple[str, ...] = ()
    stopped: WriteStop | msgspec.UnsetType = msgspec.UNSET
    """Why there are photos that were not attempted."""
    settled: dict[str, Planned] = {}
    """What did change, by the planned id, where it is not what was planned: the plan could not know it, or a photo of
    ``failed`` was changed in part."""
    warnings: tuple[str, ...] = ()


class ChunkWriter(Protocol):
    """One kind of change. All methods may raise ``BridgeError``."""

    @property
    def kind(self) -> ChangeKind: ...

    @property
    def subject(self) -> dict[str, Any]:
        """What all photos of the change have in common, for the journal."""
        ...

    @property
    def chunk(self) -> int:
        """The most photos of one ``plan`` and ``write``."""
        ...

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """Look at the photos as they are now; changes nothing."""
        ...

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Change these photos with one command."""
        ...

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Those that are as planned now, after a write of unknown outcome; empty where that cannot be told. It is cut
        off when it takes long."""
        ...


async def preview_of(writer: ChunkWriter, photo_ids: Sequence[str]) -> Preview:
    """The plan for the first 20 photos in their order, as a question shows it, also of those that are as wanted
    already; photos that cannot be changed are left out."""
    plan = await writer.plan(photo_ids[:PREVIEWED])
    planned = {p.photo_id: p for p in (*plan.todo, *plan.done)}
    photos = [
        PreviewPhoto(photo_id=p.photo_id, file_name=p.file_name, before=_shown_before(p), after=p.after)
        for p in (planned[photo_id] for photo_id in photo_ids if photo_id in planned)
    ]
    return Preview(photos=photos, more=max(0, len(photo_ids) - PREVIEWED))


def _shown_before(planned: Planned) -> dict[str, Any]:
    return {name: value for name, value in planned.before.items() if name in planned.after}


async def change_photos(
    writer: ChunkWriter,
    catalog_id: str,
    photo_ids: Sequence[str],
    call: RunningCall,
    *,
    warnings: Iterable[str] = (),
    undoes: str | None = None,
) -> ToolAnswer:
    """Change the photos chunk by chunk and report on each; what was done stands in the journal under ``change_id``.

    Raises the ``BridgeError`` itself when it came before any photo was touched, ``ToolError`` NO_PHOTOS for none. After
    a chunk that failed as a whole, or whose outcome is unknown, nothing more is sent; the rest is ``not_attempted``.
    When it is cancelled, a chunk that is on its way keeps its turn until the journal holds what came of it.
    """
    if not photo_ids:
        raise ToolError("NO_PHOTOS", "There are no photos to change: the set is empty.")
    work = _Work(writer, call.change(catalog_id, writer.kind, writer.subject, undoes), list(warnings))
    for start in range(0, len(photo_ids), writer.chunk):
        await work.chunk(photo_ids[start : start + writer.chunk])
        await call.progress(min(start + writer.chunk, len(photo_ids)), len(photo_ids))
    return work.answer()


def failures_of(reported: Iterable[PhotoFailure]) -> tuple[Failure, ...]:
    """The plug-in's failures in words."""
    return tuple(Failure(photo_id=f.photo_id, reason=sentence(f.code, f.message)) for f in reported)


def no_such_photo(photo_id: str) -> Failure:
    """The failure of a photo that the catalog does not have."""
    return Failure(photo_id=photo_id, reason="There is no photo with this id in the open catalog.")


def _why_not_attempted(stopped: WriteStop | msgspec.UnsetType) -> str:
    if stopped is msgspec.UNSET:
        reason = "Lightroom was busy or ran out of time"
    elif stopped.code in STOPPED_BY:
        reason = STOPPED_BY[stopped.code]
    else:
        return f"Some photos were not attempted. {sentence(stopped.code, stopped.message)}"
    return f"{reason}; call again for the photos that were not attempted."


class _Work:
    def __init__(self, writer: ChunkWriter, record: ChangeRecord, warnings: list[str]) -> None:
        self._writer = writer
        self._record = record
        self._applied: list[str] = []
        self._failed: list[Failure] = []
        self._not_attempted: list[str] = []
        self._warnings = warnings
        self._stopped = False
        self._left = False
        """The caller was cancelled: what has been sent is seen through, and nothing more is sent."""

    async def chunk(self, photo_ids: Sequence[str]) -> None:
        if self._stopped:
            self._not_attempted += photo_ids
            return
        try:
            await to_its_end(self._in_turn(photo_ids))
        except asyncio.CancelledError:
            self._left = True
            raise

    async def _in_turn(self, photo_ids: Sequence[str]) -> None:
        async with self._record.turn:
            if not self._left:
                await self._change(photo_ids)

    async def _change(self, photo_ids: Sequence[str]) -> None:
        try:
            plan = await self._writer.plan(photo_ids)
        except BridgeError as error:
            self._stop(error)
            self._not_attempted += photo_ids
            return
        held = [planned.photo_id for planned in plan.done]
        await self._record.held_already(held)
        self._applied += held
        self._failed += plan.failed
        if not plan.todo or self._left:
            return
        await self._record.intend([planned.entry() for planned in plan.todo])
        if self._left:
            await self._record.settle({}, [planned.photo_id for planned in plan.todo])
            return
        try:
            outcome = await self._writer.write(plan.todo)
        except BridgeError as error:
            await self._failed_as_a_whole(plan.todo, error)
        else:
            await self._take(plan.todo, outcome)

    def answer(self) -> ToolAnswer:
        report = WriteReport(
            applied=self._applied,
            failed=self._failed,
            not_attempted=self._not_attempted,
            change_id=self._record.change_id or msgspec.UNSET,
            warnings=self._warnings or msgspec.UNSET,
        )
        return ToolAnswer(content=msgspec.to_builtins(report), ok=bool(self._applied))

    async def _take(self, sent: Sequence[Planned], outcome: ChunkOutcome) -> None:
        expected = {planned.photo_id: planned for planned in sent}
        applied = [i for i in outcome.applied if expected.pop(i, None) is not None]
        failed = [failure for failure in outcome.failed if expected.pop(failure.photo_id, None) is not None]
        left_out = [i for i in outcome.not_attempted if expected.pop(i, None) is not None]
        self._applied += applied
        self._failed += [*failed, *(Failure(photo_id=i, reason=IN_DOUBT) for i in expected)]
        self._not_attempted += left_out
        planned_of = {planned.photo_id: planned for planned in sent} | outcome.settled
        in_part = [f.photo_id for f in failed if f.photo_id in outcome.settled]
        as_before = [i for i in (*(f.photo_id for f in failed), *left_out) if i not in outcome.settled]
        done = {i: planned_of[i].entry() for i in (*applied, *in_part)}
        await self._record.settle(done, as_before, unknown=expected, in_part=in_part)
        self._warnings += outcome.warnings
        if left_out:
            self._stopped = True
            self._warnings.append(_why_not_attempted(outcome.stopped))

    async def _failed_as_a_whole(self, sent: Sequence[Planned], error: BridgeError) -> None:
        untouched = error.retriable or error.tool_code in UNTOUCHED
        if untouched:
            await self._record.settle({}, [planned.photo_id for planned in sent])
            self._stop(error)
            self._failed += [Failure(photo_id=planned.photo_id, reason=error.message) for planned in sent]
            return
        self._stop(error, may_raise=False)
        try:
            async with asyncio.timeout(LOOK_AGAIN_S):
                holds = await self._writer.applied_after_all(sent)
        except (BridgeError, TimeoutError):
            holds = frozenset[str]()
        done = {planned.photo_id: planned.entry() for planned in sent if planned.photo_id in holds}
        doubtful = [planned.photo_id for planned in sent if planned.photo_id not in holds]
        await self._record.settle(done, unknown=doubtful)
        self._applied += done
        self._failed += [Failure(photo_id=i, reason=IN_DOUBT) for i in doubtful]

    def _stop(self, error: BridgeError, *, may_raise: bool = True) -> None:
        if may_raise and not self._applied and not self._failed:
            raise error
        self._stopped = True
        self._warnings.append(error.message)
