"""What the catalog needs of Lightroom: commands to the plug-in, tied to one catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from safelight.wire.bridge_models import (
    ListPhotoIdsArguments,
    ListPhotoIdsOutcome,
    PhotoRecord,
    ReadPhotosArguments,
    ReadPhotosOutcome,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from safelight.wire.base import Wire

__all__ = ("IDS_PAGE", "READ_CHUNK", "CatalogSource", "Commander", "Listing")

IDS_PAGE = 5000
READ_CHUNK = 500

Outcome = TypeVar("Outcome")


class Commander(Protocol):
    """Sends a command to the plug-in; the bridge is one. Failures are ``BridgeError``."""

    async def command(self, arguments: Wire, outcome: type[Outcome], *, catalog_id: str | None = None) -> Outcome: ...


class Listing:
    """Photo ids in Lightroom's order, without doubles. ``whole`` is false when they changed while they were listed."""

    def __init__(self, photo_ids: tuple[str, ...], *, whole: bool) -> None:
        self.photo_ids = photo_ids
        self.whole = whole


class CatalogSource:
    """The photos of one catalog, read through the plug-in. ``CATALOG_CHANGED`` once another catalog is open."""

    def __init__(self, commander: Commander, catalog_id: str) -> None:
        self._commander = commander
        self.catalog_id = catalog_id

    async def command(self, arguments: Wire, outcome: type[Outcome]) -> Outcome:
        """Send a command that is meant for this catalog."""
        return await self._commander.command(arguments, outcome, catalog_id=self.catalog_id)

    async def count(self, source: Literal["all", "selection", "view"]) -> int:
        """How many photos there are."""
        page = await self.command(ListPhotoIdsArguments(source=source, offset=0, limit=1), ListPhotoIdsOutcome)
        return page.total

    async def photo_ids(self, source: Literal["all", "selection", "view"]) -> Listing:
        """All ids, page by page."""
        found: dict[str, None] = {}
        totals: set[int] = set()
        offset = 0
        while True:
            page = await self.command(
                ListPhotoIdsArguments(source=source, offset=offset, limit=IDS_PAGE), ListPhotoIdsOutcome
            )
            totals.add(page.total)
            found.update(dict.fromkeys(page.photo_ids))
            offset += len(page.photo_ids)
            if not page.photo_ids or offset >= page.total:
                return Listing(tuple(found), whole=totals == {len(found)})

    async def read(self, photo_ids: Sequence[str]) -> dict[str, PhotoRecord]:
        """The records by id; ids that the catalog does not know are left out."""
        records: dict[str, PhotoRecord] = {}
        for start in range(0, len(photo_ids), READ_CHUNK):
            chunk = list(photo_ids[start : start + READ_CHUNK])
            answer = await self.command(ReadPhotosArguments(photo_ids=chunk), ReadPhotosOutcome)
            records.update((photo.photo_id, photo) for photo in answer.photos)
        return records
