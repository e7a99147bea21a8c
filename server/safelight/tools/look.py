"""Tools that only look: status, search, details."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import compact, detailed, missing_photos
from safelight.tools.reach import OnNoPhotos, OnPhotos
from safelight.tools.targets import resolve_target, target_of
from safelight.wire.bridge_models import GetStateArguments, GetStateOutcome
from safelight.wire.tool_models import GetPhotosArguments, GetStatusAnswer, SearchPhotosArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs, OpenCatalog

__all__ = ("GetPhotos", "GetStatus", "SearchPhotos")

PAGE: Final = 20


class GetStatus(OnNoPhotos):
    """Answers while Lightroom is away as well."""

    spec = TOOLS["get_status"]

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """What Lightroom says of itself; ``connected`` false, with the last known catalog, when it is away."""
        try:
            state = await self._bridge.command(GetStateArguments(), GetStateOutcome)
        except BridgeError as error:
            if error.tool_code != "PLUGIN_OFFLINE":
                raise
            catalog = self._bridge.catalog
            name = UNSET if catalog is None else catalog.name
            return ToolAnswer(
                content=msgspec.to_builtins(GetStatusAnswer(connected=False, read_only=False, catalog=name))
            )
        answer = GetStatusAnswer(
            connected=True,
            catalog=state.catalog_name,
            photo_count=state.photo_count,
            selected_count=state.selected_count,
            view=state.view,
            read_only=state.read_only,
            agents_on=state.agents_on,
            lightroom_version=state.lightroom_version,
            plugin_version=state.plugin_version,
        )
        return ToolAnswer(content=msgspec.to_builtins(answer))


class SearchPhotos(OnNoPhotos):
    """Searches the index, brought up to date first."""

    spec = TOOLS["search_photos"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """A set of all that was found and its first page. Says so when the index could not be brought up to date."""
        search = parse(arguments, SearchPhotosArguments)
        catalog = await self._catalogs.present()
        stale = await catalog.sync.freshen()
        found = await catalog.index.find(search)
        warnings = [*found.warnings, *([stale] if stale else [])]
        return _page(found.set_id, found.count, [compact(photo) for photo in found.photos], warnings)


class GetPhotos(OnPhotos):
    """Reads photos from Lightroom itself."""

    spec = TOOLS["get_photos"]

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """A page of the target's photos with their details. Unknown ids are named; PHOTO_NOT_FOUND when all are."""
        wanted = parse(arguments, GetPhotosArguments)
        target = target_of(wanted)
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        photo_ids, unknown = resolved.photo_ids, ()
        if wanted.photo_ids is not UNSET:
            photo_ids, unknown = await _known(catalog, photo_ids)
        offset = 0 if wanted.offset is UNSET else wanted.offset
        page = photo_ids[offset : offset + (PAGE if wanted.limit is UNSET else wanted.limit)]
        records = await catalog.source.read(page)
        # What was just read is newer than the index, and costs nothing to keep.
        await catalog.index.update(tuple(records.values()))
        lost = [photo_id for photo_id in page if photo_id not in records]
        warnings = [*resolved.warnings, *missing_photos([*unknown, *lost])]
        set_id = resolved.set_id or await catalog.sets.save(photo_ids)
        photos = [detailed(records[photo_id]) for photo_id in page if photo_id in records]
        return _page(set_id, len(photo_ids), photos, warnings)


async def _known(catalog: OpenCatalog, photo_ids: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Listed ids parted into those that the catalog has and those that it has not."""
    records = await catalog.source.read(photo_ids)
    unknown = tuple(photo_id for photo_id in photo_ids if photo_id not in records)
    if len(unknown) == len(photo_ids):
        raise ToolError("PHOTO_NOT_FOUND", missing_photos(unknown)[0])
    return tuple(photo_id for photo_id in photo_ids if photo_id in records), unknown


def _page(set_id: str, count: int, photos: list[dict[str, Any]], warnings: list[str]) -> ToolAnswer:
    content: dict[str, Any] = {"set_id": set_id, "count": count, "photos": photos}
    if warnings:
        content["warnings"] = warnings
    return ToolAnswer(content=content)
