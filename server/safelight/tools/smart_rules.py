"""The rules of a smart collection, from a tool's flat arguments: pure."""

from __future__ import annotations

import calendar
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, UnsetType

from safelight.catalog.days import checked_day
from safelight.errors import ToolError
from safelight.tools.keyword_paths import names_of
from safelight.wire.bridge_models import SmartRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from safelight.wire.tool_models import CreateSmartCollectionArguments

__all__ = ("smart_rules",)

COLORS: Final = {"red": 1, "yellow": 2, "green": 3, "blue": 4, "purple": 5}
PICKS: Final = {"pick": 1, "none": 0, "reject": -1}
MOST_STARS: Final = 5
FIRST_DAY: Final = "1800-01-01"
LAST_DAY: Final = "2999-12-31"
"""Ends of a range that is open: Lightroom has no "from this day on, including it"."""


def smart_rules(given: CreateSmartCollectionArguments) -> list[SmartRule]:
    """All rules, as Lightroom names them. Raises ``ToolError`` NO_RULES, BAD_DATE, KEYWORD_INVALID, or RULES_CONTRADICT
    where no photo could fit."""
    rules = list(_rules(given))
    if not rules:
        raise ToolError("NO_RULES", "Give at least one rule, e.g. rating_min, label, keyword or captured_from.")
    return rules


def _rules(given: CreateSmartCollectionArguments) -> Iterator[SmartRule]:
    yield from _stars(given.rating_min, given.rating_max)
    if given.flag is not UNSET:
        yield SmartRule(criteria="pick", operation="==", number=PICKS[given.flag])
    if given.label is not UNSET:
        color = COLORS.get(given.label)
        if color is None:
            yield SmartRule(criteria="labelColor", operation="==", text="none")
        else:
            yield SmartRule(criteria="labelColor", operation="==", number=color)
    yield from _days(given.captured_from, given.captured_to)
    if given.keyword is not UNSET:
        yield SmartRule(criteria="keywords", operation="words", text=names_of(given.keyword)[-1])
    if given.camera is not UNSET and given.camera.strip():
        yield SmartRule(criteria="camera", operation="all", text=given.camera)
    if given.lens is not UNSET and given.lens.strip():
        yield SmartRule(criteria="lens", operation="all", text=given.lens)


def _stars(low: int | UnsetType, high: int | UnsetType) -> Iterator[SmartRule]:
    least = 0 if low is UNSET else low
    most = MOST_STARS if high is UNSET else high
    if least > most:
        raise ToolError("RULES_CONTRADICT", "rating_min is above rating_max, so no photo can fit.")
    if least == most:
        yield SmartRule(criteria="rating", operation="==", number=least)
    elif least and most < MOST_STARS:
        yield SmartRule(criteria="rating", operation="in", number=least, number2=most)
    elif least:
        yield SmartRule(criteria="rating", operation=">=", number=least)
    elif most < MOST_STARS:
        yield SmartRule(criteria="rating", operation="<=", number=most)


def _days(start: str | UnsetType, end: str | UnsetType) -> Iterator[SmartRule]:
    if start is UNSET and end is UNSET:
        return
    first = FIRST_DAY if start is UNSET else f"{checked_day(start)}-01-01"[:10]
    last = LAST_DAY if end is UNSET else _last_day(checked_day(end))
    if first > last:
        raise ToolError("RULES_CONTRADICT", "captured_from is after captured_to, so no photo can fit.")
    yield SmartRule(criteria="captureTime", operation="in", text=first, text2=last)


def _last_day(text: str) -> str:
    if len(text) == len("2024"):
        return f"{text}-12-31"
    if len(text) == len("2024-05"):
        year, month = text.split("-")
        return f"{text}-{calendar.monthrange(int(year), int(month))[1]}"
    return text
