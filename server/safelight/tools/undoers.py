"""How each kind of change is taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from safelight.catalog.catalogs import OpenCatalog
from safelight.errors import ToolError
from safelight.gate.journal import ChangeKind, JournalItem
from safelight.tools.collection_paths import shown
from safelight.tools.collection_source import all_collections, known_by
from safelight.tools.collection_writers import DeletesCollection, MakesCollection, Making
from safelight.tools.develop import DevelopWriter, Wanted
from safelight.tools.develop_table import alike
from safelight.tools.keyword_paths import folded
from safelight.tools.keywords import KeywordWriter
from safelight.tools.membership import MEMBER, MembershipWriter
from safelight.tools.values import ValueWriter, same_values
from safelight.tools.write import ChunkWriter

__all__ = ("UNDOERS", "Undoer", "UndoWriter")

UndoWriter: TypeAlias = Callable[[OpenCatalog, Sequence[JournalItem], dict[str, Any], str], Awaitable[ChunkWriter]]
"""From the catalog, the items that are to be taken back, the change's subject, and the name for Lightroom's Undo menu:
what plans and writes the ``before`` of each item. Its subject must do for taking back the undo itself."""


class Undoer(msgspec.Struct, frozen=True, kw_only=True):
    """``same`` tells whether the values that a photo has now (first) are those that the change left it with (second);
    what is not the same was changed since and stays."""

    writer: UndoWriter
    same: Callable[[Mapping[str, Any], Mapping[str, Any]], bool]


async def _values(
    catalog: OpenCatalog, items: Sequence[JournalItem], subject: dict[str, Any], undo_name: str
) -> ChunkWriter:
    del subject
    before = {item.item_id: item.before for item in items}
    return ValueWriter(catalog, before.__getitem__, undo_name)


async def _keywords(
    catalog: OpenCatalog, items: Sequence[JournalItem], subject: dict[str, Any], undo_name: str
) -> ChunkWriter:
    del subject
    before = {item.item_id: tuple(item.before["keywords"]) for item in items}
    return KeywordWriter(catalog, lambda photo_id, has: before[photo_id], undo_name)


def _same_keywords(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return {folded(path) for path in one["keywords"]} == {folded(path) for path in other["keywords"]}


async def _develop(
    catalog: OpenCatalog, items: Sequence[JournalItem], subject: dict[str, Any], undo_name: str
) -> ChunkWriter:
    del subject
    before = {item.item_id: Wanted(item.before) for item in items}
    return DevelopWriter(catalog, lambda record, present: before[record.photo_id], undo_name)


def _same_settings(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """``one`` has only the settings that are not as they were before the change."""
    return all(name in other and alike(value, other[name]) for name, value in one.items())


async def _membership(
    catalog: OpenCatalog, items: Sequence[JournalItem], subject: dict[str, Any], undo_name: str
) -> ChunkWriter:
    del undo_name  # the plug-in names it after the collection
    path = tuple(subject["path"])
    collection = known_by(await all_collections(catalog), subject["collection_id"], path)
    if collection is None:
        raise ToolError("COLLECTION_NOT_FOUND", f'The collection "{shown(path)}" is no longer there.')
    before: dict[str, bool] = {item.item_id: item.before[MEMBER] for item in items}
    return MembershipWriter(catalog, collection, before.__getitem__)


async def _collection(
    catalog: OpenCatalog, items: Sequence[JournalItem], subject: dict[str, Any], undo_name: str
) -> ChunkWriter:
    del undo_name  # the plug-in names it after the collection
    making = msgspec.convert(subject, Making)
    (item,) = items
    if item.before["collection"] is not None:
        return MakesCollection(catalog, making)
    return DeletesCollection(
        catalog,
        making.path,
        "collection",
        subject,
        collection_kind=making.kind,
        holding=frozenset(making.photo_ids),
        new_sets=making.new_sets,
    )


def _same_collection(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return bool(one["collection"] == other["collection"])


UNDOERS: Final[dict[ChangeKind, Undoer]] = {
    "values": Undoer(writer=_values, same=same_values),
    "keywords": Undoer(writer=_keywords, same=_same_keywords),
    "develop": Undoer(writer=_develop, same=_same_settings),
    "membership": Undoer(writer=_membership, same=lambda one, other: dict(one) == dict(other)),
    "collection": Undoer(writer=_collection, same=_same_collection),
}
