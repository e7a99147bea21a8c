"""The language of ``filter``: ``iso>=1600 and (camera:nikon or not keyword:dog)``. Text to a tree and back; pure.

either    = both {"or" both}
both      = single {"and" single}
single    = "not" single | "(" either ")" | condition
condition = field operator value
value     = a word without spaces and brackets, or "a text in quotes" (a quote in it is written twice)
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, cast

import msgspec

from safelight.catalog.fields import FIELDS, Operator
from safelight.errors import ToolError

if TYPE_CHECKING:
    from safelight.catalog.fields import Field

__all__ = ("AllOf", "AnyOf", "Condition", "Filter", "Not", "number_of", "parse_filter", "printed")

LONGEST: Final = 1000
DEEPEST: Final = 20

_WORD: Final = re.compile(r"[A-Za-z_]+")
_OPERATOR: Final = re.compile(r"==|!=|<=|>=|[:=<>]")
_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"|\'((?:[^\']|\'\')*)\'')
_BARE: Final = re.compile(r"""[^\s()"']+""")
_NUMBER: Final = re.compile(r"-?\d{1,9}(\.\d{1,9})?", re.ASCII)
_FRACTION: Final = re.compile(r"1/(\d{1,6}(\.\d{1,3})?)", re.ASCII)
_DAY: Final = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?", re.ASCII)


class Condition(msgspec.Struct, frozen=True, tag=True):
    """One field held against one value; both are valid."""

    field: str
    operator: Operator
    value: str


class Not(msgspec.Struct, frozen=True, tag=True):
    """What does not fit."""

    part: Filter


class AllOf(msgspec.Struct, frozen=True, tag=True):
    """All parts fit."""

    parts: tuple[Filter, ...]


class AnyOf(msgspec.Struct, frozen=True, tag=True):
    """One part at least fits."""

    parts: tuple[Filter, ...]


Filter: TypeAlias = Condition | Not | AllOf | AnyOf


def parse_filter(text: str) -> Filter:
    """The tree of a filter. Raises ``ToolError`` BAD_FILTER, which tells the place and what is known there."""
    if len(text) > LONGEST:
        raise ToolError("BAD_FILTER", f"The filter is too long: {len(text)} characters, at most {LONGEST} are taken.")
    return _Parser(text).whole()


def printed(tree: Filter) -> str:
    """The tree as text that parses to the same tree."""
    match tree:
        case Condition(field, operator, value):
            return f"{field}{operator}{_quoted(value)}"
        case Not(part):
            return f"not {_single(part)}"
        case AllOf(parts):
            return " and ".join(_single(part) for part in parts)
        case AnyOf(parts):
            return " or ".join(_alternative(part) for part in parts)


def _alternative(part: Filter) -> str:
    """One alternative of an ``AnyOf``: "and" binds closer than "or" and needs no brackets."""
    return printed(part) if isinstance(part, AllOf) else _single(part)


def number_of(value: str) -> float | None:
    """The number that a value says, also as ``1/250``; None when it is none."""
    if _NUMBER.fullmatch(value):
        return float(value)
    fraction = _FRACTION.fullmatch(value)
    divisor = float(fraction[1]) if fraction else 0.0
    return 1 / divisor if divisor else None


def _single(tree: Filter) -> str:
    text = printed(tree)
    return f"({text})" if isinstance(tree, AllOf | AnyOf) else text


def _quoted(value: str) -> str:
    if _BARE.fullmatch(value) and not _OPERATOR.match(value):
        return value
    return '"' + value.replace('"', '""') + '"'


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def whole(self) -> Filter:
        tree = self._either()
        if self._at < len(self._text):
            self._fail('Here "and", "or" or the end is expected; a value with spaces needs quotes')
        return tree

    def _either(self) -> Filter:
        parts = [self._both()]
        while self._takes("or"):
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _both(self) -> Filter:
        parts = [self._single()]
        while self._takes("and"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _single(self) -> Filter:
        self._depth += 1
        if self._depth > DEEPEST:
            self._fail(f"The filter is nested too deeply; at most {DEEPEST} levels are taken")
        try:
            if self._takes("not"):
                return Not(self._single())
            if self._takes_sign("("):
                tree = self._either()
                if not self._takes_sign(")"):
                    self._fail('Here a ")" is missing')
                return tree
            return self._condition()
        finally:
            self._depth -= 1

    def _condition(self) -> Condition:
        start = self._skip()
        name = _WORD.match(self._text, start)
        if name is None or name[0].lower() not in FIELDS:
            found = f'There is no field "{name[0]}"' if name else "Here a field is expected"
            self._fail(f"{found}. The fields are {', '.join(FIELDS)}", start)
        self._at = name.end()
        field = name[0].lower()
        sign = _OPERATOR.match(self._text, self._skip())
        if sign is None:
            self._fail(f'After "{field}" one of {" ".join(FIELDS[field].operators)} is expected')
        operator = cast("Operator", "=" if sign[0] == "==" else sign[0])
        if operator not in FIELDS[field].operators:
            self._fail(f'"{field}" takes {" ".join(FIELDS[field].operators)}, not {operator}', sign.start())
        self._at = sign.end()
        place = self._skip()
        value = self._value()
        if problem := _problem(field, FIELDS[field], value):
            self._fail(problem, place)
        return Condition(field, operator, value)

    def _value(self) -> str:
        if quoted := _QUOTED.match(self._text, self._at):
            self._at = quoted.end()
            return quoted[1].replace('""', '"') if quoted[1] is not None else quoted[2].replace("''", "'")
        bare = _BARE.match(self._text, self._at)
        if bare is None:
            self._fail("Here a value is expected" if self._at == len(self._text) else "This value does not end")
        self._at = bare.end()
        return bare[0]

    def _skip(self) -> int:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._at

    def _takes(self, word: str) -> bool:
        found = _WORD.match(self._text, self._skip())
        if found is None or found[0].lower() != word:
            return False
        self._at = found.end()
        return True

    def _takes_sign(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._skip()):
            return False
        self._at += 1
        return True

    def _fail(self, sentence: str, at: int | None = None) -> NoReturn:
        place = (self._skip() if at is None else at) + 1
        raise ToolError("BAD_FILTER", f"{sentence}. That is at character {place} of the filter.")


def _problem(name: str, field: Field, value: str) -> str | None:
    """What is wrong with a value of this field."""
    match field.kind:
        case "number":
            wrong = number_of(value) is None
            return f'"{name}" is held against a number, e.g. {name}>=2' if wrong else None
        case "day":
            return None if _is_day(value) else f'"{name}" is held against a day, a month or a year, e.g. 2024-05-31'
        case _:
            if field.values and value.lower() not in field.values:
                return f'"{name}" is one of {", ".join(field.values)}'
            return None if value.strip() else f'"{name}" is held against an empty value'


def _is_day(value: str) -> bool:
    if not _DAY.fullmatch(value):
        return False
    year, month, day = (*(int(part) for part in value.split("-")), 1, 1)[:3]
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
