"""The collections of the fake plug-in's catalog."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET

from safelight.wire import bridge_models as wire
from safelight.wire.bridge_models import CollectionRecord
from tests.bridge.fake_answers import Json, PluginFailure, taken, until

if TYPE_CHECKING:
    from tests.bridge.fake_plugin import FakePlugin

__all__ = ("FakeCollection", "FakeCollections")


class FakeCollection(msgspec.Struct, kw_only=True):
    """A collection, its photos, and the rules of a smart one."""

    record: CollectionRecord
    members: list[str]
    rules: list[wire.SmartRule] = []

    @property
    def path(self) -> list[str]:
        return [*self.record.path, self.record.name]


class FakeCollections:
    """Collections by id, in the order in which they were made; ids are never used again."""

    def __init__(self, plugin: FakePlugin) -> None:
        self.by_id: dict[str, FakeCollection] = {}
        self.handlers: dict[str, Callable[[Json], Any]] = {
            "find_collections": self._find,
            "create_collection": self._create,
            "create_smart_collection": self._create_smart,
            "delete_collection": self._delete,
            "add_to_collection": self._add,
            "remove_from_collection": self._remove,
        }
        self._plugin = plugin
        self._numbers = itertools.count(1)

    def put(
        self, path: Sequence[str], kind: Literal["collection", "smart", "set"], members: Sequence[str] = ()
    ) -> FakeCollection:
        collection_id = f"collection-{next(self._numbers)}"
        record = CollectionRecord(collection_id=collection_id, name=path[-1], path=list(path[:-1]), kind=kind)
        collection = FakeCollection(record=record, members=list(members))
        self.by_id[collection_id] = collection
        return collection

    def at(self, path: Sequence[str]) -> FakeCollection | None:
        """The collection or set at this path."""
        return next((c for c in self.by_id.values() if c.path == list(path)), None)

    def photos_of(self, collection_id: str) -> list[str]:
        """Of a set: those of all that is in it."""
        collection = self._known(collection_id)
        if collection.record.kind != "set":
            return collection.members
        inside = [c for c in self.by_id.values() if c.record.path[: len(collection.path)] == collection.path]
        return list(dict.fromkeys(i for c in inside for i in c.members))

    def _find(self, arguments: Json) -> wire.FindCollectionsOutcome:
        wanted = taken(arguments, wire.FindCollectionsArguments)
        records = [c.record for c in self.by_id.values() if wanted.name in (UNSET, c.record.name)]
        if wanted.count_to is not UNSET:
            first = 0 if wanted.count_from is UNSET else wanted.count_from
            counted = {r.collection_id for r in records[first : wanted.count_to] if r.kind != "set"}
            records = [self._counted(r) if r.collection_id in counted else r for r in records]
        return wire.FindCollectionsOutcome(collections=records)

    def _counted(self, record: CollectionRecord) -> CollectionRecord:
        return msgspec.structs.replace(record, photos=len(self.by_id[record.collection_id].members))

    def _create(self, arguments: Json) -> CollectionRecord:
        return self._made(taken(arguments, wire.CreateCollectionArguments).path, "collection").record

    def _create_smart(self, arguments: Json) -> CollectionRecord:
        wanted = taken(arguments, wire.CreateSmartCollectionArguments)
        made = self._made(wanted.path, "smart")
        made.rules = wanted.rules
        return made.record

    def _made(self, path: Sequence[str], kind: Literal["collection", "smart"]) -> FakeCollection:
        for depth in range(1, len(path)):
            above = self.at(path[:depth]) or self.put(path[:depth], "set")
            if above.record.kind != "set":
                raise PluginFailure("NAME_EXISTS")
        if self.at(path):
            raise PluginFailure("NAME_EXISTS")
        return self.put(path, kind)

    def _delete(self, arguments: Json) -> wire.DeleteCollectionOutcome:
        collection = self._known(taken(arguments, wire.DeleteCollectionArguments).collection_id)
        if any(c.record.path == collection.path for c in self.by_id.values()):
            raise PluginFailure("BAD_ARGUMENTS", "the collection set is not empty")
        del self.by_id[collection.record.collection_id]
        return wire.DeleteCollectionOutcome(deleted=True)

    def _add(self, arguments: Json) -> wire.IdsOutcome:
        wanted = taken(arguments, wire.AddToCollectionArguments)
        members = self._fillable(wanted.collection_id).members
        return self._changed(wanted.photo_ids, lambda i: None if i in members else members.append(i))

    def _remove(self, arguments: Json) -> wire.IdsOutcome:
        wanted = taken(arguments, wire.RemoveFromCollectionArguments)
        members = self._fillable(wanted.collection_id).members
        return self._changed(wanted.photo_ids, lambda i: members.remove(i) if i in members else None)

    def _changed(self, photo_ids: Sequence[str], change: Callable[[str], None]) -> wire.IdsOutcome:
        plugin = self._plugin
        attempted, left = until(photo_ids, plugin.most_photos_a_write)
        applied = [i for i in attempted if i in plugin.photos]
        for photo_id in applied:
            change(photo_id)
        return wire.IdsOutcome(
            applied=applied, failed=plugin.unknown(attempted), not_attempted=left, stopped=plugin.stopped(left)
        )

    def _known(self, collection_id: str) -> FakeCollection:
        if collection_id not in self.by_id:
            raise PluginFailure("COLLECTION_NOT_FOUND")
        return self.by_id[collection_id]

    def _fillable(self, collection_id: str) -> FakeCollection:
        collection = self._known(collection_id)
        if collection.record.kind == "set":
            raise PluginFailure("COLLECTION_NOT_FOUND")
        if collection.record.kind == "smart":
            raise PluginFailure("SMART_COLLECTION_READONLY")
        return collection
