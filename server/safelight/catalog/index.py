"""The index of one catalog: its photos with their texts, searchable."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from datetime import datetime
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import UNSET

from safelight.catalog import rows
from safelight.catalog.conditions import keyword_segments
from safelight.catalog.days import minutes_around
from safelight.catalog.facets import Overview, facets_of, overview_of
from safelight.catalog.fold import fold
from safelight.catalog.query import query_of
from safelight.catalog.result_sets import store_numbers
from safelight.errors import ToolError
from safelight.wire.bridge_models import PhotoRecord
from safelight.wire.tool_models import Facet, Keyword

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
    from datetime import date

    from safelight.catalog.database import Database
    from safelight.catalog.query import Query
    from safelight.wire.tool_models import SearchPhotosArguments

__all__ = ("PAGE", "Found", "PhotoIndex", "local_today")

PAGE: Final = 10
PATIENCE_S: Final = 10.0
"""A search that takes longer is given up."""

SIMILAR: Final = 5
AROUND: Final = (
    "SELECT n FROM photos JOIN ids USING (n) WHERE captured BETWEEN ? AND ? AND photo_id <> ? AND camera = ? "
    "ORDER BY abs(julianday(captured) - julianday(?)), captured, n"
)
STEPS: Final = 10_000
"""SQLite's steps between two looks at the clock."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found: all of it as a set, a page of records, and sentences about what could not be used.

    ``adjusted`` are the ids of those photos of the page that have develop settings of their own; ``facets`` are of all
    that was found, where they were asked for; ``scores`` are by the ids of the page, where photos were compared.
    """

    set_id: str
    count: int
    photos: tuple[PhotoRecord, ...]
    adjusted: frozenset[str] = frozenset()
    facets: tuple[Facet, ...] | None = None
    scores: dict[str, float] = {}
    warnings: tuple[str, ...] = ()


def local_today() -> date:
    """The day at this computer."""
    return datetime.now().astimezone().date()


class PhotoIndex:
    """Searches and keeps the rows of one catalog."""

    def __init__(
        self, database: Database, *, today: Callable[[], date] = local_today, patience_s: float = PATIENCE_S
    ) -> None:
        self._database = database
        self._today = today
        self._patience_s = patience_s
        self._version = 0
        self._overview: tuple[int, Overview] | None = None

    async def find(
        self,
        arguments: SearchPhotosArguments,
        *,
        members: Sequence[str] | None = None,
        ranked: Callable[[sqlite3.Connection, Sequence[int]], list[int]] | None = None,
    ) -> Found:
        """Search, keep the result as a set and give the page that ``limit`` (10) and ``offset`` (0) ask for.

        ``members`` are the only photos that may be found, None for all of the catalog. Newest first unless ``sort``
        says otherwise; ``ranked`` may choose and order what was found, by the photos' numbers. See ``query_of`` for
        what the arguments mean and raise; SEARCH_TOO_SLOW after ten seconds.
        """
        query = query_of(arguments, today=self._today(), members=members)
        offset = 0 if arguments.offset is UNSET else arguments.offset
        limit = PAGE if arguments.limit is UNSET else arguments.limit

        def work(connection: sqlite3.Connection) -> Found:
            numbers = self._numbers(connection, query)
            if ranked is not None:
                numbers = ranked(connection, numbers)
            page = numbers[offset : offset + limit]
            return Found(
                set_id=store_numbers(connection, numbers),
                count=len(numbers),
                photos=rows.records_of(connection, page),
                adjusted=rows.adjusted_of(connection, page),
                facets=facets_of(connection, numbers) if arguments.facets is True else None,
                warnings=(*query.warnings, *_unknown_values(connection, arguments)),
            )

        return await self._database.run(work)

    async def search(self, arguments: SearchPhotosArguments) -> tuple[tuple[str, ...], int]:
        """The ids of the page and the number of all photos found, without keeping a set."""
        query = query_of(arguments, today=self._today())
        offset = 0 if arguments.offset is UNSET else arguments.offset
        limit = PAGE if arguments.limit is UNSET else arguments.limit

        def work(connection: sqlite3.Connection) -> tuple[tuple[str, ...], int]:
            numbers = self._numbers(connection, query)
            return rows.photo_ids_of(connection, numbers[offset : offset + limit]), len(numbers)

        return await self._database.run(work)

    async def taken_around(self, photo_id: str, limit: int) -> Found | None:
        """The photos that the same camera took within ten minutes of this one, the nearest in time first, as a set;
        None for an unknown photo. One without a time of capture has none around it."""
        find = "SELECT captured, camera FROM photos JOIN ids USING (n) WHERE photo_id = ?"

        def work(connection: sqlite3.Connection) -> Found | None:
            row = connection.execute(find, (photo_id,)).fetchone()
            if row is None:
                return None
            captured, camera = row
            span = minutes_around(captured)
            given = () if span is None else (*span, photo_id, camera, captured)
            numbers = [n for (n,) in connection.execute(AROUND, given)] if span else []
            return Found(
                set_id=store_numbers(connection, numbers),
                count=len(numbers),
                photos=rows.records_of(connection, numbers[:limit]),
                adjusted=rows.adjusted_of(connection, numbers[:limit]),
                warnings=() if span else ("This photo has no time of capture to compare with.",),
            )

        return await self._database.run(work)

    async def alike(
        self,
        photo_id: str,
        scored: Callable[[sqlite3.Connection, int], list[tuple[int, float]] | None],
        limit: int,
    ) -> Found | None:
        """The photos that ``scored`` finds for this one's number, as a set; None for an unknown photo, or when it finds
        nothing to compare."""
        find = "SELECT n FROM photos JOIN ids USING (n) WHERE photo_id = ?"

        def work(connection: sqlite3.Connection) -> Found | None:
            row = connection.execute(find, (photo_id,)).fetchone()
            near = None if row is None else scored(connection, row[0])
            if near is None:
                return None
            numbers = [number for number, _ in near]
            page = numbers[:limit]
            scores = dict(zip(rows.photo_ids_of(connection, page), (score for _, score in near), strict=False))
            return Found(
                set_id=store_numbers(connection, numbers),
                count=len(numbers),
                photos=rows.records_of(connection, page),
                adjusted=rows.adjusted_of(connection, page),
                scores=scores,
            )

        return await self._database.run(work)

    async def overview(self) -> Overview:
        """Counts of the whole catalog; kept until a photo changes."""

        def work(connection: sqlite3.Connection) -> Overview:
            version = self._version
            if self._overview is None or self._overview[0] != version:
                self._overview = (version, overview_of(connection))
            return self._overview[1]

        return await self._database.run(work)

    async def keywords(self) -> list[Keyword]:
        """Every keyword that a photo has, by path, with the number of its photos."""
        counted = (
            "SELECT name, count(*) FROM photo_keywords JOIN names ON id = keyword GROUP BY keyword ORDER BY folded"
        )
        return await self._database.run(
            lambda connection: [Keyword(keyword=name, photos=photos) for name, photos in connection.execute(counted)]
        )

    async def update(self, records: Sequence[PhotoRecord], listed: Mapping[str, float] | None = None) -> int:
        """Take over records as the catalog now has them; says how many differed. ``listed`` has the times of edit of
        the listing that they were read for."""

        def work(connection: sqlite3.Connection) -> int:
            changed = rows.store(connection, records, listed or {})
            self._version += changed > 0
            return changed

        return await self._database.run(work)

    async def remove(self, photo_ids: Iterable[str]) -> None:
        """Take out photos that are no longer in the catalog; sets will say that they have gone."""
        gone = tuple(photo_ids)

        def work(connection: sqlite3.Connection) -> None:
            rows.remove(connection, gone)
            self._version += 1

        if gone:
            await self._database.run(work)

    async def set_adjusted(self, photo_ids: Sequence[str]) -> None:
        """Exactly these photos have develop settings of their own."""
        await self._database.run(lambda connection: rows.set_adjusted(connection, photo_ids))

    async def edited_times(self) -> dict[str, float | None]:
        """When each photo was last edited, by id: 0 where Lightroom does not say, None where only a set knows it."""
        return await self._database.run(rows.edited_times)

    async def count(self) -> int:
        """How many photos the index has."""
        return await self._database.run(
            lambda connection: int(connection.execute("SELECT count(*) FROM photos").fetchone()[0])
        )

    async def full_at(self) -> float | None:
        """When the whole catalog was last read, in seconds since 1970; None for never."""
        read = "SELECT value FROM facts WHERE name = 'full_at'"
        row = await self._database.run(lambda connection: connection.execute(read).fetchone())
        return None if row is None else float(row[0])

    async def note_full(self, at: float) -> None:
        """The whole catalog has been read."""
        note = "INSERT OR REPLACE INTO facts (name, value) VALUES ('full_at', ?)"
        await self._database.run(lambda connection: connection.execute(note, (repr(at),)).rowcount)

    def _numbers(self, connection: sqlite3.Connection, query: Query) -> list[int]:
        with _limited(connection, self._patience_s):
            return [number for (number,) in connection.execute(query.sql, query.parameters)]


@contextlib.contextmanager
def _limited(connection: sqlite3.Connection, seconds: float) -> Generator[None]:
    ends = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > ends, STEPS)
    try:
        yield
    except sqlite3.OperationalError as error:
        if time.monotonic() <= ends:
            raise
        text = "The search took too long and was given up. Use fewer stars in patterns, or narrow it by dates or words."
        raise ToolError("SEARCH_TOO_SLOW", text) from error
    finally:
        connection.set_progress_handler(None, 0)


def _unknown_values(connection: sqlite3.Connection, arguments: SearchPhotosArguments) -> list[str]:
    """Sentences about values that no photo can have, with those that were perhaps meant."""
    warnings: list[str] = []
    if (
        arguments.adjusted is not UNSET
        and not connection.execute("SELECT 1 FROM photos WHERE adjusted IS NOT NULL LIMIT 1").fetchone()
    ):
        warnings.append("Lightroom has not told which photos have develop settings, so adjusted finds nothing.")
    if (
        arguments.keyword is not UNSET
        and not connection.execute(
            "SELECT 1 FROM names WHERE field = 'keyword' AND instr(' > ' || folded || ' > ', ?) > 0",
            (keyword_segments(arguments.keyword),),
        ).fetchone()
    ):
        like = connection.execute(
            "SELECT name FROM names WHERE field = 'keyword' AND instr(folded, ?) > 0 ORDER BY length(name) LIMIT ?",
            (fold(arguments.keyword).strip(), SIMILAR),
        ).fetchall()
        similar = f" Similar ones are {', '.join(name for (name,) in like)}." if like else ""
        warnings.append(f'No photo has the keyword "{arguments.keyword}".{similar}')
    return warnings
