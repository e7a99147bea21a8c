"""The one path on which photos are changed: in chunks, each photo accounted for, stopping where it goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from safelight.bridge.sentences import sentence
from safelight.errors import BridgeError
from safelight.gate.tool import ToolAnswer
from safelight.wire.bridge_models import WriteStop
from safelight.wire.tool_models import Failure, WriteReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.wire.bridge_models import PhotoFailure

__all__ = ("CHUNK", "ChunkOutcome", "ChunkWriter", "PreparedChunk", "change_photos", "failures_of")

CHUNK: Final = 200

UNTOUCHED: Final = frozenset(
    [
        "AGENTS_OFF",
        "BAD_ARGUMENTS",
        "CATALOG_BUSY",
        "CATALOG_CHANGED",
        "COLLECTION_NOT_FOUND",
        "PHOTO_NOT_FOUND",
        "PLUGIN_OFFLINE",
        "READ_ONLY",
        "SMART_COLLECTION_READONLY",
        "UNKNOWN_COMMAND",
    ]
)
"""Errors of a write that say that nothing was changed; after others the outcome is unknown."""

IN_DOUBT: Final = "Lightroom gave no clear answer: this photo may or may not have been changed."

STOPPED_BY: Final = {
    "CATALOG_BUSY": "Lightroom became busy with another operation",
    "TIMEOUT": "Lightroom ran out of time",
}


class PreparedChunk(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk before it is written: photos that have the value already, that cannot get it, and the rest."""

    done: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()
    todo: tuple[str, ...] = ()


class ChunkOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What Lightroom says of each photo of a chunk; ``applied`` has been compared with what was wanted."""

    applied: tuple[str, ...] = ()
    failed: tuple[Failure, ...] = ()
    not_attempted: tuple[str, ...] = ()
    stopped: WriteStop | msgspec.UnsetType = msgspec.UNSET
    """Why there are photos that were not attempted."""


class ChunkWriter(Protocol):
    """One kind of change. All methods may raise ``BridgeError``."""

    async def prepare(self, photo_ids: Sequence[str]) -> PreparedChunk:
        """Look at the photos as they are; changes nothing."""
        ...

    async def write(self, photo_ids: Sequence[str]) -> ChunkOutcome:
        """Change these photos with one command."""
        ...

    async def applied_after_all(self, photo_ids: Sequence[str]) -> frozenset[str]:
        """Those that have the wanted value now, after a write of unknown outcome; empty where that cannot be told."""
        ...


async def change_photos(writer: ChunkWriter, photo_ids: Sequence[str], warnings: Iterable[str] = ()) -> ToolAnswer:
    """Change the photos chunk by chunk and report on each.

    Raises the ``BridgeError`` itself when it came before any photo was touched. After a chunk that failed as a whole,
    or whose outcome is unknown, nothing more is sent; the rest is ``not_attempted``.
    """
    work = _Work(writer, list(warnings))
    for start in range(0, len(photo_ids), CHUNK):
        await work.chunk(photo_ids[start : start + CHUNK])
    return work.answer()


def failures_of(reported: Iterable[PhotoFailure]) -> tuple[Failure, ...]:
    """The plug-in's failures in words."""
    return tuple(Failure(photo_id=f.photo_id, reason=sentence(f.code, f.message)) for f in reported)


def _why_not_attempted(stopped: WriteStop | msgspec.UnsetType) -> str:
    if stopped is msgspec.UNSET:
        reason = "Lightroom was busy or ran out of time"
    elif stopped.code in STOPPED_BY:
        reason = STOPPED_BY[stopped.code]
    else:
        return f"Some photos were not attempted. {sentence(stopped.code, stopped.message)}"
    return f"{reason}; call again for the photos that were not attempted."


class _Work:
    def __init__(self, writer: ChunkWriter, warnings: list[str]) -> None:
        self._writer = writer
        self._applied: list[str] = []
        self._failed: list[Failure] = []
        self._not_attempted: list[str] = []
        self._warnings = warnings
        self._stopped = False

    async def chunk(self, photo_ids: Sequence[str]) -> None:
        if self._stopped:
            self._not_attempted += photo_ids
            return
        try:
            prepared = await self._writer.prepare(photo_ids)
        except BridgeError as error:
            self._stop(error)
            self._not_attempted += photo_ids
            return
        self._applied += prepared.done
        self._failed += prepared.failed
        if not prepared.todo:
            return
        try:
            outcome = await self._writer.write(prepared.todo)
        except BridgeError as error:
            await self._failed_as_a_whole(prepared.todo, error)
        else:
            self._take(prepared.todo, outcome)

    def answer(self) -> ToolAnswer:
        report = WriteReport(
            applied=self._applied,
            failed=self._failed,
            not_attempted=self._not_attempted,
            warnings=self._warnings or msgspec.UNSET,
        )
        return ToolAnswer(content=msgspec.to_builtins(report), ok=bool(self._applied))

    def _take(self, sent: Sequence[str], outcome: ChunkOutcome) -> None:
        expected = set(sent)
        for photo_id in outcome.applied:
            if photo_id in expected:
                expected.remove(photo_id)
                self._applied.append(photo_id)
        for failure in outcome.failed:
            if failure.photo_id in expected:
                expected.remove(failure.photo_id)
                self._failed.append(failure)
        left_out = [i for i in sent if i in expected and i in set(outcome.not_attempted)]
        expected.difference_update(left_out)
        self._not_attempted += left_out
        self._failed += [Failure(photo_id=i, reason=IN_DOUBT) for i in sent if i in expected]
        if left_out:
            self._stopped = True
            self._warnings.append(_why_not_attempted(outcome.stopped))

    async def _failed_as_a_whole(self, sent: Sequence[str], error: BridgeError) -> None:
        untouched = error.retriable or error.tool_code in UNTOUCHED
        self._stop(error, may_raise=untouched)
        if untouched:
            self._failed += [Failure(photo_id=i, reason=error.message) for i in sent]
            return
        try:
            done = await self._writer.applied_after_all(sent)
        except BridgeError:
            done = frozenset[str]()
        self._applied += [i for i in sent if i in done]
        self._failed += [Failure(photo_id=i, reason=IN_DOUBT) for i in sent if i not in done]

    def _stop(self, error: BridgeError, *, may_raise: bool = True) -> None:
        if may_raise and not self._applied and not self._failed:
            raise error
        self._stopped = True
        self._warnings.append(error.message)
