"""Lua tables that Lightroom keeps as text (develop settings, rules of smart collections): read, never run."""

from __future__ import annotations

import math
import re
from typing import Any, Final

__all__ = ("LuaTextRefused", "lua_literal")

_DEEPEST: Final = 32

_SPACE: Final = re.compile(r"\s*")
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*\s*=(?!=)", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_KEY: Final = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)", re.ASCII)
_DIGITS: Final = r"-?(?:0[xX][0-9a-fA-F]{1,13}|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,9})?)"
_NUMBER: Final = re.compile(_DIGITS, re.ASCII)
_FIELD: Final = re.compile(
    rf"""\s*(?:([A-Za-z_]\w*)\s*=\s*)?(?:({_DIGITS})|"([^"\\\n]*)"|(true|false))\s*(?:[,;]|(?=\}}))""", re.ASCII
)
"""A plain field to its end, as nearly all of a table are: it is read at once, the others piece by piece."""
_LONG: Final = re.compile(r"\[(=*)\[\n?(.*?)\]\1\]", re.DOTALL)
_QUOTED: Final = re.compile(r'"((?:[^"\\\n]|\\.)*+)"|\'((?:[^\'\\\n]|\\.)*+)\'', re.DOTALL)
_ESCAPE: Final = re.compile(rb"\\(\d{1,3}|.)", re.DOTALL)
_ESCAPED: Final = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_RESERVED: Final = frozenset(
    (
        *("and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not"),
        *("or", "repeat", "return", "then", "true", "until", "while"),
    )
)
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "nil": None}
_LARGEST_WHOLE: Final = 2.0**53
_SURELY_WHOLE: Final = 15
"""So many digits are below it."""


class LuaTextRefused(Exception):
    """The text is not a plain Lua value; the message says what is wrong and where."""


def lua_literal(text: str) -> Any:
    """The value of ``s = { ... }`` or of ``{ ... }``: numbers, texts, booleans, and tables of these.

    A table whose keys are 1 to n is a list; any other one, and an empty one, is a dict with texts as keys ("1" for 1).
    What is nil is left out. Calls, operators and names of variables are refused.

    Raises:
        LuaTextRefused: the text is anything else, or is nested too deep.
    """
    return _Reader(text).whole()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def whole(self) -> Any:
        self._skip_space()
        assigned = _ASSIGNED.match(self._text, self._at)
        if assigned:
            self._at = assigned.end()
        value = self._value(0)
        self._skip_space()
        if self._at != len(self._text):
            raise self._refused("text behind the value")
        return value

    def _refused(self, what: str) -> LuaTextRefused:
        return LuaTextRefused(f"{what} at character {self._at + 1}")

    def _skip_space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at

    def _next(self) -> str:
        self._skip_space()
        return self._text[self._at : self._at + 1]

    def _takes(self, mark: str) -> bool:
        if self._next() != mark:
            return False
        self._at += 1
        return True

    def _value(self, depth: int) -> Any:
        match self._next():
            case "{":
                return self._table(depth + 1)
            case '"' | "'":
                return self._quoted()
            case "[":
                return self._long()
            case _:
                return self._number_or_word()

    def _number_or_word(self) -> float | int | bool | None:
        if found := _NUMBER.match(self._text, self._at):
            number = self._number(found[0])
            self._at = found.end()
            return number
        found = _NAME.match(self._text, self._at)
        if found and found[0] in _WORDS:
            self._at = found.end()
            return _WORDS[found[0]]
        raise self._refused("something that is no value")

    def _number(self, digits: str) -> float | int:
        """As Lua sees it, a double; whole ones come as ``int``."""
        if digits.isdigit() and len(digits) <= _SURELY_WHOLE:
            return int(digits)
        number = float.fromhex(digits) if "x" in digits.lower() else float(digits)
        if not math.isfinite(number):
            raise self._refused("a number that is too large")
        return int(number) if abs(number) <= _LARGEST_WHOLE and number.is_integer() else number

    def _quoted(self) -> str:
        found = _QUOTED.match(self._text, self._at)
        if not found:
            raise self._refused("a text without an end")
        raw = (found[1] if found[1] is not None else found[2]).encode("utf-8", "replace")
        self._at = found.end()
        return _ESCAPE.sub(_unescaped, raw).decode("utf-8", "replace")

    def _long(self) -> str:
        found = _LONG.match(self._text, self._at)
        if not found:
            raise self._refused("a text without an end")
        self._at = found.end()
        return found[2]

    def _table(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise self._refused("a table that is nested too deep")
        self._at += 1
        keyed: dict[int | str, Any] = {}
        listed: dict[int | str, Any] = {}
        while field := self._field(depth):
            key, value = field
            if key is None:
                listed[len(listed) + 1] = value
            else:
                keyed[key] = value
        # Lua puts what stands without a key into the table last.
        table = {key: value for key, value in (keyed | listed).items() if value is not None}
        places = range(1, len(table) + 1)
        if table and all(place in table for place in places):
            return [table[place] for place in places]
        return {str(name): value for name, value in table.items()}

    def _field(self, depth: int) -> tuple[int | str | None, Any] | None:
        """The next key, if there is one, and value of a table; none at its end."""
        if found := _FIELD.match(self._text, self._at):
            key, digits, text, word = found.groups()
            if key not in _RESERVED:
                value = text if text is not None else self._number(digits) if digits else _WORDS[word]
                self._at = found.end()
                return key, value
        if self._takes("}"):
            return None
        key = self._key()
        value = self._value(depth)
        if not self._takes(",") and not self._takes(";") and self._next() != "}":
            raise self._refused("a table without its end")
        return key, value

    def _key(self) -> int | str | None:
        """The key in front of a value; none where the value stands alone."""
        self._skip_space()
        if (found := _KEY.match(self._text, self._at)) and found[1] not in _RESERVED:
            self._at = found.end()
            return found[1]
        if self._next() != "[" or _LONG.match(self._text, self._at):
            return None
        self._at += 1
        key = self._quoted() if self._next() in {'"', "'"} else self._number_or_word()
        if isinstance(key, (bool, float)) or key is None:
            raise self._refused("a key that is neither a text nor a whole number")
        if not self._takes("]") or not self._takes("="):
            raise self._refused("a key without its end")
        return key


def _unescaped(found: re.Match[bytes]) -> bytes:
    escaped = found[1]
    if escaped.isdigit():
        return bytes([min(int(escaped), 255)])
    return _ESCAPED.get(escaped, escaped)
