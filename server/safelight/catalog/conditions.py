"""Single conditions on photos as SQL over the index: pure. Every value is a parameter; only constants make the SQL."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from safelight.catalog.fields import FIELDS, LACKS, Field, Operator
from safelight.catalog.filter_text import AllOf, AnyOf, Condition, Filter, Not, number_of
from safelight.catalog.fold import fold
from safelight.catalog.text_query import text_query

__all__ = (
    "AFTER_ALL_TIMES",
    "Where",
    "all_of",
    "file_name_like",
    "keyword_named",
    "keyword_segments",
    "name_with",
    "tree_where",
    "words_where",
)

AFTER_ALL_TIMES: Final = "~"
"""Sorts behind every character of a date and time, so that "2024-05~" ends May."""

KEYWORD_SEPARATOR: Final = " > "
_STARS: Final = re.compile(r"\*+")
_NARROWER: Final = re.compile(r"\s*>\s*")


class Where(msgspec.Struct, frozen=True):
    """A condition on a row of ``photos``; it is true or false, never unknown."""

    sql: str
    parameters: tuple[Any, ...] = ()


EVERY: Final = Where("1")


def all_of(parts: list[Where]) -> Where:
    """What fits all parts; every photo for none."""
    return _joined("AND", parts) if parts else EVERY


def name_with(field: str, text: str) -> Where:
    """The camera, lens, place or folder whose name holds every word of ``text``."""
    words = fold(text.replace("\\", "/") if field == "folder" else text).split()
    holds = " AND ".join(["instr(folded, ?) > 0"] * len(words))
    return Where(f"{field} IN (SELECT id FROM names WHERE field = '{field}' AND {holds or '0'})", tuple(words))  # noqa: S608


def keyword_named(text: str) -> Where:
    """Photos with this keyword, given by its name or by a part of its path, or with one below it."""
    return Where(
        "n IN (SELECT n FROM photo_keywords WHERE keyword IN (SELECT id FROM names WHERE field = 'keyword' "
        "AND instr(' > ' || folded || ' > ', ?) > 0))",
        (keyword_segments(text),),
    )


def keyword_segments(text: str) -> str:
    """What ``text`` looks like inside ' > ' + a folded path + ' > '."""
    names = _NARROWER.split(fold(text).strip())
    return KEYWORD_SEPARATOR + KEYWORD_SEPARATOR.join(" ".join(name.split()) for name in names) + KEYWORD_SEPARATOR


def file_name_like(pattern: str) -> Where:
    """File names that fit a pattern with * and ?, or that hold it where it has neither."""
    folded = fold(pattern)
    if "*" not in folded and "?" not in folded:
        return Where("instr(file_name, ?) > 0", (folded,))
    return Where("file_name GLOB ?", (_STARS.sub("*", folded.replace("[", "[[]")),))


def words_where(text: str, column: str = "") -> Where | None:
    """Photos with the words of ``text``, in one column of their texts or in any; None when it has no word."""
    query = text_query(text)
    if query is None:
        return None
    parts: list[Where] = []
    found = "n IN (SELECT rowid FROM words WHERE words MATCH ?)"
    if query.match:
        parts.append(Where(found, (_in_column(query.match, column),)))
    if query.without:
        parts.append(Where(f"NOT {found}", (_in_column(query.without, column),)))
    return all_of(parts)


def tree_where(tree: Filter) -> Where:
    """The condition of a whole filter."""
    match tree:
        case Condition(name, operator, value):
            field = FIELDS[name]
            if operator == "!=":
                return _not(_holds(field, "=", value))
            return _holds(field, operator, value)
        case Not(part):
            return _not(tree_where(part))
        case AllOf(parts):
            return _joined("AND", [tree_where(part) for part in parts])
        case AnyOf(parts):
            return _joined("OR", [tree_where(part) for part in parts])


def _holds(field: Field, operator: Operator, value: str) -> Where:
    column = field.column
    compare = "=" if operator == ":" else operator
    match field.kind:
        case "number":
            return _known(column, compare, number_of(value), tolerant=column in {"aperture", "shutter", "focal"})
        case "day":
            return _day(compare, value)
        case "name" if operator == "=":
            # A place has several lines; what is the same as one of them is that place.
            same = f"field = '{column}' AND instr(char(10) || folded || char(10), ?) > 0"
            return Where(f"{column} IN (SELECT id FROM names WHERE {same})", (f"\n{fold(value)}\n",))  # noqa: S608
        case "name":
            return name_with(column, value)
        case "file_name" if operator == "=":
            return Where("file_name = ?", (fold(value),))
        case "file_name":
            return file_name_like(value)
        case "words":
            return words_where(value, column) or Where("0")
        case "keyword":
            return keyword_named(value)
        case "yes_no":
            return Where(f"{column} IS ?", (int(value.lower() == "yes"),))
        case "lacks":
            return Where("(lacks & ?) > 0", (LACKS[value.lower()],))
        case "choice" | "label":
            return Where(f"{column} = ?", (fold(value),))


def _known(column: str, operator: str, number: float | None, *, tolerant: bool) -> Where:
    """A photo without a value fits no comparison. Lightroom rounds what it shows of some values, so that 1/250 s may be
    kept as 0.004000001: what is within a thousandth is equal, and on neither side."""
    if not tolerant:
        return Where(f"({column} IS NOT NULL AND {column} {operator} ?)", (number,))
    if operator == "=":
        return Where(f"({column} IS NOT NULL AND abs({column} - ?) <= 0.001 * abs(?))", (number, number))
    apart = "+" if operator in {"<=", ">"} else "-"
    return Where(f"({column} IS NOT NULL AND {column} {operator} ? {apart} 0.001 * abs(?))", (number, number))


def _day(operator: str, day: str) -> Where:
    """A day, month or year stands for all of its times."""
    after = day + AFTER_ALL_TIMES
    if operator == "=":
        return Where("(captured IS NOT NULL AND captured >= ? AND captured <= ?)", (day, after))
    end = day if operator in {"<", ">="} else after
    return Where(f"(captured IS NOT NULL AND captured {operator} ?)", (end,))


def _not(part: Where) -> Where:
    return Where(f"NOT ({part.sql})", part.parameters)


def _joined(word: str, parts: list[Where]) -> Where:
    sql = f" {word} ".join(part.sql for part in parts)
    return Where(f"({sql})", tuple(value for part in parts for value in part.parameters))


def _in_column(match: str, column: str) -> str:
    return f"{column} : ({match})" if column else match
