"""Tools that give photos a value: rating, title, caption."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET

from safelight.errors import ToolError
from safelight.tools.arguments import parse
from safelight.tools.reach import OnPhotos
from safelight.tools.targets import TargetArguments, resolve_target, target_of
from safelight.tools.write import ChunkOutcome, PreparedChunk, change_photos, failures_of
from safelight.wire.bridge_models import PhotoChange, WritePhotosArguments, WritePhotosOutcome
from safelight.wire.models import Preview, PreviewPhoto
from safelight.wire.tool_models import Failure, SetMetadataArguments, SetRatingArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.tool import ToolAnswer
    from safelight.wire.bridge_models import PhotoRecord

__all__ = ("SetMetadata", "SetRating", "ValueWriter")

PREVIEWED: Final = 20
LOOK_AGAIN_S: Final = 5.0
UNSET_VALUES: Final[dict[str, Any]] = {"rating": 0, "title": "", "caption": ""}


class ValueWriter:
    """Gives photos of a catalog the same values. ``wanted`` holds ``rating``, ``title`` or ``caption``."""

    def __init__(self, catalog: OpenCatalog, wanted: Mapping[str, Any], undo_name: str) -> None:
        self._catalog = catalog
        self._wanted = wanted
        self._undo_name = undo_name

    async def prepare(self, photo_ids: Sequence[str]) -> PreparedChunk:
        """Photos that have the values are done without a write, so that Lightroom does not mark them as edited."""
        records = await self._catalog.source.read(photo_ids)
        return PreparedChunk(
            done=tuple(i for i in photo_ids if i in records and self._has(records[i])),
            failed=tuple(
                Failure(photo_id=i, reason="There is no photo with this id in the open catalog.")
                for i in photo_ids
                if i not in records
            ),
            todo=tuple(i for i in photo_ids if i in records and not self._has(records[i])),
        )

    async def write(self, photo_ids: Sequence[str]) -> ChunkOutcome:
        """Write, compare what was read back, and tell the index."""
        changes = [PhotoChange(photo_id=i, **self._wanted) for i in photo_ids]
        outcome = await self._catalog.source.command(
            WritePhotosArguments(undo_name=self._undo_name, changes=changes), WritePhotosOutcome
        )
        await self._catalog.index.update(outcome.applied)
        return ChunkOutcome(
            applied=tuple(photo.photo_id for photo in outcome.applied if self._has(photo)),
            failed=(
                *(Failure(photo_id=p.photo_id, reason=self._kept(p)) for p in outcome.applied if not self._has(p)),
                *failures_of(outcome.failed),
            ),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
        )

    async def applied_after_all(self, photo_ids: Sequence[str]) -> frozenset[str]:
        """Read the photos, but not for long: the person waits already."""
        try:
            async with asyncio.timeout(LOOK_AGAIN_S):
                records = await self._catalog.source.read(photo_ids)
        except TimeoutError:
            return frozenset()
        await self._catalog.index.update(tuple(records.values()))
        return frozenset(i for i, record in records.items() if self._has(record))

    async def preview(self, photo_ids: Sequence[str]) -> Preview:
        """Before and after of the first 20; photos that the catalog does not know are left out."""
        records = await self._catalog.source.read(photo_ids[:PREVIEWED])
        photos = [
            PreviewPhoto(
                photo_id=i, file_name=records[i].file_name, before=self._before(records[i]), after=dict(self._wanted)
            )
            for i in photo_ids[:PREVIEWED]
            if i in records
        ]
        return Preview(photos=photos, more=max(0, len(photo_ids) - PREVIEWED))

    def _before(self, record: PhotoRecord) -> dict[str, Any]:
        return {name: _value(record, name) for name in self._wanted}

    def _has(self, record: PhotoRecord) -> bool:
        return self._before(record) == self._wanted

    def _kept(self, record: PhotoRecord) -> str:
        kept = ", ".join(f"{name} {value!r}" for name, value in self._before(record).items())
        return f"Lightroom did not take the value; the photo has {kept}."


class _ValueTool(OnPhotos):
    """What the tools of this file share."""

    async def _preview(self, arguments: TargetArguments, wanted: Mapping[str, Any]) -> Preview:
        target = target_of(arguments)
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        return await ValueWriter(catalog, wanted, "Safelight").preview(resolved.photo_ids)

    async def _run(self, arguments: TargetArguments, wanted: Mapping[str, Any], undo_name: str) -> ToolAnswer:
        target = target_of(arguments)
        catalog = await self._catalogs.present()
        resolved = await resolve_target(self._catalogs, catalog, target)
        if not resolved.photo_ids:
            raise ToolError("NO_PHOTOS", "There are no photos to change: the set is empty.")
        return await change_photos(ValueWriter(catalog, wanted, undo_name), resolved.photo_ids, resolved.warnings)


class SetRating(_ValueTool):
    """Stars; 0 takes them away."""

    spec = TOOLS["set_rating"]

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """The stars before and after."""
        parsed = parse(arguments, SetRatingArguments)
        return await self._preview(parsed, {"rating": parsed.rating})

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """Rate the photos."""
        parsed = parse(arguments, SetRatingArguments)
        undo_name = f"Safelight: {parsed.rating} stars" if parsed.rating else "Safelight: no stars"
        return await self._run(parsed, {"rating": parsed.rating}, undo_name)


class SetMetadata(_ValueTool):
    """Title and caption; an empty text takes them away."""

    spec = TOOLS["set_metadata"]

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """The texts before and after."""
        parsed = parse(arguments, SetMetadataArguments)
        return await self._preview(parsed, _texts(parsed))

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """Set the texts. Raises ``ToolError`` NOTHING_TO_CHANGE without either."""
        parsed = parse(arguments, SetMetadataArguments)
        wanted = _texts(parsed)
        return await self._run(parsed, wanted, f"Safelight: {' and '.join(wanted)}")


def _texts(arguments: SetMetadataArguments) -> dict[str, str]:
    texts = {"title": arguments.title, "caption": arguments.caption}
    wanted = {name: text for name, text in texts.items() if text is not UNSET}
    if not wanted:
        raise ToolError("NOTHING_TO_CHANGE", "Give a title or a caption, or both; an empty text takes it away.")
    return wanted


def _value(record: PhotoRecord, name: str) -> Any:
    value = getattr(record, name)
    return UNSET_VALUES[name] if value is UNSET else value
