"""Reads a local model's answer while it is written.

The grammar makes every answer ``{"analysis": "...", "call": {tool: {...}}}`` or
``{"analysis": "...", "reply": "..."}``.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal, TypeAlias, cast

import msgspec

from safelight.models.chat_model import TurnPiece

__all__ = ("Answer", "AnswerCall", "AnswerParser")

_KINDS: Final[dict[str, Literal["reasoning", "text"]]] = {"analysis": "reasoning", "reply": "text"}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_LONE: Final = "\N{REPLACEMENT CHARACTER}"

_Place: TypeAlias = Literal["outside", "key", "text", "other"]


class AnswerCall(msgspec.Struct, frozen=True, kw_only=True):
    """The call of an answer; ``arguments`` are decoded and not validated."""

    tool: str
    arguments: dict[str, Any]


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the model wrote. When the token limit cut it, ``complete`` is false, ``call`` is None, and ``cut_call``
    names the tool whose call had been begun."""

    complete: bool
    analysis: str = ""
    reply: str = ""
    call: AnswerCall | None = None
    cut_call: str | None = None


class AnswerParser:
    """Fed with pieces of any length, gives the analysis and the reply as they decode.

    The pieces joined are exactly ``analysis`` and ``reply`` of the finished answer, wherever the input was cut.
    """

    def __init__(self) -> None:
        self._raw: list[str] = []
        self._texts = {"analysis": "", "reply": ""}
        self._depth = 0
        self._place: _Place = "outside"
        self._value_next = False
        self._key = ""
        self._tool: str | None = None
        self._escape = ""
        self._high = ""

    def feed(self, piece: str) -> list[TurnPiece]:
        """What ``piece`` added, whole characters only; a surrogate pair comes when both of its halves are there."""
        self._raw.append(piece)
        pieces: list[TurnPiece] = []
        for char in piece:
            decoded = self._structure(char) if self._place == "outside" else self._in_string(char)
            if decoded:
                self._texts[self._key] += decoded
                kind = _KINDS[self._key]
                if pieces and pieces[-1].kind == kind:
                    pieces[-1] = TurnPiece(kind=kind, text=pieces[-1].text + decoded)
                else:
                    pieces.append(TurnPiece(kind=kind, text=decoded))
        return pieces

    def finish(self) -> Answer:
        """The whole answer, complete or cut."""
        analysis, reply = self._texts["analysis"], self._texts["reply"]
        try:
            written = json.loads("".join(self._raw))
        except ValueError:
            return Answer(complete=False, analysis=analysis, reply=reply, cut_call=self._tool)
        call = _call(written)
        complete = call is not None or (isinstance(written, dict) and "reply" in written)
        return Answer(complete=complete, analysis=analysis, reply=reply, call=call)

    def _structure(self, char: str) -> str:
        if char == '"':
            self._begin_string()
        elif char in "{[":
            self._depth += 1
            self._value_next = False
        elif char in "}]":
            self._depth -= 1
        elif char == ":":
            self._value_next = True
        elif char == ",":
            self._value_next = False
        return ""

    def _begin_string(self) -> None:
        self._place = "other"
        if self._depth == 1 and not self._value_next:
            self._place, self._key = "key", ""
        elif self._depth == 1 and self._key in _KINDS:
            self._place = "text"
        elif self._depth == 2 and self._key == "call" and self._tool is None:
            self._place, self._tool = "key", ""

    def _in_string(self, char: str) -> str:
        if self._escape:
            return self._take(self._escaped(char))
        if char == "\\":
            self._escape = char
            return ""
        if char == '"':
            lone = self._keep(_LONE) if self._high else ""
            self._high, self._place = "", "outside"
            return lone
        return self._take(char)

    def _escaped(self, char: str) -> str:
        """The character that an escape stands for, once it is whole."""
        self._escape += char
        if self._escape[1] != "u":
            self._escape = ""
            return _ESCAPES.get(char, char)
        if len(self._escape) < 6:
            return ""
        code, self._escape = self._escape[2:], ""
        try:
            return chr(int(code, 16))
        except ValueError:
            return _LONE

    def _take(self, char: str) -> str:
        """Joins surrogate halves; a half without its partner becomes U+FFFD."""
        if not char:
            return ""
        high, self._high = self._high, ""
        if high and "\udc00" <= char <= "\udfff":
            return self._keep((high + char).encode("utf-16", "surrogatepass").decode("utf-16"))
        lone = _LONE if high else ""
        if "\ud800" <= char <= "\udbff":
            self._high = char
            return self._keep(lone)
        return self._keep(lone + (_LONE if "\udc00" <= char <= "\udfff" else char))

    def _keep(self, decoded: str) -> str:
        """Keeps keys for themselves, passes text on, drops what belongs to arguments."""
        if self._place == "key" and self._depth == 1:
            self._key += decoded
        elif self._place == "key":
            self._tool = (self._tool or "") + decoded
        return decoded if self._place == "text" else ""


def _call(written: object) -> AnswerCall | None:
    call = cast("dict[str, object]", written).get("call") if isinstance(written, dict) else None
    if not isinstance(call, dict) or len(cast("dict[str, object]", call)) != 1:
        return None
    tool, arguments = next(iter(cast("dict[str, object]", call).items()))
    return AnswerCall(tool=tool, arguments=cast("dict[str, Any]", arguments)) if isinstance(arguments, dict) else None
