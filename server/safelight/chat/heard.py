"""What a model said, made safe to keep, show, compare and send on (pure).

A model may write anything that its adapter can decode: halves of characters, numbers that JSON does not have,
arguments nested without end. All of it is brought into a form that every later reader takes, once, here. What cannot be
kept as it is becomes text in its place, so that a call never runs with less than the model wrote: the tool's schema
refuses it.
"""

from __future__ import annotations

import math
import secrets
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from safelight.bridge.text import SURROGATES, clean_text
from safelight.conversation.parts import AssistantTurn, ToolCall

if TYPE_CHECKING:
    from collections.abc import Collection

    from safelight.models.chat_model import TurnDone

__all__ = ("heard", "heard_text")

_DEEPEST: Final = 64
_LARGEST: Final = 2**63

_TOO_DEEP: Final = "(nested too deeply)"
_TOO_LARGE: Final = "(a number too large)"
_NOT_NAMED: Final = "(arguments without names)"


def heard_text(text: str) -> str:
    """The text without control characters; two halves of a character are joined, and a lone one becomes U+FFFD."""
    if SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return clean_text(text)


def heard(done: TurnDone, taken: Collection[str] = ()) -> TurnDone:
    """The whole turn, and the name of a call that was cut. A call without an id gets one, and so does a call whose id
    is ``taken`` or stands in the turn already: questions and results are found by it."""
    said = done.turn
    calls: list[ToolCall] = []
    for call in map(_call, said.calls):
        call_id = call.call_id
        if not call_id or call_id in taken or any(call_id == other.call_id for other in calls):
            call_id = f"call_{secrets.token_hex(8)}"
        calls.append(msgspec.structs.replace(call, call_id=call_id))
    turn = AssistantTurn(reasoning=heard_text(said.reasoning), text=heard_text(said.text), calls=tuple(calls))
    cut = None if done.incomplete_call is None else heard_text(done.incomplete_call)
    return msgspec.structs.replace(done, turn=turn, incomplete_call=cut)


def _call(call: ToolCall) -> ToolCall:
    return msgspec.structs.replace(
        call, call_id=heard_text(call.call_id), tool=heard_text(call.tool), arguments=_arguments(call.arguments)
    )


def _arguments(written: object) -> dict[str, Any]:
    """None and an empty text are no arguments; anything else that is no object becomes one that every tool refuses."""
    if written is None or written == "":
        return {}
    if not isinstance(written, dict):
        return {_NOT_NAMED: _value(written, 0)}
    return cast("dict[str, Any]", _value(cast("dict[str, Any]", written), 0))


def _value(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return heard_text(value)
    if isinstance(value, (dict, list)) and depth >= _DEEPEST:
        return _TOO_DEEP
    if isinstance(value, dict):
        return {heard_text(key): _value(item, depth + 1) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_value(item, depth + 1) for item in cast("list[Any]", value)]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        return _TOO_LARGE
    return value
