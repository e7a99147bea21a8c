"""A search as SQL over the index: pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.catalog.conditions import (
    AFTER_ALL_TIMES,
    Where,
    all_of,
    file_name_like,
    keyword_named,
    name_with,
    tree_where,
    words_where,
)
from safelight.catalog.days import checked_day, days_of
from safelight.catalog.fields import LACKS
from safelight.catalog.filter_text import parse_filter
from safelight.catalog.text_query import text_query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from safelight.wire.tool_models import SearchPhotosArguments

__all__ = ("Query", "query_of")

ORDERS: Final = {
    "newest": "captured DESC, file_name, n",
    "oldest": "captured IS NULL, captured, file_name, n",
    "rating": "rating DESC, captured DESC, file_name, n",
    "file_name": "file_name, n",
}
# What the photographer wrote counts more than where it was taken, and that more than what it was taken with.
BEST_FIRST: Final = (
    "SELECT n FROM photos JOIN (SELECT rowid AS n, bm25(words, 1, 8, 6, 8, 4, 1, 1) AS rank FROM words "
    "WHERE words MATCH ?) USING (n) WHERE {where} ORDER BY rank, captured DESC, file_name, n"
)


class Query(msgspec.Struct, frozen=True):
    """Selects the numbers of the photos, in order. ``warnings`` say what cannot find anything, in sentences."""

    sql: str
    parameters: tuple[Any, ...]
    warnings: tuple[str, ...] = ()


def query_of(arguments: SearchPhotosArguments, *, today: date, members: Sequence[str] | None = None) -> Query:
    """The query of a search; no argument selects every photo.

    ``members`` are the ids of the only photos that may be found, None for all. A photo without a rating has 0. Both
    ends of dates count, in the local time of the capture. ``collection``, ``within`` and ``shows`` are not looked at.
    Raises ``ToolError`` BAD_DATE for a day that is none, BAD_FILTER.
    """
    warnings = list(_contradictions(arguments))
    text = None if arguments.text is UNSET else words_where(arguments.text)
    if arguments.text is not UNSET and text is None:
        warnings.append("The text has no letters or digits, so it finds nothing.")
        text = Where("0")
    where = list(_conditions(arguments, today))
    if members is not None:
        where.append(_among(members))
    everything = all_of([*([] if text is None else [text]), *where])
    sort = "newest" if arguments.sort is UNSET else arguments.sort
    # Only constants are put together; every value is a parameter.
    if sort == "best":
        words = None if arguments.text is UNSET else text_query(arguments.text)
        if words is not None and words.match:
            ranked = BEST_FIRST.format(where=everything.sql)
            return Query(ranked, (words.match, *everything.parameters), tuple(warnings))
        sort = "newest"
    sql = f"SELECT n FROM photos WHERE {everything.sql} ORDER BY {ORDERS[sort]}"  # noqa: S608
    return Query(sql, everything.parameters, tuple(warnings))


def _conditions(arguments: SearchPhotosArguments, today: date) -> Iterator[Where]:
    yield from _values(arguments)
    yield from _times(arguments, today)
    yield from _names(arguments)
    if arguments.filter is not UNSET:
        yield tree_where(parse_filter(arguments.filter))


def _values(arguments: SearchPhotosArguments) -> Iterator[Where]:
    if arguments.rating_min is not UNSET:
        yield Where("rating >= ?", (arguments.rating_min,))
    if arguments.rating_max is not UNSET:
        yield Where("rating <= ?", (arguments.rating_max,))
    if arguments.flag is not UNSET:
        yield Where("flag = ?", (arguments.flag,))
    if arguments.label is not UNSET:
        yield Where("label = ?", (arguments.label,))
    if arguments.file_type is not UNSET:
        yield Where("file_type = ?", (arguments.file_type,))
    if arguments.missing is not UNSET:
        yield Where("(lacks & ?) > 0", (LACKS[arguments.missing],))
    if arguments.adjusted is not UNSET:
        yield Where("adjusted IS ?", (int(arguments.adjusted),))
    if arguments.virtual_copy is not UNSET:
        yield Where("virtual_copy = ?", (int(arguments.virtual_copy),))


def _times(arguments: SearchPhotosArguments, today: date) -> Iterator[Where]:
    if arguments.captured_from is not UNSET:
        yield Where("captured >= ?", (checked_day(arguments.captured_from),))
    if arguments.captured_to is not UNSET:
        yield Where("captured <= ?", (checked_day(arguments.captured_to) + AFTER_ALL_TIMES,))
    if arguments.when is not UNSET:
        first, last = days_of(arguments.when, today)
        yield Where("captured BETWEEN ? AND ?", (first, last + AFTER_ALL_TIMES))


def _names(arguments: SearchPhotosArguments) -> Iterator[Where]:
    if arguments.keyword is not UNSET:
        yield keyword_named(arguments.keyword)
    for field in ("folder", "place", "camera", "lens"):
        text = getattr(arguments, field)
        if text is not UNSET:
            yield name_with(field, text)
    if arguments.file_name is not UNSET:
        yield file_name_like(arguments.file_name)


def _among(photo_ids: Sequence[str]) -> Where:
    listed = msgspec.json.encode(list(photo_ids)).decode()
    return Where("n IN (SELECT ids.n FROM json_each(?) AS listed JOIN ids ON ids.photo_id = listed.value)", (listed,))


def _contradictions(arguments: SearchPhotosArguments) -> Iterator[str]:
    low, high = arguments.rating_min, arguments.rating_max
    if low is not UNSET and high is not UNSET and low > high:
        yield "rating_min is above rating_max, so nothing can be found."
    first, last = arguments.captured_from, arguments.captured_to
    if first is not UNSET and last is not UNSET and checked_day(first) > checked_day(last) + AFTER_ALL_TIMES:
        yield "captured_from is after captured_to, so nothing can be found."
