"""Putting photos into collections and taking them out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.errors import BridgeError, ToolError
from safelight.tools.arguments import parse
from safelight.tools.collection_paths import chosen, full_path, shown, whole
from safelight.tools.collection_source import all_collections, members_of
from safelight.tools.reach import ChangesPhotos
from safelight.tools.write import ChunkOutcome, Plan, Planned, failures_of, no_such_photo
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import AddToCollectionArguments, RemoveFromCollectionArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind

__all__ = ("AddToCollection", "MembershipWriter", "RemoveFromCollection", "fillable")

MEMBER: Final = "in_collection"


class MembershipWriter:
    """Sees to it that photos are in a collection, or are not, as ``wanted_of`` tells of each. Those that have to change
    all go one way."""

    kind: ChangeKind = "membership"
    chunk = 500

    def __init__(
        self, catalog: OpenCatalog, collection: bridge.CollectionRecord, wanted_of: Callable[[str], bool]
    ) -> None:
        self.subject: dict[str, Any] = {
            "collection_id": collection.collection_id,
            "path": list(full_path(collection)),
        }
        self._catalog = catalog
        self._collection_id = collection.collection_id
        self._wanted_of = wanted_of

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """Photos that are where they shall be already are done without a write."""
        members = await self._members()
        records = await self._catalog.source.read(photo_ids)
        planned = [
            Planned(
                photo_id=i,
                file_name=records[i].file_name,
                before={MEMBER: i in members},
                after={MEMBER: self._wanted_of(i)},
            )
            for i in photo_ids
            if i in records
        ]
        return Plan(
            todo=tuple(p for p in planned if p.before != p.after),
            done=tuple(p for p in planned if p.before == p.after),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Write, and look again where Lightroom reports a failure: it may have come after the write."""
        photo_ids = [p.photo_id for p in planned]
        command = bridge.AddToCollectionArguments if planned[0].after[MEMBER] else bridge.RemoveFromCollectionArguments
        outcome = await self._catalog.source.command(
            command(collection_id=self._collection_id, photo_ids=photo_ids), bridge.IdsOutcome
        )
        held, refused = frozenset[str](), outcome.failed
        if refused:
            try:
                held = await self._held([f.photo_id for f in refused if f.photo_id in photo_ids])
            except BridgeError:
                refused = []  # they stay in doubt
        return ChunkOutcome(
            applied=(*outcome.applied, *held),
            failed=failures_of(f for f in refused if f.photo_id not in held),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Look into the collection again."""
        return await self._held([p.photo_id for p in planned])

    async def _members(self) -> frozenset[str]:
        return frozenset(await members_of(self._catalog, self._collection_id))

    async def _held(self, photo_ids: Sequence[str]) -> frozenset[str]:
        members = await self._members()
        return frozenset(i for i in photo_ids if (i in members) == self._wanted_of(i))


class _ChangesMembers(ChangesPhotos):
    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call on the photos that its target has now, with the whole path of the collection. Raises as
        ``fillable``."""
        record = await fillable(await self._catalogs.present(), arguments["collection"])
        return {**await super().freeze(arguments), "collection": whole(full_path(record))}


class AddToCollection(_ChangesMembers):
    """Adds photos to a collection that is there."""

    spec = TOOLS["add_to_collection"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> MembershipWriter:
        """Raises COLLECTION_NOT_FOUND (naming similar ones), COLLECTION_AMBIGUOUS and SMART_COLLECTION_READONLY."""
        given = parse(arguments, AddToCollectionArguments)
        return MembershipWriter(catalog, await fillable(catalog, given.collection), lambda photo_id: True)


class RemoveFromCollection(_ChangesMembers):
    """Takes photos out of a collection; they stay in the catalog."""

    spec = TOOLS["remove_from_collection"]

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> MembershipWriter:
        """Raises as that of ``AddToCollection``."""
        given = parse(arguments, RemoveFromCollectionArguments)
        return MembershipWriter(catalog, await fillable(catalog, given.collection), lambda photo_id: False)


async def fillable(catalog: OpenCatalog, text: str) -> bridge.CollectionRecord:
    """The collection that ``text`` means, which photos can be put into. A name that a set or a smart collection has too
    means the collection. Raises ``ToolError`` as ``chosen``, and SMART_COLLECTION_READONLY."""
    records = await all_collections(catalog)
    try:
        return chosen([record for record in records if record.kind == "collection"], text)
    except ToolError as error:
        if error.tool_code != "COLLECTION_NOT_FOUND":
            raise
        missing = error
    try:
        other = chosen([record for record in records if record.kind != "collection"], text)
    except ToolError:
        raise missing from None
    name = shown(full_path(other))
    if other.kind == "smart":
        raise ToolError(
            "SMART_COLLECTION_READONLY",
            f'"{name}" is a smart collection; it finds its photos by rules and takes none by hand. Use another one.',
        )
    raise ToolError("COLLECTION_NOT_FOUND", f'"{name}" is a collection set; it holds collections, not photos.')
