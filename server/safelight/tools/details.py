"""The tool that looks at photos closely."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.conversation.parts import Image
from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.photo_texts import detailed, missing_photos
from safelight.tools.reach import OnPhotos
from safelight.tools.targets import resolve_target, target_of
from safelight.wire.tool_models import GetPhotosArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.catalog.thumbnails import Thumbnails
    from safelight.gate.running import RunningCall

__all__ = ("GetPhotos",)

PAGE: Final = 20
MOST_PICTURES: Final = 8
FEW: Final = 2
LARGE, SMALL = 640, 320
"""Pixels of the longer side, for few pictures and for more."""
MOST_BYTES: Final = 560_000
"""Of all pictures together; a third more as base64, which stays under what MCP hosts take (750 kB)."""


class GetPhotos(OnPhotos):
    """Reads photos from Lightroom itself."""

    spec = TOOLS["get_photos"]

    def __init__(self, catalogs: Catalogs, thumbnails: Thumbnails) -> None:
        super().__init__(catalogs)
        self._thumbnails = thumbnails

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A page of the target's photos with their details. Unknown ids are named; PHOTO_NOT_FOUND when all are."""
        del call
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
        await catalog.take_over(tuple(records.values()))
        fields = () if wanted.fields is UNSET else wanted.fields
        found = [photo_id for photo_id in page if photo_id in records]
        images, left_out = await self._pictures(found) if wanted.thumbnails is True else ((), [])
        lost = [photo_id for photo_id in page if photo_id not in records]
        content: dict[str, Any] = {
            "set_id": resolved.set_id or await catalog.sets.save(photo_ids),
            "count": len(photo_ids),
            "photos": [detailed(records[photo_id], fields) for photo_id in found],
        }
        if warnings := [*resolved.warnings, *missing_photos([*unknown, *lost]), *left_out]:
            content["warnings"] = warnings
        return ToolAnswer(content=content, images=images)

    async def _pictures(self, photo_ids: Sequence[str]) -> tuple[tuple[Image, ...], list[str]]:
        """Pictures of the first photos, in their order, and sentences about those that have none."""
        images: list[Image] = []
        warnings: list[str] = []
        size, left = (LARGE if len(photo_ids) <= FEW else SMALL), MOST_BYTES
        for photo_id in photo_ids[:MOST_PICTURES]:
            try:
                data = await self._thumbnails.jpeg(photo_id, size)
            except BridgeError as error:
                warnings.append(f"No picture of {photo_id}: {error.message}")
                continue
            if len(data) > left:
                warnings.append(f"No picture of {photo_id}: the pictures would be too large together. Ask for fewer.")
                continue
            left -= len(data)
            images.append(Image(mime_type="image/jpeg", data=data, photo_id=photo_id))
        if len(photo_ids) > MOST_PICTURES:
            warnings.append(f"Pictures of the first {MOST_PICTURES} photos only; use limit and offset for others.")
        return tuple(images), warnings


async def _known(catalog: OpenCatalog, photo_ids: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Listed ids parted into those that the catalog has and those that it has not."""
    records = await catalog.source.read(photo_ids)
    unknown = tuple(photo_id for photo_id in photo_ids if photo_id not in records)
    if len(unknown) == len(photo_ids):
        raise ToolError("PHOTO_NOT_FOUND", missing_photos(unknown)[0])
    return tuple(photo_id for photo_id in photo_ids if photo_id in records), unknown
