"""Changes of develop settings: each photo is read, written, and read again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from safelight.tools.develop_table import alike, in_lightroom, in_words
from safelight.tools.write import ChunkOutcome, Plan, Planned, failures_of, no_such_photo
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind

__all__ = ("DEVELOP_CHUNK", "DevelopWriter", "OpenEndedWriter", "Unchangeable", "Wanted", "read_develop")

DEVELOP_CHUNK: Final = 50
LOOK_AGAIN_S: Final = 5.0


class Wanted(msgspec.Struct, frozen=True):
    """The settings that a photo shall have, in our words."""

    settings: dict[str, Any]


class Unchangeable(msgspec.Struct, frozen=True):
    """Why this photo cannot get them."""

    reason: str


class DevelopWriter:
    """Sets develop settings. ``wanted_of`` says which, from a photo's record and its present settings in our words."""

    kind: ChangeKind = "develop"
    chunk = DEVELOP_CHUNK

    def __init__(
        self,
        catalog: OpenCatalog,
        wanted_of: Callable[[bridge.DevelopRecord, dict[str, Any]], Wanted | Unchangeable],
        undo_name: str,
    ) -> None:
        self.subject: dict[str, Any] = {}
        self._catalog = catalog
        self._wanted_of = wanted_of
        self._undo_name = undo_name
        self._read: dict[str, bridge.DevelopRecord] = {}

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """The settings that would change, before and after."""
        self._read = await read_develop(self._catalog, photo_ids)
        names = await _file_names(self._catalog, photo_ids)
        todo: list[Planned] = []
        done: list[str] = []
        failed: list[Failure] = []
        for photo_id in photo_ids:
            record = self._read.get(photo_id)
            if record is None:
                failed.append(no_such_photo(photo_id))
                continue
            present = in_words(record.settings, raw=record.raw)
            wanted = self._wanted_of(record, present)
            if isinstance(wanted, Unchangeable):
                failed.append(Failure(photo_id=photo_id, reason=wanted.reason))
                continue
            after = {n: v for n, v in wanted.settings.items() if n not in present or not alike(present[n], v)}
            if not after:
                done.append(photo_id)
                continue
            before = {name: present.get(name) for name in after}
            todo.append(Planned(photo_id=photo_id, file_name=names.get(photo_id, photo_id), before=before, after=after))
        return Plan(todo=tuple(todo), done=tuple(done), failed=tuple(failed))

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Write in Lightroom's own names and compare what was read back."""
        changes = [
            bridge.DevelopChange(photo_id=p.photo_id, settings=self._in_lightroom(p.photo_id, p.after)) for p in planned
        ]
        outcome = await self._catalog.source.command(
            bridge.WriteDevelopArguments(undo_name=self._undo_name, changes=changes), bridge.WriteDevelopOutcome
        )
        wanted = {p.photo_id: p.after for p in planned}
        kept = {r.photo_id: _kept(r, wanted.get(r.photo_id, {})) for r in outcome.applied}
        return ChunkOutcome(
            applied=tuple(i for i, names in kept.items() if not names),
            failed=(
                *(Failure(photo_id=i, reason=_kept_reason(names)) for i, names in kept.items() if names),
                *failures_of(outcome.failed),
            ),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Read the photos, but not for long: the person waits already."""
        try:
            async with asyncio.timeout(LOOK_AGAIN_S):
                records = await read_develop(self._catalog, [p.photo_id for p in planned])
        except TimeoutError:
            return frozenset()
        wanted = {p.photo_id: p.after for p in planned}
        return frozenset(i for i, record in records.items() if not _kept(record, wanted[i]))

    def _in_lightroom(self, photo_id: str, named: dict[str, Any]) -> dict[str, Any]:
        record = self._read[photo_id]
        # A setting that the photo did not have before is put back by leaving it alone.
        given = {name: value for name, value in named.items() if value is not None}
        return in_lightroom(given, record.settings, raw=record.raw)


class Send(Protocol):
    """Sends the command that changes these photos."""

    async def __call__(self, photo_ids: list[str]) -> bridge.DevelopOutcome: ...


class OpenEndedWriter:
    """A change whose result only Lightroom knows: a preset, automatic tones, a reset. ``shown`` is what can be said of
    it before."""

    kind: ChangeKind = "develop"
    chunk = DEVELOP_CHUNK

    def __init__(self, catalog: OpenCatalog, send: Send, shown: dict[str, Any]) -> None:
        self.subject: dict[str, Any] = {}
        self._catalog = catalog
        self._send = send
        self._shown = shown

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """All settings before; after, what can be said."""
        records = await read_develop(self._catalog, photo_ids)
        names = await _file_names(self._catalog, photo_ids)
        return Plan(
            todo=tuple(
                Planned(
                    photo_id=i,
                    file_name=names.get(i, i),
                    before=in_words(records[i].settings, raw=records[i].raw),
                    after=self._shown,
                )
                for i in photo_ids
                if i in records
            ),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Change the photos; what did change is what differs in the settings read back."""
        outcome = await self._send([p.photo_id for p in planned])
        before = {p.photo_id: p for p in planned}
        applied = {r.photo_id: in_words(r.settings, raw=r.raw) for r in outcome.applied if r.photo_id in before}
        return ChunkOutcome(
            applied=tuple(applied),
            failed=failures_of(outcome.failed),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
            settled={i: _difference(before[i], after) for i, after in applied.items()},
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """What the change would have come to is not known, so neither is whether it was made."""
        del planned
        return frozenset()


async def read_develop(catalog: OpenCatalog, photo_ids: Sequence[str]) -> dict[str, bridge.DevelopRecord]:
    """The develop settings by photo; photos that the catalog does not know are left out. Raises ``BridgeError``."""
    records: dict[str, bridge.DevelopRecord] = {}
    for start in range(0, len(photo_ids), DEVELOP_CHUNK):
        chunk = list(photo_ids[start : start + DEVELOP_CHUNK])
        answer = await catalog.source.command(bridge.ReadDevelopArguments(photo_ids=chunk), bridge.ReadDevelopOutcome)
        records.update((record.photo_id, record) for record in answer.photos)
    return records


async def _file_names(catalog: OpenCatalog, photo_ids: Sequence[str]) -> dict[str, str]:
    records = await catalog.source.read(photo_ids)
    return {photo_id: record.file_name for photo_id, record in records.items()}


def _kept(record: bridge.DevelopRecord, wanted: dict[str, Any]) -> dict[str, Any]:
    """The settings that Lightroom did not take, with the values that it kept."""
    present = in_words(record.settings, raw=record.raw)
    return {
        name: present.get(name)
        for name, value in wanted.items()
        if value is not None and not alike(present.get(name), value)
    }


def _kept_reason(kept: dict[str, Any]) -> str:
    return f"Lightroom kept {', '.join(f'{name} {value!r}' for name, value in kept.items())}."


def _difference(planned: Planned, after: dict[str, Any]) -> Planned:
    before = planned.before
    names = [n for n in {**before, **after} if not alike(before.get(n), after.get(n))]
    return Planned(
        photo_id=planned.photo_id,
        file_name=planned.file_name,
        before={name: before.get(name) for name in names},
        after={name: after.get(name) for name in names},
    )
