"""Tools that give photos a value: rating, flag, label, texts, GPS."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.tools.arguments import parse
from safelight.tools.reach import ChangesPhotos
from safelight.tools.write import CHUNK, ChunkOutcome, Plan, Planned, failures_of, no_such_photo
from safelight.wire.bridge_models import PhotoChange, WritePhotosArguments, WritePhotosOutcome
from safelight.wire.tool_models import (
    Failure,
    SetFlagArguments,
    SetLabelArguments,
    SetMetadataArguments,
    SetRatingArguments,
)
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind
    from safelight.wire.bridge_models import PhotoRecord

__all__ = ("SetFlag", "SetLabel", "SetMetadata", "SetRating", "ValueWriter", "same_values")

TEXTS: Final = ("title", "caption", "headline", "creator", "copyright", "location", "city", "state", "country")
PLACE: Final = ("latitude", "longitude")
UNSET_VALUES: Final[dict[str, Any]] = {
    "rating": 0,
    "flag": "none",
    "label": "none",
    **dict.fromkeys(TEXTS, ""),
    **dict.fromkeys(PLACE),
}
DEGREES: Final = 1e-5
"""Lightroom keeps GPS places a little less exactly than they are given: about a metre."""


class ValueWriter:
    """Gives photos values. ``wanted_of`` says which: names of ``UNSET_VALUES``, the same names for every photo, where
    the value listed there takes a field away. The place is both of its numbers or neither."""

    kind: ChangeKind = "values"
    chunk = CHUNK

    def __init__(self, catalog: OpenCatalog, wanted_of: Callable[[str], Mapping[str, Any]], undo_name: str) -> None:
        self.subject: dict[str, Any] = {}
        self._catalog = catalog
        self._wanted_of = wanted_of
        self._undo_name = undo_name

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """Photos that have the values are done without a write, so that Lightroom does not mark them as edited."""
        records = await self._catalog.source.read(photo_ids)
        planned = [self._planned(records[i]) for i in photo_ids if i in records]
        return Plan(
            todo=tuple(p for p in planned if not same_values(p.before, p.after)),
            done=tuple(p for p in planned if same_values(p.before, p.after)),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Write, compare what was read back, and tell the index."""
        changes = [PhotoChange(photo_id=p.photo_id, **_as_change(p.after)) for p in planned]
        outcome = await self._catalog.source.command(
            WritePhotosArguments(undo_name=self._undo_name, changes=changes), WritePhotosOutcome
        )
        await self._catalog.take_over(outcome.applied)
        expected = {p.photo_id: p for p in planned}
        reached = [record for record in outcome.applied if record.photo_id in expected]
        now = {record.photo_id: values_of(record, expected[record.photo_id].after) for record in reached}
        kept = [i for i, values in now.items() if not same_values(values, expected[i].after)]
        refused = await self._looked_at([f.photo_id for f in outcome.failed if f.photo_id in expected], expected)
        return ChunkOutcome(
            applied=tuple(i for i in now if i not in kept),
            failed=(
                *(Failure(photo_id=i, reason=_kept(now[i])) for i in kept),
                *(failures_of(outcome.failed) if refused is not None else ()),
            ),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
            settled=_changed_in_part(expected, {i: now[i] for i in kept} | (refused or {})),
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Read the photos again."""
        records = await self._catalog.source.read([p.photo_id for p in planned])
        await self._catalog.take_over(tuple(records.values()))
        wanted = {p.photo_id: p.after for p in planned}
        return frozenset(i for i, record in records.items() if same_values(values_of(record, wanted[i]), wanted[i]))

    async def _looked_at(
        self, refused: Sequence[str], expected: Mapping[str, Planned]
    ) -> dict[str, dict[str, Any]] | None:
        """The values of photos that Lightroom refused, since it may have taken some before; None where it cannot be
        told, so that these photos stay in doubt."""
        try:
            records = await self._catalog.source.read(refused) if refused else {}
        except BridgeError:
            return None
        await self._catalog.take_over(tuple(records.values()))
        return {i: values_of(record, expected[i].after) for i, record in records.items()}

    def _planned(self, record: PhotoRecord) -> Planned:
        wanted = dict(self._wanted_of(record.photo_id))
        return Planned(
            photo_id=record.photo_id, file_name=record.file_name, before=values_of(record, wanted), after=wanted
        )


class SetRating(ChangesPhotos):
    """Stars; 0 takes them away."""

    spec = TOOLS["set_rating"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> ValueWriter:
        """Gives the stars."""
        rating = parse(arguments, SetRatingArguments).rating
        return _same_for_all(catalog, {"rating": rating}, f"{rating} stars" if rating else "no stars")


class SetFlag(ChangesPhotos):
    """Pick, reject or neither."""

    spec = TOOLS["set_flag"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> ValueWriter:
        """Sets the flag."""
        flag = parse(arguments, SetFlagArguments).flag
        return _same_for_all(catalog, {"flag": flag}, {"pick": "pick", "reject": "reject", "none": "no flag"}[flag])


class SetLabel(ChangesPhotos):
    """A colour label or none."""

    spec = TOOLS["set_label"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> ValueWriter:
        """Sets the label."""
        label = parse(arguments, SetLabelArguments).label
        return _same_for_all(catalog, {"label": label}, "no label" if label == "none" else f"label {label}")


class SetMetadata(ChangesPhotos):
    """Texts and the GPS place; an empty text takes a field away."""

    spec = TOOLS["set_metadata"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> ValueWriter:
        """Sets the texts and the place. Raises ``ToolError`` NOTHING_TO_CHANGE without any, GPS_INCOMPLETE for half a
        place, GPS_CONTRADICTION for one that shall be set and cleared."""
        given = parse(arguments, SetMetadataArguments)
        wanted = {name: getattr(given, name) for name in TEXTS if getattr(given, name) is not UNSET} | _place(given)
        if not wanted:
            raise ToolError("NOTHING_TO_CHANGE", "Give at least one field to change; an empty text takes it away.")
        return _same_for_all(catalog, wanted, " and ".join(_field_names(wanted)))


def values_of(record: PhotoRecord, names: Mapping[str, Any]) -> dict[str, Any]:
    """The photo's values of these names, with those of ``UNSET_VALUES`` where Lightroom has none."""
    values = {name: getattr(record, name) for name in names}
    return {name: UNSET_VALUES[name] if value is UNSET else value for name, value in values.items()}


def same_values(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether ``one`` has the values of ``other``, as Lightroom keeps them."""
    return all(_alike(one.get(name), value) for name, value in other.items())


def _same_for_all(catalog: OpenCatalog, wanted: dict[str, Any], undo_name: str) -> ValueWriter:
    return ValueWriter(catalog, lambda photo_id: wanted, f"Safelight: {undo_name}"[:80])


def _field_names(wanted: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys("GPS" if name in PLACE else name for name in wanted))


def _place(given: SetMetadataArguments) -> dict[str, Any]:
    numbers = {name: getattr(given, name) for name in PLACE}
    is_given = [number is not UNSET for number in numbers.values()]
    if given.clear_gps is not UNSET and given.clear_gps:
        if any(is_given):
            raise ToolError("GPS_CONTRADICTION", "Give a latitude and longitude, or clear_gps, not both.")
        return dict.fromkeys(PLACE)
    if not any(is_given):
        return {}
    if not all(is_given):
        raise ToolError("GPS_INCOMPLETE", "Give latitude and longitude together.")
    return numbers


def _as_change(wanted: Mapping[str, Any]) -> dict[str, Any]:
    change = {name: value for name, value in wanted.items() if value is not None}
    return change if len(change) == len(wanted) else {**change, "clear_gps": True}


def _changed_in_part(expected: Mapping[str, Planned], now: Mapping[str, dict[str, Any]]) -> dict[str, Planned]:
    return {
        i: msgspec.structs.replace(expected[i], after=values)
        for i, values in now.items()
        if not same_values(values, expected[i].before)
    }


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()  # Lightroom may cut space at the ends
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=0, abs_tol=DEGREES)
    return bool(one == other)


def _kept(values: Mapping[str, Any]) -> str:
    kept = ", ".join(f"{name} {value!r}" for name, value in values.items())
    return f"Lightroom did not take the value; the photo has {kept}."
