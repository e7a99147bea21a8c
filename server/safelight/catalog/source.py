"""What the catalog needs of Lightroom: commands to the plug-in, tied to one catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import UNSET

from safelight.wire.bridge_models import (
    ListPhotoIdsArguments,
    ListPhotoIdsOutcome,
    PhotoRecord,
    ReadPhotosArguments,
    ReadPhotosOutcome,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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
    """Photo ids in Lightroom's order, without doubles. ``whole`` is false when they changed while they were listed.
    ``edited`` has the time of the last edit by id, 0 where Lightroom does not say; empty where it was not asked for."""

    def __init__(self, edited: Mapping[str, float], *, whole: bool, with_edited: bool) -> None:
        self.photo_ids = tuple(edited)
        self.edited: Mapping[str, float] = edited if with_edited else {}
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

    async def photo_ids(self, source: Literal["all", "selection", "view", "adjusted"]) -> Listing:
        """All ids, page by page."""
        return await self._list(source)

    async def photo_ids_with_times(self) -> Listing:
        """All ids of the catalog, with the times of their last edit."""
        return await self._list("all", with_edited=True)

    async def read(self, photo_ids: Sequence[str]) -> dict[str, PhotoRecord]:
        """The records by id; ids that the catalog does not know are left out."""
        records: dict[str, PhotoRecord] = {}
        for start in range(0, len(photo_ids), READ_CHUNK):
            chunk = list(photo_ids[start : start + READ_CHUNK])
            answer = await self.command(ReadPhotosArguments(photo_ids=chunk), ReadPhotosOutcome)
            records.update((photo.photo_id, photo) for photo in answer.photos)
        return records

    async def _list(
        self,
        source: Literal["all", "selection", "view", "adjusted"],
        *,
        with_edited: bool = False,
    ) -> Listing:
        found: dict[str, float] = {}
        totals: set[int] = set()
        offset = 0
        while True:
            page = await self.command(
                ListPhotoIdsArguments(
                    source=source,
                    with_edited=True if with_edited else UNSET,
                    offset=offset,
                    limit=IDS_PAGE,
                ),
                ListPhotoIdsOutcome,
            )
            totals.add(page.total)
            times = [] if page.edited is UNSET else page.edited
            told = len(times) == len(page.photo_ids)
            found.update(zip(page.photo_ids, times if told else [0.0] * len(page.photo_ids), strict=True))
            offset += len(page.photo_ids)
            if not page.photo_ids or offset >= page.total:
                return Listing(found, whole=totals == {len(found)}, with_edited=with_edited)
