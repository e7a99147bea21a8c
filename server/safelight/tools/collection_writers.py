"""Making and deleting a collection as a change like any other: planned, written down, looked at again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from safelight.errors import BridgeError
from safelight.tools.collection_paths import full_path, shown
from safelight.tools.collection_source import all_collections, known_by, members_of
from safelight.tools.write import UNTOUCHED, ChunkOutcome, Plan, Planned
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind

__all__ = ("DeletesCollection", "MakesCollection", "Making", "values_of")

LOOK_AGAIN_S: Final = 5.0
REFILL: Final = 1000


class Making(msgspec.Struct, frozen=True, kw_only=True):
    """All that is needed to make a collection, as the journal keeps it. ``new_sets`` of the sets above it were made
    with it."""

    path: tuple[str, ...]
    kind: Literal["collection", "smart"] = "collection"
    photo_ids: tuple[str, ...] = ()
    rules: tuple[bridge.SmartRule, ...] = ()
    new_sets: int = 0


class MakesCollection:
    """Makes a collection, with the sets above it that are missing, and puts its photos into it."""

    kind: ChangeKind = "collection"
    chunk = 1

    def __init__(self, catalog: OpenCatalog, making: Making) -> None:
        self.subject: dict[str, Any] = msgspec.to_builtins(making)
        self.made: bridge.CollectionRecord | None = None
        self.error: BridgeError | None = None
        self._catalog = catalog
        self._making = making

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """Done already where the collection with this id is there; another one in its place is a failure."""
        (item_id,) = photo_ids
        found = known_by(await all_collections(self._catalog), item_id, self._making.path)
        if found is None:
            return Plan(todo=(self._planned(item_id, values_of(None)),))
        if found.collection_id == item_id:
            there = self._planned(item_id, {})
            return Plan(done=(msgspec.structs.replace(there, before=there.after),))
        return Plan(failed=(Failure(photo_id=item_id, reason=_another(self._making.path)),))

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Make and fill it. What came of an outcome that is not known is looked at."""
        (item,) = planned
        try:
            self.made = await self._make()
        except BridgeError as error:
            self.error = error
            raise
        missing, warnings = await self._fill(self.made.collection_id)
        if missing:
            warnings.append(f"{missing} of its photos could not be put into the collection.")
        return ChunkOutcome(
            applied=(item.photo_id,),
            settled={item.photo_id: self._planned(self.made.collection_id, item.before)},
            warnings=tuple(warnings),
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """``write`` has looked already."""
        del planned
        return frozenset()

    def _planned(self, item_id: str, before: dict[str, Any]) -> Planned:
        making = self._making
        after = {
            "collection": shown(making.path),
            "photos": len(making.photo_ids) if making.kind == "collection" else None,
        }
        return Planned(photo_id=item_id, file_name=shown(making.path), before=before, after=after)

    async def _make(self) -> bridge.CollectionRecord:
        path = list(self._making.path)
        command = (
            bridge.CreateCollectionArguments(path=path)
            if self._making.kind == "collection"
            else bridge.CreateSmartCollectionArguments(path=path, rules=list(self._making.rules))
        )
        try:
            return await self._catalog.source.command(command, bridge.CollectionRecord)
        except BridgeError as error:
            if error.retriable or error.tool_code in UNTOUCHED:
                raise
            try:
                found = await _looked_up(self._catalog, "", path)
            except (BridgeError, TimeoutError):
                raise error from None
            if found is None:
                raise
            return found

    async def _fill(self, collection_id: str) -> tuple[int, list[str]]:
        photo_ids = self._making.photo_ids
        put_in = 0
        for start in range(0, len(photo_ids), REFILL):
            command = bridge.AddToCollectionArguments(
                collection_id=collection_id, photo_ids=list(photo_ids[start : start + REFILL])
            )
            try:
                outcome = await self._catalog.source.command(command, bridge.IdsOutcome)
            except BridgeError as error:
                return len(photo_ids) - put_in, [error.message]
            put_in += len(outcome.applied)
        return len(photo_ids) - put_in, []


class DeletesCollection:
    """Deletes a collection of this ``collection_kind``; its photos stay in the catalog. ``holding`` are the only photos
    that it may hold, and ``new_sets`` how many of the sets above it go too when nothing is left in them."""

    chunk = 1

    def __init__(
        self,
        catalog: OpenCatalog,
        path: tuple[str, ...],
        kind: ChangeKind,
        subject: dict[str, Any],
        *,
        collection_kind: Literal["collection", "smart", "set"],
        holding: frozenset[str],
        new_sets: int = 0,
    ) -> None:
        self.kind: ChangeKind = kind
        self.subject = subject
        self._catalog = catalog
        self._path = path
        self._collection_kind = collection_kind
        self._holding = holding
        self._new_sets = new_sets
        self._found: dict[str, bridge.CollectionRecord] = {}
        self.error: BridgeError | None = None

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """Done already where there is none any more."""
        (item_id,) = photo_ids
        found = known_by(await all_collections(self._catalog), item_id, self._path)
        if found is None:
            gone = values_of(None)
            return Plan(done=(Planned(photo_id=item_id, file_name=shown(self._path), before=gone, after=gone),))
        if found.kind != self._collection_kind:
            return Plan(failed=(Failure(photo_id=item_id, reason=_another(self._path)),))
        photos: int | None = None
        if found.kind == "collection":
            members = await members_of(self._catalog, found.collection_id)
            photos = len(members)
            if not self._holding.issuperset(members):
                return Plan(failed=(Failure(photo_id=item_id, reason=_filled_since(shown(full_path(found)))),))
        self._found[item_id] = found
        name = shown(full_path(found))
        return Plan(
            todo=(Planned(photo_id=item_id, file_name=name, before=values_of(found, photos), after=values_of(None)),)
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Delete it, and then the sets that were made for it."""
        (item,) = planned
        found = self._found[item.photo_id]
        try:
            outcome = await self._delete(found.collection_id)
        except BridgeError as error:
            self.error = error
            raise
        if not outcome.deleted:
            reason = "Lightroom did not delete the collection; it is still there."
            return ChunkOutcome(failed=(Failure(photo_id=item.photo_id, reason=reason),))
        return ChunkOutcome(applied=(item.photo_id,), warnings=await self._delete_empty_sets())

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Whether it is gone."""
        (item,) = planned
        found = self._found[item.photo_id]
        try:
            still = await _looked_up(self._catalog, found.collection_id, full_path(found))
        except TimeoutError:
            return frozenset()
        return frozenset() if still else frozenset([item.photo_id])

    async def _delete(self, collection_id: str) -> bridge.DeleteCollectionOutcome:
        command = bridge.DeleteCollectionArguments(collection_id=collection_id)
        return await self._catalog.source.command(command, bridge.DeleteCollectionOutcome)

    async def _delete_empty_sets(self) -> tuple[str, ...]:
        try:
            for depth in range(len(self._path) - 1, len(self._path) - 1 - self._new_sets, -1):
                above = self._path[:depth]
                records = await all_collections(self._catalog)
                sets = [r for r in records if r.kind == "set" and full_path(r) == above]
                if not sets or any(tuple(r.path) == above for r in records):
                    break
                await self._delete(sets[0].collection_id)
        except BridgeError as error:
            return (f"A collection set that was made with it may still be there. {error.message}",)
        return ()


def values_of(collection: bridge.CollectionRecord | None, photos: int | None = None) -> dict[str, Any]:
    """A collection as the journal shows it."""
    return {"collection": None if collection is None else shown(full_path(collection)), "photos": photos}


def _another(path: Sequence[str]) -> str:
    return f'There is another "{shown(path)}" in its place now.'


def _filled_since(name: str) -> str:
    return f'"{name}" holds photos that were put in since, so it was left. Look at them, then use delete_collection.'


async def _looked_up(catalog: OpenCatalog, collection_id: str, path: Sequence[str]) -> bridge.CollectionRecord | None:
    """What is there now, but not for long: the person waits already. Raises ``BridgeError`` or ``TimeoutError``."""
    async with asyncio.timeout(LOOK_AGAIN_S):
        return known_by(await all_collections(catalog), collection_id, path)
