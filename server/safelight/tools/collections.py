"""Tools that list, make and delete collections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.collection_paths import chosen, full_path, matching, path_of, shown, whole, with_known_sets
from safelight.tools.collection_source import all_collections, counted, members_of, photos_in
from safelight.tools.collection_writers import DeletesCollection, MakesCollection, Making
from safelight.tools.reach import OnNoPhotos
from safelight.tools.smart_rules import smart_rules
from safelight.tools.write import PREVIEWED, change_photos
from safelight.wire.models import Preview, PreviewPhoto
from safelight.wire.tool_models import (
    Collection,
    CreateCollectionArguments,
    CreateSmartCollectionArguments,
    DeleteCollectionArguments,
    ListCollectionsAnswer,
    ListCollectionsArguments,
)
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.running import RunningCall
    from safelight.wire.bridge_models import CollectionRecord, SmartRule

__all__ = ("CreateCollection", "CreateSmartCollection", "DeleteCollection", "ListCollections")

LISTED: Final = 50
MOST_KEPT: Final = 100_000
"""Photos of a deleted collection that the journal keeps, so that it can be made again."""


class ListCollections(OnNoPhotos):
    """Collections, smart collections and sets, as they stand in Lightroom, a set before what is in it."""

    spec = TOOLS["list_collections"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A page of 50, or ``limit``. Photos are counted for the page alone, since that costs Lightroom time."""
        del call
        given = parse(arguments, ListCollectionsArguments)
        first = 0 if given.offset is UNSET else given.offset
        end = first + (LISTED if given.limit is UNSET else given.limit)
        catalog = await self._catalogs.present()
        if given.query is UNSET:
            records = await counted(catalog, first, end)
        else:
            records = matching(await all_collections(catalog), given.query)
        page = [await _with_photos(catalog, record) for record in records[first:end]]
        answer = ListCollectionsAnswer(count=len(records), collections=page)
        return ToolAnswer(content=msgspec.to_builtins(answer))


class CreateCollection(OnNoPhotos):
    """Makes an empty collection."""

    spec = TOOLS["create_collection"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Create it, and the sets above it that are missing. Raises NAME_EXISTS when there is one at this path."""
        path = path_of(parse(arguments, CreateCollectionArguments).collection)
        return await _make(await self._catalogs.present(), path, None, call)


class CreateSmartCollection(OnNoPhotos):
    """Makes a collection that Lightroom fills by rules."""

    spec = TOOLS["create_smart_collection"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Create it, and the sets above it that are missing. Raises as ``smart_rules``, and NAME_EXISTS."""
        given = parse(arguments, CreateSmartCollectionArguments)
        path, rules = path_of(given.collection), smart_rules(given)
        return await _make(await self._catalogs.present(), path, rules, call)


class DeleteCollection(OnNoPhotos):
    """Deletes a collection, a smart collection or an empty set; photos stay in the catalog."""

    spec = TOOLS["delete_collection"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def count(self, arguments: dict[str, Any]) -> int | None:
        """How many photos it holds. Raises as ``run``."""
        catalog, record = await self._meant(arguments)
        return await photos_in(catalog, record.collection_id)

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call with the whole path, which no other collection has."""
        _, record = await self._meant(arguments)
        return {**arguments, "collection": whole(full_path(record))}

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """The first 20 photos, which would be in this collection no more."""
        catalog, record = await self._meant(arguments)
        members = await members_of(catalog, record.collection_id)
        records = await catalog.source.read(members[:PREVIEWED])
        name = shown(full_path(record))
        photos = [
            PreviewPhoto(
                photo_id=p.photo_id, file_name=p.file_name, before={"collection": name}, after={"collection": None}
            )
            for p in records.values()
        ]
        return Preview(photos=photos, more=len(members) - len(photos))

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """Delete it. Its photos are kept in the journal, so that it can be made again; what cannot be made again has no
        ``change_id``. Raises COLLECTION_NOT_FOUND, COLLECTION_AMBIGUOUS, and NOT_EMPTY for a set that holds any."""
        catalog, record = await self._meant(arguments)
        members = await members_of(catalog, record.collection_id) if record.kind == "collection" else ()
        path = full_path(record)
        why = _why_lasting(record, len(members))
        writer = DeletesCollection(
            catalog,
            path,
            "lasting" if why else "collection",
            {"why": why} if why else msgspec.to_builtins(Making(path=path, photo_ids=members)),
            collection_kind=record.kind,
            holding=frozenset(members),
        )
        report = await change_photos(writer, catalog.catalog_id, [record.collection_id], call)
        if not report.ok:
            raise writer.error or ToolError("LIGHTROOM_ERROR", report.content["failed"][0]["reason"])
        change_id = UNSET if writer.kind == "lasting" else report.content.get("change_id", UNSET)
        return _answer(record, change_id, len(members) if record.kind == "collection" else UNSET)

    async def _meant(self, arguments: dict[str, Any]) -> tuple[OpenCatalog, CollectionRecord]:
        text = parse(arguments, DeleteCollectionArguments).collection
        catalog = await self._catalogs.present()
        records = await all_collections(catalog)
        record = chosen(records, text)
        if record.kind == "set" and any(tuple(r.path[: len(record.path) + 1]) == full_path(record) for r in records):
            raise ToolError(
                "NOT_EMPTY",
                f'"{shown(full_path(record))}" is a collection set that is not empty. Delete what is in it first.',
            )
        return catalog, record


async def _make(
    catalog: OpenCatalog, path: tuple[str, ...], rules: Sequence[SmartRule] | None, call: RunningCall
) -> ToolAnswer:
    records = await all_collections(catalog)
    path, new_sets = with_known_sets(records, path)
    if any(full_path(record) == path for record in records):
        raise _exists(path)
    making = Making(
        path=path, kind="collection" if rules is None else "smart", rules=tuple(rules or ()), new_sets=new_sets
    )
    writer = MakesCollection(catalog, making)
    try:
        report = await change_photos(writer, catalog.catalog_id, [shown(path)], call)
    except BridgeError as error:
        if error.tool_code == "NAME_EXISTS":
            raise _exists(path) from error
        raise
    if writer.made is None:
        raise writer.error or _exists(path)
    return _answer(writer.made, report.content.get("change_id", UNSET))


def _exists(path: tuple[str, ...]) -> ToolError:
    message = f'A collection "{shown(path)}" is there already. Fill it with add_to_collection or choose another name.'
    return ToolError("NAME_EXISTS", message)


def _why_lasting(record: CollectionRecord, photos: int) -> str | None:
    match record.kind:
        case "smart":
            return "Lightroom does not tell the rules of a smart collection, so it cannot be made again."
        case "set":
            return "A collection set is made together with a collection: create one in it."
        case "collection" if photos > MOST_KEPT:
            return f"The collection held more than {MOST_KEPT:,} photos, which are too many to be kept."
        case "collection":
            return None


def _answer(
    record: CollectionRecord, change_id: str | msgspec.UnsetType, photos: int | msgspec.UnsetType = UNSET
) -> ToolAnswer:
    answer = Collection(
        collection_id=record.collection_id,
        name=shown(full_path(record)),
        kind=record.kind,
        photos=photos,
        change_id=change_id,
    )
    return ToolAnswer(content=msgspec.to_builtins(answer))


async def _with_photos(catalog: OpenCatalog, record: CollectionRecord) -> Collection:
    photos = record.photos
    if photos is UNSET and record.kind != "set":
        photos = await photos_in(catalog, record.collection_id)
    return Collection(
        collection_id=record.collection_id, name=shown(full_path(record)), kind=record.kind, photos=photos
    )
