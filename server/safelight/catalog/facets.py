"""How many photos have which rating, camera, keyword and so on. All works in the transaction of its connection."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from safelight.wire.tool_models import Count, Facet

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from typing import Literal

__all__ = ("Overview", "facets_of", "overview_of")

LISTED: Final = 10
"""Values of a facet that are told."""

FEW: Final = 5000
"""Up to so many photos, looking each up is quicker than reading the whole covering index."""

COLUMNS: Final = ("rating", "flag", "label", "year", "camera", "lens", "file_type")
NAMED: Final = frozenset({"camera", "lens", "keyword"})
"""Facets whose values are ids of ``names``."""

# Only constants of this module are put together.
BY_COLUMNS: Final = f"SELECT {', '.join(COLUMNS)}, count(*) FROM photos {{those}} GROUP BY {', '.join(COLUMNS)}"  # noqa: S608
KEYWORDS: Final = "SELECT keyword, count(*) FROM photo_keywords {those} GROUP BY keyword"
KEYWORDS_OF_FEW: Final = (
    "SELECT id, photos FROM (SELECT value AS name, count(*) AS photos FROM records, "
    "json_each(CAST(record AS TEXT), '$.keywords') WHERE n IN (SELECT value FROM json_each(?)) GROUP BY value) "
    "JOIN names USING (name) WHERE field = 'keyword'"
)


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The whole catalog: how many photos, the oldest and newest time of capture, and the facets."""

    count: int
    first: str | None
    last: str | None
    facets: tuple[Facet, ...]


def overview_of(connection: sqlite3.Connection) -> Overview:
    """What the index has."""
    # Each by itself, so that each is read from an index.
    count, first, last = connection.execute(
        "SELECT (SELECT count(*) FROM photos), (SELECT min(captured) FROM photos), (SELECT max(captured) FROM photos)"
    ).fetchone()
    return Overview(count=count, first=first, last=last, facets=facets_of(connection, None))


def facets_of(connection: sqlite3.Connection, numbers: Sequence[int] | None) -> tuple[Facet, ...]:
    """Each facet's ten commonest values, of the photos with these numbers or of all. What a photo does not have is not
    counted, but for its rating, flag and label; those are 0 and none."""
    chosen = _chosen(numbers)
    counters: dict[str, Counter[Any]] = {name: Counter() for name in COLUMNS}
    for *values, photos in connection.execute(BY_COLUMNS.format(those=chosen.photos), chosen.parameters):
        for counter, value in zip(counters.values(), values, strict=True):
            counter[value] += photos
    keywords = connection.execute(chosen.keywords, chosen.parameters)
    counters["keyword"] = Counter(dict(cast("Iterable[tuple[int, int]]", keywords)))
    return tuple(_facet(connection, cast("Any", name), counter) for name, counter in counters.items())


class _Chosen(msgspec.Struct, frozen=True):
    photos: str
    keywords: str
    parameters: tuple[Any, ...] = ()


def _chosen(numbers: Sequence[int] | None) -> _Chosen:
    """How photos are told apart in SQL: not at all, few by looking them up, many by a map with one byte for each."""
    if numbers is None:
        return _Chosen("INDEXED BY photos_facets", KEYWORDS.format(those=""))
    if len(numbers) <= FEW:
        listed = msgspec.json.encode(numbers).decode()
        return _Chosen("WHERE n IN (SELECT value FROM json_each(?))", KEYWORDS_OF_FEW, (listed,))
    marks = bytearray(max(numbers, default=0) + 1)
    for number in numbers:
        marks[number] = 1
    marked = "WHERE substr(?, n + 1, 1) = x'01'"
    return _Chosen(f"INDEXED BY photos_facets {marked}", KEYWORDS.format(those=marked), (bytes(marks),))


def _facet(
    connection: sqlite3.Connection,
    name: Literal["rating", "flag", "label", "year", "camera", "lens", "keyword", "file_type"],
    counter: Counter[Any],
) -> Facet:
    for nothing in (None, "") if name not in NAMED else (0,):
        counter.pop(nothing, None)
    commonest = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:LISTED]
    if name in NAMED:
        listed = msgspec.json.encode([value for value, _ in commonest]).decode()
        known: dict[int, str] = dict(
            connection.execute("SELECT id, name FROM names WHERE id IN (SELECT value FROM json_each(?))", (listed,))
        )
        commonest = [(known[value], photos) for value, photos in commonest]
    counts = [Count(value=str(value), photos=photos) for value, photos in commonest]
    return Facet(name=name, counts=counts, more=len(counter) - len(commonest))
