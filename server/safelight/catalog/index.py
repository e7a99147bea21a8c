"""The index of one catalog: its photos with their texts, searchable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from safelight.catalog import rows
from safelight.catalog.query import query_of
from safelight.catalog.result_sets import store_numbers
from safelight.wire.bridge_models import PhotoRecord

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from safelight.catalog.database import Database
    from safelight.catalog.query import Query
    from safelight.wire.tool_models import SearchPhotosArguments

__all__ = ("PAGE", "Found", "PhotoIndex")

PAGE = 10


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found: all of it as a set, a page of records, and sentences about what could not be used."""

    set_id: str
    count: int
    photos: tuple[PhotoRecord, ...]
    warnings: tuple[str, ...] = ()


class PhotoIndex:
    """Searches and keeps the rows of one catalog."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, arguments: SearchPhotosArguments) -> Found:
        """Search, keep the result as a set and give the page that ``limit`` (10) and ``offset`` (0) ask for.

        All words of ``text`` must occur somewhere in the photo's texts. A photo without a rating has 0. Days are in
        the local time of the capture and both ends count. Newest first unless ``sort`` says otherwise. Raises
        ``ToolError`` BAD_DATE.
        """
        query = query_of(arguments)
        offset = 0 if arguments.offset is UNSET else arguments.offset
        limit = PAGE if arguments.limit is UNSET else arguments.limit
        return await self._database.run(lambda connection: _find(connection, query, offset, limit))

    async def search(self, arguments: SearchPhotosArguments) -> tuple[tuple[str, ...], int]:
        """The ids of the page and the number of all photos found, without keeping a set."""
        query = query_of(arguments)
        offset = 0 if arguments.offset is UNSET else arguments.offset
        limit = PAGE if arguments.limit is UNSET else arguments.limit

        def work(connection: sqlite3.Connection) -> tuple[tuple[str, ...], int]:
            numbers = _numbers(connection, query)
            return rows.photo_ids_of(connection, numbers[offset : offset + limit]), len(numbers)

        return await self._database.run(work)

    async def update(self, records: Sequence[PhotoRecord]) -> int:
        """Take over records as the catalog now has them; says how many differed."""
        return await self._database.run(lambda connection: rows.store(connection, records))

    async def remove(self, photo_ids: Iterable[str]) -> None:
        """Take out photos that are no longer in the catalog; sets will say that they have gone."""
        gone = tuple(photo_ids)
        if gone:
            await self._database.run(lambda connection: rows.remove(connection, gone))

    async def photo_ids(self) -> set[str]:
        """The ids of all photos in the index."""
        return await self._database.run(rows.present_ids)

    async def count(self) -> int:
        """How many photos the index has."""
        return await self._database.run(
            lambda connection: int(connection.execute("SELECT count(*) FROM photos").fetchone()[0])
        )


def _numbers(connection: sqlite3.Connection, query: Query) -> list[int]:
    return [number for (number,) in connection.execute(query.sql, query.parameters)]


def _find(connection: sqlite3.Connection, query: Query, offset: int, limit: int) -> Found:
    numbers = _numbers(connection, query)
    return Found(
        set_id=store_numbers(connection, numbers),
        count=len(numbers),
        photos=rows.records_of(connection, numbers[offset : offset + limit]),
        warnings=query.warnings,
    )
