"""The test model: ``scripted:FILE`` plays the turns of a JSON file, streamed as a real model would."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import msgspec

from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResults, Usage, UserMessage
from safelight.conversation.photos import LOCAL_PHOTOS
from safelight.errors import ModelError, ModelMissing
from safelight.models.chat_model import Piece, ToolOffer, TurnDone, TurnPiece, TurnRequest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator
    from pathlib import Path

__all__ = ("SCRIPTED", "ScriptedCall", "ScriptedChatModel", "ScriptedTurn")

SCRIPTED: Final = "scripted:"

_PIECE_CHARS: Final = 12
_CHARS_A_TOKEN: Final = 3
_NAMED: Final = ("set_id", "change_id")
_PHOTOS: Final = "${photo_ids}"


class ScriptedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call of a scripted turn. Strings may hold ``${set_id}``, ``${photo_ids}`` and ``${change_id}`` of the last
    results."""

    tool: str
    arguments: dict[str, Any] = {}


class ScriptedTurn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One turn. ``delay_ms`` passes in all while it is streamed."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    delay_ms: int = 0


class ScriptedChatModel:
    """Plays turn n of the file when the history holds n turns of the model, and says "Done." after the last."""

    context_window = 32_768
    photos_kept = LOCAL_PHOTOS

    def __init__(self, path: Path) -> None:
        self.model_id = f"{SCRIPTED}{path}"
        self._turns = _read(path)

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        """A script needs no preparation."""

    async def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]:
        """See ``ChatModel``. Without ``may_call`` a turn's calls are left out."""
        played = sum(isinstance(part, AssistantTurn) for part in request.history)
        turn = self._turns[played] if played < len(self._turns) else ScriptedTurn(text="Done.")
        calls = tuple(
            ToolCall(
                call_id=f"call_{secrets.token_hex(8)}",
                tool=call.tool,
                arguments=cast("dict[str, Any]", _filled(call.arguments, request.history)),
            )
            for call in turn.calls
            if request.may_call
        )
        text = turn.text if turn.text or calls else "Done."
        pieces = [*_pieces("reasoning", turn.reasoning), *_pieces("text", text)]
        pause = turn.delay_ms / 1_000 / max(len(pieces), 1)
        for piece in pieces:
            await asyncio.sleep(pause)
            yield piece
        if not pieces:
            await asyncio.sleep(pause)
        said = AssistantTurn(reasoning=turn.reasoning, text=text, calls=calls)
        yield TurnDone(turn=said, finish="calls" if calls else "stop", usage=self._usage(request, said))

    def _usage(self, request: TurnRequest, said: AssistantTurn) -> Usage:
        shown = len(request.system) + sum(map(_length, request.history))
        return Usage(
            prompt_tokens=shown // _CHARS_A_TOKEN + 1,
            completion_tokens=_length(said) // _CHARS_A_TOKEN + 1,
            context_window=self.context_window,
        )


def _read(path: Path) -> tuple[ScriptedTurn, ...]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=tuple[ScriptedTurn, ...])
    except OSError as error:
        raise ModelMissing(f"The script {path} cannot be read: {error.strerror}.") from error
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ModelError(f"The script {path} is not a list of turns as they should be: {error}.") from error


def _pieces(kind: Literal["reasoning", "text"], text: str) -> Iterator[TurnPiece]:
    for start in range(0, len(text), _PIECE_CHARS):
        yield TurnPiece(kind=kind, text=text[start : start + _PIECE_CHARS])


def _length(part: object) -> int:
    if isinstance(part, UserMessage):
        return len(part.text) + len(part.context)
    if isinstance(part, AssistantTurn):
        return len(part.reasoning) + len(part.text) + sum(len(str(call.arguments)) for call in part.calls)
    return sum(len(result.text) for result in part.results) if isinstance(part, ToolResults) else 0


def _filled(value: object, history: History) -> object:
    if isinstance(value, dict):
        return {key: _filled(item, history) for key, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_filled(item, history) for item in cast("list[object]", value)]
    if value == _PHOTOS:
        return _last_photos(history)
    if isinstance(value, str):
        if _PHOTOS in value:
            value = value.replace(_PHOTOS, ",".join(_last_photos(history)))
        for name in _NAMED:
            if (wanted := f"${{{name}}}") in value:
                value = value.replace(wanted, _last(name, history))
    return value


def _last(name: str, history: History) -> str:
    for result in _results(history):
        if isinstance(result.get(name), str):
            return str(result[name])
    raise ModelError(f"The script wants ${{{name}}}, but no tool has returned one yet.")


def _last_photos(history: History) -> list[str]:
    for result in _results(history):
        if isinstance(result.get("photo_ids"), list):
            return [str(photo) for photo in cast("list[object]", result["photo_ids"])]
        if isinstance(result.get("photos"), list):
            photos = cast("list[dict[str, object]]", result["photos"])
            return [str(photo["photo_id"]) for photo in photos if "photo_id" in photo]
    raise ModelError(f"The script wants {_PHOTOS}, but no tool has returned photos yet.")


def _results(history: History) -> Iterator[dict[str, object]]:
    """The results that are JSON objects, newest first."""
    for part in reversed(history):
        for result in reversed(part.results) if isinstance(part, ToolResults) else ():
            try:
                read: object = json.loads(result.text)
            except ValueError:
                continue
            if isinstance(read, dict):
                yield cast("dict[str, object]", read)
