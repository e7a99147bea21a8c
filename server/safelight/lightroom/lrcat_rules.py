"""The rules of a smart collection in a catalog file, as the search description that they are."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from safelight.lightroom import lrcat_values as values
from safelight.lightroom.search_description import search_description

if TYPE_CHECKING:
    from safelight.lightroom.search_description import SearchDescription

__all__ = ("rules_search",)

_DAYS: Final = {"hours": 1 / 24, "days": 1, "weeks": 7, "months": 30.4, "years": 365.25}
_MOST_DAYS: Final = 36_500


def rules_search(rules: Any, today: date) -> SearchDescription:
    """Raises ``LightroomRefusal`` for rules that are not simulated.

    "In the last month" becomes "after" the day that this is from ``today``.
    """
    return search_description(_plain(rules, today))


def _plain(rules: Any, today: date) -> Any:
    if isinstance(rules, list):
        return [_plain(rule, today) for rule in cast("list[Any]", rules)]
    if not isinstance(rules, dict):
        return rules
    entries = cast("dict[str, Any]", rules)
    if "criteria" not in entries:
        return {name: _plain(entry, today) for name, entry in entries.items()}
    match entries.get("operation"):
        case "empty" | "notEmpty":
            return {"value": "", **entries}
        case "inLast":
            return {"criteria": entries["criteria"], "operation": ">", "value": _days_ago(entries, today)}
        case _:
            return entries


def _days_ago(entries: dict[str, Any], today: date) -> str:
    days = (values.number(entries.get("value")) or 0) * _DAYS.get(str(entries.get("value_units")), 1)
    return (today - timedelta(days=min(max(0, round(days)), _MOST_DAYS))).isoformat()
