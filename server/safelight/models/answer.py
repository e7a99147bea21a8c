"""Reads a local model's answer while it is written.

The grammar makes every answer ``{"analysis": "...", "call": {tool: {...}}}`` or
``{"analysis": "...", "reply": "..."}``. A model that writes without one may write anything.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec

from safelight.models.chat_model import TurnPiece

__all__ = ("Answer", "AnswerCall", "AnswerParser")

_KINDS: Final[dict[str, Literal["reasoning", "text"]]] = {"analysis": "reasoning", "reply": "text"}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LONE: Final = "\N{REPLACEMENT CHARACTER}"

_AT_TOP: Final = re.compile(r'["{}\[\]:,]')
_INSIDE: Final = re.compile(r'["{}\[\]]')
_PART: Final = re.compile(
    r'[^"\\\ud800-\udfff]+|"|\\u[0-9a-fA-F]{4}|\\[^u]|[\ud800-\udfff]|\\u(?=[\s\S]{4})',
)
"""A run of plain characters, the end, an escape, half a character, or the beginning of an escape that is none. Nothing
matches an escape whose end is not there yet."""

_SKIPPED: Final = re.compile(r'(?:[^"\\]++|\\[\s\S])*+')

_MOST_DIGITS: Final = 4_000
"""Of a whole number. Python refuses to read one that is not much longer."""

_TOO_LARGE: Final = 10**400

_Place: TypeAlias = Literal["outside", "key", "tool", "text", "other", "behind"]


class AnswerCall(msgspec.Struct, frozen=True, kw_only=True):
    """The call of an answer; ``arguments`` are decoded and not validated. Numbers that are too large for JSON's readers
    are infinite or have 400 digits."""

    tool: str
    arguments: dict[str, Any]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the model wrote. When the token limit cut it, or it is not of the agreed shape, ``complete`` is false,
    ``call`` is None, and ``cut_call`` names the tool whose call had been begun."""

    complete: bool
    analysis: str = ""
    reply: str = ""
    call: AnswerCall | None = None
    cut_call: str | None = None


class AnswerParser:
    """Fed with pieces of any length, gives the analysis and the reply as they decode. Takes any text, in time that is
    linear in its length.

    The pieces joined are exactly ``analysis`` and ``reply`` of the finished answer, wherever the input was cut.
    """

    def __init__(self) -> None:
        self._raw: list[str] = []
        self._texts: dict[str, list[str]] = {"analysis": [], "reply": []}
        self._name: list[str] = []
        self._tool: list[str] | None = None
        self._depth = 0
        self._place: _Place = "outside"
        self._value_next = False
        self._key = ""
        self._held = ""
        self._high = ""

    def feed(self, piece: str) -> list[TurnPiece]:
        """What ``piece`` added, whole characters only; a surrogate pair comes when both of its halves are there."""
        self._raw.append(piece)
        text, self._held = self._held + piece, ""
        pieces: list[TurnPiece] = []
        at = 0
        while at < len(text) and self._place != "behind":
            if self._place == "outside":
                at = self._structure(text, at)
            elif self._place == "other":
                at = self._skip(text, at)
            else:
                place = self._place
                at, decoded = self._decode(text, at)
                if place == "text" and decoded:
                    self._texts[self._key].append(decoded)
                    pieces.append(TurnPiece(kind=_KINDS[self._key], text=decoded))
        return pieces

    def finish(self) -> Answer:
        """The whole answer, complete or cut."""
        analysis, reply = "".join(self._texts["analysis"]), "".join(self._texts["reply"])
        try:
            written = _READER.decode("".join(self._raw))
        except (ValueError, RecursionError):
            written = None
        call = _call(written)
        complete = call is not None or _is_reply(written)
        cut = None if complete or self._tool is None else "".join(self._tool)
        return Answer(complete=complete, analysis=analysis, reply=reply, call=call, cut_call=cut)

    def _structure(self, text: str, at: int) -> int:
        """Goes to the next character that means something, and past it."""
        found = (_AT_TOP if self._depth <= 1 else _INSIDE).search(text, at)
        if found is None:
            return len(text)
        char = found.group()
        if char == '"':
            self._begin_string()
        elif char in "{[":
            self._depth += 1
            self._value_next = False
        elif char in "}]":
            self._depth -= 1
            if self._depth <= 0:
                self._place = "behind"
        else:
            self._value_next = char == ":"
        return found.end()

    def _begin_string(self) -> None:
        self._place = "other"
        if self._depth == 1 and not self._value_next:
            self._place, self._name = "key", []
        elif self._depth == 1 and self._key in _KINDS:
            self._place = "text"
        elif self._depth == 2 and self._key == "call" and self._tool is None:
            self._place, self._name = "tool", []
            self._tool = self._name

    def _skip(self, text: str, at: int) -> int:
        """Goes past a string that nobody reads here, or to the end of the text."""
        found = _SKIPPED.match(text, at)
        end = at if found is None else found.end()
        if end == len(text):
            return end
        if text[end] == "\\":
            self._held = "\\"
        else:
            self._place = "outside"
        return end + 1

    def _decode(self, text: str, at: int) -> tuple[int, str]:
        """Goes to the end of the string or of the text; what the string holds up to there."""
        decoded: list[str] = []
        ended = False
        while at < len(text) and not ended:
            found = _PART.match(text, at)
            if found is None:
                self._held, at = text[at:], len(text)
            elif found.group() == '"':
                decoded.append(_LONE if self._high else "")
                at, ended = found.end(), True
            else:
                decoded.append(self._joined(_unescaped(found.group())))
                at = found.end()
        if self._place != "text":
            self._name += decoded
        if ended:
            self._end_string()
        return at, "".join(decoded)

    def _end_string(self) -> None:
        if self._place == "key":
            self._key = "".join(self._name)
        self._place, self._high = "outside", ""

    def _joined(self, part: str) -> str:
        """Joins surrogate halves; a half without its partner becomes U+FFFD."""
        high, self._high = self._high, ""
        if high and "\udc00" <= part <= "\udfff":
            return (high + part).encode("utf-16", "surrogatepass").decode("utf-16")
        lone = _LONE if high else ""
        if "\ud800" <= part <= "\udbff":
            self._high = part
            return lone
        return lone + (_LONE if "\udc00" <= part <= "\udfff" else part)


def _unescaped(part: str) -> str:
    if part[0] != "\\":
        return part
    if part == "\\u":
        return _LONE
    return chr(int(part[2:], 16)) if part[1] == "u" else _ESCAPES.get(part[1], part[1])


def _is_reply(written: object) -> bool:
    said = cast("dict[str, object]", written) if isinstance(written, dict) else {}
    return isinstance(said.get("reply"), str) and "call" not in said


def _call(written: object) -> AnswerCall | None:
    said = cast("dict[str, object]", written) if isinstance(written, dict) else {}
    call = said.get("call")
    if "reply" in said or not isinstance(call, dict) or len(cast("dict[str, object]", call)) != 1:
        return None
    tool, arguments = next(iter(cast("dict[str, object]", call).items()))
    return AnswerCall(tool=tool, arguments=cast("dict[str, Any]", arguments)) if isinstance(arguments, dict) else None


def _whole_number(digits: str) -> int:
    if len(digits) <= _MOST_DIGITS:
        return int(digits)
    return -_TOO_LARGE if digits[0] == "-" else _TOO_LARGE


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """What a name that stands twice means, nobody can say."""
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a name stands twice")
    return read


_READER: Final = json.JSONDecoder(
    parse_int=_whole_number, parse_constant=_no_number, object_pairs_hook=_without_doubles
)
