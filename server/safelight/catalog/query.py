"""A search as SQL over the index: pure."""

from __future__ import annotations

import calendar
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import ToolError

if TYPE_CHECKING:
    from safelight.wire.tool_models import SearchPhotosArguments

__all__ = ("Query", "match_expression", "query_of")

ORDERS: Final = {
    "newest": "captured DESC, file_name, n",
    "oldest": "captured IS NULL, captured, file_name, n",
    "rating": "rating DESC, captured DESC, file_name, n",
    "file_name": "file_name COLLATE NOCASE, n",
}
AFTER_ALL_TIMES: Final = "~"
"""Sorts behind every character of a date and time, so that "2024-05~" ends May."""


class Query(msgspec.Struct, frozen=True):
    """Selects the numbers of the photos, in order. ``warnings`` say what cannot find anything, in sentences."""

    sql: str
    parameters: tuple[Any, ...]
    warnings: tuple[str, ...] = ()


def query_of(arguments: SearchPhotosArguments) -> Query:
    """The query of a search; no argument selects every photo. Raises ``ToolError`` BAD_DATE for a day that is none."""
    conditions: list[str] = []
    parameters: list[Any] = []
    warnings: list[str] = []

    def require(condition: str, *values: Any) -> None:
        conditions.append(condition)
        parameters.extend(values)

    if arguments.text is not UNSET:
        words = match_expression(arguments.text)
        if words:
            require("n IN (SELECT rowid FROM words WHERE words MATCH ?)", words)
        else:
            require("0")
            warnings.append("The text has no letters or digits, so it finds nothing.")
    if arguments.rating_min is not UNSET:
        require("rating >= ?", arguments.rating_min)
    if arguments.rating_max is not UNSET:
        require("rating <= ?", arguments.rating_max)
    if arguments.flag is not UNSET:
        require("flag = ?", arguments.flag)
    if arguments.label is not UNSET:
        require("label = ?", arguments.label)
    if arguments.captured_from is not UNSET:
        require("captured >= ?", _checked(arguments.captured_from))
    if arguments.captured_to is not UNSET:
        require("captured <= ?", _checked(arguments.captured_to) + AFTER_ALL_TIMES)
    warnings.extend(_contradictions(arguments))
    order = ORDERS["newest" if arguments.sort is UNSET else arguments.sort]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    # Only constants of this module are put together; every value is a parameter.
    return Query(f"SELECT n FROM photos{where} ORDER BY {order}", tuple(parameters), tuple(warnings))  # noqa: S608


def match_expression(text: str) -> str:
    """Every word of ``text`` as a quoted phrase that must occur; "" when there is no letter or digit.

    Words match by their stem ("dogs" finds "dog"). A word with a digit, or of a script without spaces, matches the
    beginning of a word as well ("IMG_12" finds IMG_1234).
    """
    words = [word for word in text.split() if any(char.isalnum() for char in word)]
    return " AND ".join(f'"{_quoted(word)}"{"*" if _matches_beginnings(word) else ""}' for word in words)


def _quoted(word: str) -> str:
    return word.replace('"', '""').replace("\0", "")


def _matches_beginnings(word: str) -> bool:
    return word[-1].isalnum() and any(char.isdigit() or ord(char) >= 0x0E00 for char in word)


def _checked(text: str) -> str:
    year, month, day = (*(int(part) for part in text.split("-")), 1, 1)[:3]
    try:
        date(year, month, day)
    except ValueError as problem:
        hint = ""
        if year and 1 <= month <= 12:
            hint = f" That month has {calendar.monthrange(year, month)[1]} days."
        raise ToolError("BAD_DATE", f"{text} is not a date.{hint}") from problem
    return text


def _contradictions(arguments: SearchPhotosArguments) -> list[str]:
    found: list[str] = []
    low, high = arguments.rating_min, arguments.rating_max
    if low is not UNSET and high is not UNSET and low > high:
        found.append("rating_min is above rating_max, so nothing can be found.")
    first, last = arguments.captured_from, arguments.captured_to
    if first is not UNSET and last is not UNSET and first > last + AFTER_ALL_TIMES:
        found.append("captured_from is after captured_to, so nothing can be found.")
    return found
