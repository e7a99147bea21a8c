"""Changes of develop settings: each photo is read, written, and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from safelight.errors import BridgeError
from safelight.tools.develop_table import NAMES, WHITE_BALANCE, alike, in_lightroom, in_words, slider_of
from safelight.tools.write import ChunkOutcome, Plan, Planned, failures_of, no_such_photo
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind

__all__ = ("DEVELOP_CHUNK", "DevelopWriter", "OpenEndedWriter", "Unchangeable", "Wanted", "read_develop")

DEVELOP_CHUNK: Final = 50
VERSION: Final = "ProcessVersion"
PENDING_BELOW: Final = -1000.0
"""While Lightroom still works out automatic tones, they read as a number far below every slider."""

Settings = dict[str, Any]
"""A photo's develop settings, in our words where there are some."""


class Wanted(msgspec.Struct, frozen=True):
    """The settings that a photo shall have, in our words; None for one that it shall not have."""

    settings: Settings


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
        wanted_of: Callable[[bridge.DevelopRecord, Settings], Wanted | Unchangeable],
        undo_name: str,
    ) -> None:
        self.subject: dict[str, Any] = {}
        self._catalog = catalog
        self._wanted_of = wanted_of
        self._undo_name = undo_name
        self._read: dict[str, bridge.DevelopRecord] = {}
        self._stays: dict[str, list[str]] = {}

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """The settings that would change, before and after."""
        self._read = await read_develop(self._catalog, photo_ids)
        self._stays = {}
        names = await _file_names(self._catalog, photo_ids)
        planned: list[Planned] = []
        failed: list[Failure] = []
        for photo_id in photo_ids:
            record = self._read.get(photo_id)
            one = no_such_photo(photo_id) if record is None else self._planned(record, names.get(photo_id, photo_id))
            planned += [one] if isinstance(one, Planned) else []
            failed += [one] if isinstance(one, Failure) else []
        return Plan(
            todo=tuple(p for p in planned if not alike(p.before, p.after)),
            done=tuple(p for p in planned if alike(p.before, p.after)),
            failed=tuple(failed),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Write in Lightroom's own names and compare what was read back."""
        changes = [
            bridge.DevelopChange(photo_id=p.photo_id, settings=self._in_lightroom(p.photo_id, p.after)) for p in planned
        ]
        outcome = await self._catalog.source.command(
            bridge.WriteDevelopArguments(undo_name=self._undo_name, changes=changes), bridge.WriteDevelopOutcome
        )
        seen = await _seen(self._catalog, outcome, planned)
        kept = {p.photo_id: _kept(seen.now[p.photo_id], p.after) for p in planned if p.photo_id in seen.now}
        taken = [i for i, names in kept.items() if not names]
        reasons = {f.photo_id: f for f in seen.failed}
        return ChunkOutcome(
            applied=tuple(taken),
            failed=(
                *(
                    reasons.pop(i, Failure(photo_id=i, reason=_kept_reason(names)))
                    for i, names in kept.items()
                    if names
                ),
                *(failure for i, failure in reasons.items() if i not in kept),
            ),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
            settled=_settled(planned, {i: self._words(i) for i in self._read}, seen.now, taken),
            warnings=self._said_of_what_stays(taken),
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Read the photos again."""
        records = await read_develop(self._catalog, [p.photo_id for p in planned])
        wanted = {p.photo_id: p.after for p in planned}
        return frozenset(i for i, record in records.items() if not _kept(_words(record), wanted[i]))

    def _planned(self, record: bridge.DevelopRecord, file_name: str) -> Planned | Failure:
        """What would change; where nothing does, ``before`` and ``after`` are the same."""
        photo_id, present = record.photo_id, _words(record)
        wanted = self._wanted_of(record, present)
        if isinstance(wanted, Unchangeable):
            return Failure(photo_id=photo_id, reason=wanted.reason)
        if lacking := _lacking(record, wanted.settings):
            reason = f"The photo is developed with an older process version, which has no {lacking} of this kind."
            return Failure(photo_id=photo_id, reason=reason)
        after = _to_write(wanted.settings, present)
        self._stays[photo_id] = [n for n, v in after.items() if v is None and not isinstance(present[n], dict | list)]
        for name in self._stays[photo_id]:
            del after[name]
        if not after and self._stays[photo_id]:
            return Failure(photo_id=photo_id, reason=_stay(self._stays[photo_id]))
        if not after:
            there = {name: present.get(name) for name in wanted.settings}
            return Planned(photo_id=photo_id, file_name=file_name, before=there, after=there)
        before = {name: present.get(name) for name in after}
        return Planned(photo_id=photo_id, file_name=file_name, before=before, after=after)

    def _in_lightroom(self, photo_id: str, named: Settings) -> Settings:
        # A setting that the photo shall not have is emptied; _planned leaves out those that cannot be.
        given: Settings = {name: {} if value is None else value for name, value in named.items()}
        record = self._read[photo_id]
        return in_lightroom(given, record.settings, raw=record.raw)

    def _words(self, photo_id: str) -> Settings:
        return _words(self._read[photo_id])

    def _said_of_what_stays(self, photo_ids: Sequence[str]) -> tuple[str, ...]:
        stays = sorted({name for i in photo_ids for name in self._stays.get(i, ())})
        return (f"All else was changed. {_stay(stays)}",) if stays else ()


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
                Planned(photo_id=i, file_name=names.get(i, i), before=_words(records[i]), after=self._shown)
                for i in photo_ids
                if i in records
            ),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Change the photos; what did change is what differs in the settings read back."""
        outcome = await self._send([p.photo_id for p in planned])
        seen = await _seen(self._catalog, outcome, planned)
        applied = [r.photo_id for r in outcome.applied]
        return ChunkOutcome(
            applied=tuple(applied),
            failed=seen.failed,
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
            settled=_settled(planned, {p.photo_id: p.before for p in planned}, seen.now, applied),
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """What the change would have come to is not known, so neither is whether it was made."""
        del planned
        return frozenset()


class _Seen(msgspec.Struct, frozen=True):
    """The settings after a write, and the failures of photos that could be looked at: others stay in doubt."""

    now: dict[str, Settings]
    failed: tuple[Failure, ...]


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


async def _seen(catalog: OpenCatalog, outcome: bridge.DevelopOutcome, planned: Sequence[Planned]) -> _Seen:
    """Lightroom may have taken some settings of a photo that it reports as failed, so those are read again."""
    known = {p.photo_id for p in planned}
    refused = [f for f in outcome.failed if f.photo_id in known]
    try:
        again = await read_develop(catalog, [f.photo_id for f in refused]) if refused else {}
    except BridgeError:
        refused, again = [], {}
    now = {r.photo_id: _words(r) for r in (*outcome.applied, *again.values()) if r.photo_id in known}
    pending = {i for i, settings in now.items() if any(_is_pending(settings.get(name)) for name in NAMES)}
    return _Seen(
        now={i: settings for i, settings in now.items() if i not in pending},
        failed=failures_of(f for f in refused if f.photo_id not in pending),
    )


def _is_pending(value: Any) -> bool:
    return isinstance(value, int | float) and value < PENDING_BELOW


def _settled(
    planned: Sequence[Planned], before: Mapping[str, Settings], now: Mapping[str, Settings], applied: Sequence[str]
) -> dict[str, Planned]:
    """What did change of each photo: one that is not among ``applied`` counts only where something did."""
    found: dict[str, Planned] = {}
    for p in planned:
        if p.photo_id not in now:
            continue
        had, has = before[p.photo_id], now[p.photo_id]
        names = [n for n in {**had, **has} if not alike(had.get(n), has.get(n))]
        if names or p.photo_id in applied:
            found[p.photo_id] = msgspec.structs.replace(
                p, before={n: had.get(n) for n in names}, after={n: has.get(n) for n in names}
            )
    return found


def _lacking(record: bridge.DevelopRecord, wanted: Settings) -> str | None:
    """A setting that the photo, in the process version that it will have, has no slider for."""
    version = {**record.settings, **wanted}
    return next((n for n in wanted if n in NAMES and slider_of(n, version, raw=record.raw) is None), None)


def _to_write(wanted: Settings, present: Settings) -> Settings:
    """What is not as wanted. With another process version all is sent, since Lightroom converts what it is not told;
    and a changed temperature or tint makes the white balance a custom one."""
    differing = {name: value for name, value in wanted.items() if not alike(present.get(name), value)}
    if VERSION in differing:
        return {name: value for name, value in wanted.items() if value is not None or name in present}
    is_custom = WHITE_BALANCE in present and differing.keys() & {"temperature", "tint"}
    if is_custom and WHITE_BALANCE not in wanted and present[WHITE_BALANCE] != "Custom":
        return {**differing, WHITE_BALANCE: "Custom"}
    return differing


def _words(record: bridge.DevelopRecord) -> Settings:
    return in_words(record.settings, raw=record.raw)


def _kept(present: Settings, wanted: Settings) -> Settings:
    """The settings that Lightroom did not take, with the values that it kept."""
    return {name: present.get(name) for name, value in wanted.items() if not alike(present.get(name), value)}


def _kept_reason(kept: Settings) -> str:
    return f"Lightroom kept {', '.join(f'{name} {value!r}' for name, value in kept.items())}."


def _stay(names: Sequence[str]) -> str:
    verb = "stay" if len(names) > 1 else "stays"
    return f"{', '.join(names)} {verb}: Lightroom cannot take away a setting that the photo did not have before."
