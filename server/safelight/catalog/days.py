"""Spans of days as searches name them: pure."""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from safelight.errors import ToolError

if TYPE_CHECKING:
    from typing import Literal

__all__ = ("checked_day", "days_of", "minutes_around")


def days_of(
    when: Literal["today", "yesterday", "this_week", "last_week", "this_month", "last_month", "this_year", "last_year"],
    today: date,
) -> tuple[str, str]:
    """First and last day, month or year of a span, as the index writes them. A week begins on Monday."""
    monday = today - timedelta(days=today.weekday())
    last_month = today.replace(day=1) - timedelta(days=1)
    match when:
        case "today":
            return _span(today, today)
        case "yesterday":
            return _span(today - timedelta(days=1), today - timedelta(days=1))
        case "this_week":
            return _span(monday, monday + timedelta(days=6))
        case "last_week":
            return _span(monday - timedelta(days=7), monday - timedelta(days=1))
        case "this_month":
            return f"{today:%Y-%m}", f"{today:%Y-%m}"
        case "last_month":
            return f"{last_month:%Y-%m}", f"{last_month:%Y-%m}"
        case "this_year":
            return f"{today.year:04}", f"{today.year:04}"
        case "last_year":
            return f"{today.year - 1:04}", f"{today.year - 1:04}"


def checked_day(text: str) -> str:
    """A day, month or year that there is, in plain digits. Raises ``ToolError`` BAD_DATE."""
    numbers = tuple(int(part) for part in text.split("-"))
    year, month, day = (*numbers, 1, 1)[:3]
    try:
        date(year, month, day)
    except ValueError as problem:
        hint = ""
        if year and 1 <= month <= 12:
            hint = f" That month has {calendar.monthrange(year, month)[1]} days."
        raise ToolError("BAD_DATE", f"{text} is not a date.{hint}") from problem
    return "-".join((f"{year:04}", *(f"{number:02}" for number in numbers[1:])))


def minutes_around(captured: str | None) -> tuple[str, str] | None:
    """Ten minutes before and ten minutes after a time of capture; None where there is no time."""
    span = timedelta(minutes=10)
    try:
        time = datetime.fromisoformat(captured or "")
        return (time - span).isoformat(), (time + span).isoformat()
    except (ValueError, OverflowError):
        return None


def _span(first: date, last: date) -> tuple[str, str]:
    return first.isoformat(), last.isoformat()
