"""A search of the open catalog, for the tool and for the route alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from safelight.tools.arguments import parse
from safelight.tools.collection_paths import chosen
from safelight.tools.collection_source import all_collections, members_of
from safelight.tools.likeness import find_by_meaning
from safelight.tools.photo_texts import compact
from safelight.tools.targets import resolve_target, target_of
from safelight.wire.tool_models import GetPhotosArguments, SearchPhotosArguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.catalog.index import Found
    from safelight.catalog.meaning import Meaning

__all__ = ("PhotoSearch", "page_content")


class PhotoSearch:
    """Searches the index, brought up to date first."""

    def __init__(self, catalogs: Catalogs, meaning: Meaning) -> None:
        self._catalogs = catalogs
        self._meaning = meaning

    async def page(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """What ``search_photos`` answers: a set of all that was found, its first page, and sentences about what could
        not be used. ``arguments`` have passed the tool's schema. Raises ``ToolError``: COLLECTION_NOT_FOUND,
        COLLECTION_AMBIGUOUS, what a target may raise, and what ``PhotoIndex.find`` does."""
        search = parse(arguments, SearchPhotosArguments)
        catalog = await self._catalogs.present()
        stale = await catalog.sync.freshen()
        members, gone = await self._members(catalog, search)
        found, unused = await find_by_meaning(self._meaning, catalog, search, members)
        return page_content(found, [*unused, *gone, *found.warnings, *([stale] if stale else [])])

    async def _members(
        self, catalog: OpenCatalog, search: SearchPhotosArguments
    ) -> tuple[Sequence[str] | None, tuple[str, ...]]:
        """The only photos that may be found, None for all; and sentences about those that have gone."""
        members: Sequence[str] | None = None
        warnings: tuple[str, ...] = ()
        if search.within is not UNSET:
            target = target_of(GetPhotosArguments(set=search.within))
            within = await resolve_target(self._catalogs, catalog, target)
            members, warnings = within.photo_ids, within.warnings
        if search.collection is not UNSET:
            collection = chosen(await all_collections(catalog), search.collection)
            inside = await members_of(catalog, collection.collection_id)
            members = inside if members is None else tuple(set(members).intersection(inside))
        return members, warnings


def page_content(found: Found, warnings: list[str]) -> dict[str, Any]:
    """What was found as the contract's PhotoPage."""
    photos = [compact(photo) | _told_of(found, photo.photo_id) for photo in found.photos]
    content: dict[str, Any] = {"set_id": found.set_id, "count": found.count, "photos": photos}
    if found.facets is not None:
        content["facets"] = msgspec.to_builtins(list(found.facets))
    if warnings:
        content["warnings"] = warnings
    return content


def _told_of(found: Found, photo_id: str) -> dict[str, Any]:
    """What a search knows of a photo beside its record."""
    told: dict[str, Any] = {"adjusted": True} if photo_id in found.adjusted else {}
    if photo_id in found.scores:
        told["score"] = round(found.scores[photo_id], 3)
    return told
