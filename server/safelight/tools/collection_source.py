"""Collections of the open catalog, read through the plug-in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from safelight.tools.collection_paths import full_path
from safelight.wire import bridge_models as bridge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import OpenCatalog

__all__ = ("all_collections", "counted", "known_by", "members_of", "photos_in")

PAGE: Final = 5000


async def all_collections(catalog: OpenCatalog) -> list[bridge.CollectionRecord]:
    """Collections, smart collections and sets, a set before what is in it."""
    return (await catalog.source.command(bridge.FindCollectionsArguments(), bridge.FindCollectionsOutcome)).collections


async def counted(catalog: OpenCatalog, first: int, end: int) -> list[bridge.CollectionRecord]:
    """As ``all_collections``, with the number of photos for those of that part of the list. Sets have none, nor have
    those for which there was no time."""
    arguments = bridge.FindCollectionsArguments(count_from=first, count_to=end)
    return (await catalog.source.command(arguments, bridge.FindCollectionsOutcome)).collections


async def photos_in(catalog: OpenCatalog, collection_id: str) -> int:
    """How many photos a collection, smart collection or set has."""
    return (await _page(catalog, collection_id, 0, 1)).total


async def members_of(catalog: OpenCatalog, collection_id: str) -> tuple[str, ...]:
    """The ids of its photos, each once."""
    found: dict[str, None] = {}
    offset = 0
    while True:
        page = await _page(catalog, collection_id, offset, PAGE)
        found.update(dict.fromkeys(page.photo_ids))
        offset += len(page.photo_ids)
        if not page.photo_ids or offset >= page.total:
            return tuple(found)


def known_by(
    records: Sequence[bridge.CollectionRecord], collection_id: str, path: Sequence[str]
) -> bridge.CollectionRecord | None:
    """The collection with this id, or else the one at exactly this path: one that was deleted and made again has
    another id."""
    by_id = [record for record in records if record.collection_id == collection_id]
    at_path = [record for record in records if full_path(record) == tuple(path)]
    return next(iter(by_id or at_path), None)


async def _page(catalog: OpenCatalog, collection_id: str, offset: int, limit: int) -> bridge.ListPhotoIdsOutcome:
    arguments = bridge.ListPhotoIdsArguments(
        source="collection", collection_id=collection_id, offset=offset, limit=limit
    )
    return await catalog.source.command(arguments, bridge.ListPhotoIdsOutcome)
