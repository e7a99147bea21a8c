"""The test model."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from safelight.conversation.parts import AssistantTurn, History, ToolResult, ToolResults, UserMessage
from safelight.errors import ModelError, ModelMissing
from safelight.models.chat_model import Piece, TurnDone, TurnPiece, TurnRequest
from safelight.models.scripted import ScriptedChatModel

ASK: History = (UserMessage(text="Go"),)
SCRIPT = Path(__file__).parents[1] / "data" / "models" / "search_then_rate.json"


async def played(model: ScriptedChatModel, history: History = ASK, *, may_call: bool = True) -> list[Piece]:
    request = TurnRequest(system="", tools=(), history=history, may_call=may_call)
    return [piece async for piece in model.turn(request)]


def answered(history: History, done: TurnDone, *texts: str) -> History:
    results = tuple(
        ToolResult(call_id=call.call_id, tool=call.tool, outcome="success", text=text)
        for call, text in zip(done.turn.calls, texts, strict=True)
    )
    return (*history, done.turn, ToolResults(results=results))


def last(pieces: list[Piece]) -> TurnDone:
    assert isinstance(pieces[-1], TurnDone)
    return pieces[-1]


async def test_turns_are_played_in_order_and_filled_from_the_last_result() -> None:
    model = ScriptedChatModel(SCRIPT)
    first = last(await played(model))
    assert [(call.tool, call.arguments) for call in first.turn.calls] == [("search_photos", {"text": "boat"})]
    found = json.dumps({"set_id": "set_9", "photos": [{"photo_id": "a"}, {"photo_id": "b"}]})
    history = answered(ASK, first, found)
    second = last(await played(model, history))
    assert [call.arguments for call in second.turn.calls] == [
        {"rating": 4, "set": "set_9"},
        {"title": "Boats of set_9: a,b", "photo_ids": ["a", "b"]},
    ]
    assert second.turn.calls[0].call_id != second.turn.calls[1].call_id
    history = answered(history, second, "no json", '{"photo_ids":["c"]}')
    assert last(await played(model, history)).turn.text == "Rated."
    history = (*history, AssistantTurn(text="Rated."), *ASK)
    end = last(await played(model, history))
    assert (end.turn, end.finish) == (AssistantTurn(text="Done."), "stop")


async def test_a_turn_streams_in_several_pieces_that_add_up() -> None:
    pieces = await played(ScriptedChatModel(SCRIPT))
    streamed = [piece for piece in pieces if isinstance(piece, TurnPiece)]
    assert len(streamed) > 2
    turn = last(pieces).turn
    assert "".join(piece.text for piece in streamed if piece.kind == "reasoning") == turn.reasoning
    assert "".join(piece.text for piece in streamed if piece.kind == "text") == turn.text


async def test_without_leave_to_call_it_only_speaks() -> None:
    done = last(await played(ScriptedChatModel(SCRIPT), may_call=False))
    assert (done.turn.calls, done.finish) == ((), "stop")
    assert done.turn.text


async def test_a_delay_ends_when_the_turn_is_cancelled(tmp_path: Path) -> None:
    (tmp_path / "slow.json").write_text('[{"text":"never","delay_ms":3600000}]')
    running = asyncio.create_task(played(ScriptedChatModel(tmp_path / "slow.json")))
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(running, 5)


@pytest.mark.parametrize(
    ("script", "named"),
    [
        ('[{"txt":"hello"}]', "txt"),
        ('[{"calls":[{"tool":"a","args":{}}]}]', "args"),
        ('[{"calls":[{"arguments":{}}]}]', "tool"),
        ('{"text":"hello"}', "array"),
        ("[", "truncated"),
    ],
)
def test_a_script_that_is_not_as_it_should_be_is_refused_by_name(tmp_path: Path, script: str, named: str) -> None:
    (tmp_path / "bad.json").write_text(script)
    with pytest.raises(ModelError, match=named):
        ScriptedChatModel(tmp_path / "bad.json")


def test_a_missing_script_is_a_missing_model(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"gone\.json"):
        ScriptedChatModel(tmp_path / "gone.json")


async def test_a_placeholder_without_a_result_is_said(tmp_path: Path) -> None:
    (tmp_path / "early.json").write_text('[{"calls":[{"tool":"a","arguments":{"set":"${set_id}"}}]}]')
    with pytest.raises(ModelError, match="wants .*set_id.*, but no tool has returned one yet"):
        await played(ScriptedChatModel(tmp_path / "early.json"))
