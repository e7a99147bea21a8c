"""Reads a catalog of 100,000 photos, which are made as they are asked for, into an index in the folder that is given.
Prints how many MiB more than before that ever took. A program of its own, since a process keeps its peak."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any, Final

from msgspec import UNSET

from safelight.catalog.database import Database
from safelight.catalog.index import PhotoIndex
from safelight.catalog.schema import MIGRATIONS
from safelight.catalog.source import CatalogSource
from safelight.catalog.sync import CatalogSync
from safelight.wire.bridge_models import ListPhotoIdsArguments, ListPhotoIdsOutcome, ReadPhotosArguments
from tests.bench.machine import peak_mb
from tests.bridge.fake_plugin import photo

__all__ = ("PHOTOS",)

PHOTOS: Final = 100_000


class MadeOnDemand:
    """Answers as a plug-in does, and keeps no photo."""

    async def command(self, arguments: Any, outcome: type[Any], *, catalog_id: str | None = None) -> Any:
        del catalog_id
        if isinstance(arguments, ReadPhotosArguments):
            records = [self._photo(int(photo_id.rpartition("-")[2])) for photo_id in arguments.photo_ids]
            return outcome(photos=records, missing=[])
        assert isinstance(arguments, ListPhotoIdsArguments)
        total = PHOTOS if arguments.source == "all" else 0
        numbers = range(arguments.offset, min(arguments.offset + arguments.limit, total))
        edited = [float(number) for number in numbers] if arguments.with_edited else UNSET
        return ListPhotoIdsOutcome(photo_ids=[f"photo-{number:04}" for number in numbers], total=total, edited=edited)

    def _photo(self, number: int) -> Any:
        words = [f"word{number % 997}", f"word{number % 131}"]
        return photo(number, title=f"Title of {number}", keywords=words, camera="NIKON Z 6", path=f"/p/{number}.jpg")


async def grown_by(folder: Path) -> float:
    """MiB."""
    database = Database(folder / "index.db", MIGRATIONS)
    try:
        index = PhotoIndex(database)
        before = peak_mb()
        await CatalogSync(CatalogSource(MadeOnDemand(), "catalog"), index).run()
        assert await index.count() == PHOTOS
        return peak_mb() - before
    finally:
        await database.close()


if __name__ == "__main__":
    print(asyncio.run(grown_by(Path(sys.argv[1]))))
