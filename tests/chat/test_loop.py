"""The loop at work: its last turn, models that go in circles, switches in Lightroom, and odd turns of models."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any, cast

import pytest

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResult, ToolResults
from safelight.errors import BridgeError, ModelError
from safelight.models.chat_model import NO_WISHES, ChatModel, EngineWishes, TurnDone, TurnRequest
from safelight.wire.models import (
    AssistantTurnEvent,
    ErrorEvent,
    PermissionsUpdate,
    ToolSkippedEvent,
    WarningEvent,
)
from tests.chat.rig import PlayedModel, Rig, call, kind_of, opened_rig, reply, serving_rig
from tests.chat.test_hard_races import is_well_formed
from tests.requirement import requirement


def disobedient(n: int) -> AssistantTurn:
    """A turn that calls whether it may or not."""
    return AssistantTurn(text="More.", calls=(ToolCall(call_id=f"c{n}", tool="look", arguments={"n": n}),))


def results_of(rig: Rig) -> list[ToolResult]:
    found = [message for message in rig.session.history if isinstance(message, ToolResults)]
    return [result for message in found for result in message.results]


@requirement("session.max-steps", "session.every-call-has-a-result")
async def test_a_model_that_calls_in_its_last_turn_all_the_same_runs_nothing_more_and_the_person_reads_why(
    tmp_path: Path,
) -> None:
    async with opened_rig(tmp_path, [disobedient(n) for n in range(20)]) as rig:
        await rig.session.send("look at everything")
        events = await rig.idle()
        is_well_formed(events)
        requests = rig.model.requests
        assert [request.may_call for request in requests] == [True] * 11 + [False]
        assert all((request.tools, request.system) == (requests[0].tools, requests[0].system) for request in requests)
        assert [arguments["n"] for arguments in rig.tools["look"].runs] == list(range(11))
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["last_step"]
        assert [result.outcome for result in results_of(rig)] == ["success"] * 11 + ["skipped"]
        said = [event.text for event in events if isinstance(event, AssistantTurnEvent)]
        assert "12 steps" in said[-1]
        assert rig.session.history[-1] == AssistantTurn(text=said[-1])


@requirement("session.repeat-refused", "session.max-steps")
async def test_a_model_that_keeps_repeating_a_call_must_answer_after_three_refusals(tmp_path: Path) -> None:
    turns = [*(call("look", f"c{n}", n=1, word="a") for n in range(4)), reply("I found it.")]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        is_well_formed(events)
        assert len(rig.tools["look"].runs) == 1
        assert [request.may_call for request in rig.model.requests] == [True] * 4 + [False]
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["repeated_call"] * 3
        refusal = results_of(rig)[-1].text
        assert 'You called look with {"n":1,"word":"a"} for this message already. It succeeded' in refusal
        assert rig.session.history[-1] == reply("I found it.")


@requirement("session.repeat-refused")
async def test_a_call_that_failed_is_not_tried_again_as_it_was_and_the_model_reads_how_it_failed(
    tmp_path: Path,
) -> None:
    turns = [call("look", "c1", n=1), call("show", "c2", n=1), call("look", "c3", n=1), reply("Select first.")]
    async with opened_rig(tmp_path, turns) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0))
        rig.tools["look"].fails = BridgeError("NO_SELECTION", "Select photos in Lightroom first.")
        await rig.session.send("look")
        await rig.idle()
        refusal = results_of(rig)[-1].text
        assert "It failed: NO_SELECTION: Select photos in Lightroom first." in refusal
        assert "After it you called show: you are going in circles." in refusal
        assert len(rig.tools["look"].runs) == 1


@requirement("perm.read-only-switch", "session.every-call-has-a-result")
@pytest.mark.parametrize(("code", "reason"), [("READ_ONLY", "read_only"), ("AGENTS_OFF", "agents_off")])
async def test_a_switch_in_lightroom_that_kept_a_call_from_running_is_shown_as_that_and_told_to_the_model(
    tmp_path: Path, code: str, reason: str
) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("It is off.")]) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0))
        rig.tools["rate"].fails = BridgeError(code, "The switch is on, so nothing was changed.")
        await rig.session.send("rate")
        events = await rig.idle()
        is_well_formed(events)
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == [reason]
        assert "tool_done" not in map(kind_of, events)
        (result,) = results_of(rig)
        assert (result.outcome, result.text) == ("denied", f"{code}: The switch is on, so nothing was changed.")


class FreshSource:
    """A new model each time that one is asked for, all with one script; it holds none of them itself."""

    def __init__(self, turns: list[AssistantTurn]) -> None:
        self.turns = turns
        self.given: list[weakref.ref[PlayedModel]] = []
        self.turns_of: list[int] = []

    def resolve(self, model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
        model = PlayedModel(self.turns, model_id)
        self.given.append(weakref.ref(model))
        weakref.finalize(model, self._note, model.requests)
        return model

    def _note(self, requests: list[TurnRequest]) -> None:
        self.turns_of.append(len(requests))


@requirement("session.model-per-turn")
async def test_each_turn_asks_anew_for_its_model_and_nothing_holds_the_one_of_the_turn_before(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        source = FreshSource([call("look", "c1", n=1), reply("Two."), reply("Three.")])
        object.__setattr__(rig.services, "models", source)
        await rig.session.send("look")
        await rig.idle()
        await rig.session.send("again")
        await rig.idle(times=2)
        assert rig.session.history[-1] == reply("Three.")
        async with asyncio.timeout(5):
            while any(model() is not None for model in source.given):
                gc.collect()
                await asyncio.sleep(0)
        assert sum(source.turns_of) == 3
        assert max(source.turns_of) == 1


@requirement("session.model-per-turn")
async def test_a_model_that_went_away_between_two_turns_is_said_and_the_chat_goes_on(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("Back.")]) as rig:
        resolve, gone = rig.model.resolve, True

        def resolve_unless_gone(model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
            if rig.model.requests and gone:
                raise ModelError("The model was taken away.")
            return resolve(model_id, wishes)

        rig.model.resolve = resolve_unless_gone
        await rig.session.send("look")
        events = await rig.idle()
        is_well_formed(events)
        assert [event.message for event in events if isinstance(event, ErrorEvent)] == ["The model was taken away."]
        gone = False
        await rig.session.send("again")
        is_well_formed(await rig.idle(times=2))
        assert rig.session.history[-1] == reply("Back.")


@pytest.mark.parametrize("arguments", [None, "", {}])
async def test_missing_arguments_are_none_and_the_call_runs(tmp_path: Path, arguments: Any) -> None:
    turn = AssistantTurn(calls=(ToolCall(call_id="c1", tool="look", arguments=arguments),))
    async with opened_rig(tmp_path, [turn, reply("Ok.")]) as rig:
        await rig.session.send("look")
        await rig.idle()
        assert rig.tools["look"].runs == [{}]


@requirement("limit.input")
@pytest.mark.parametrize("arguments", [[1, 2], "all of them", 7, True])
async def test_arguments_that_are_no_object_are_a_readable_tool_error(tmp_path: Path, arguments: Any) -> None:
    turn = AssistantTurn(calls=(ToolCall(call_id="c1", tool="look", arguments=arguments),))
    async with opened_rig(tmp_path, [turn, reply("Sorry.")]) as rig:
        await rig.session.send("look")
        is_well_formed(await rig.idle())
        assert rig.tools["look"].runs == []
        (result,) = results_of(rig)
        assert result.text.startswith("BAD_ARGUMENTS")
        assert "arguments without names" in result.text


async def test_an_empty_answer_leaves_something_to_read(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("")]) as rig:
        await rig.session.send("hello")
        events = await rig.idle()
        said = [event.text for event in events if isinstance(event, AssistantTurnEvent)]
        assert said == ["", "(The model gave an empty answer. Ask again, or in other words.)"]


async def test_a_model_that_breaks_off_without_an_end_is_an_error_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_rig(tmp_path, []) as rig:

        def cancels_itself(model_id: str, wishes: EngineWishes = NO_WISHES) -> ChatModel:
            raise asyncio.CancelledError

        monkeypatch.setattr(rig.model, "resolve", cancels_itself)
        await rig.session.send("hello")
        events = await rig.idle()
        assert [event.code for event in events if isinstance(event, ErrorEvent)] == ["model_error"]


async def test_an_answer_that_was_cut_at_the_token_limit_is_said_to_be_cut(tmp_path: Path) -> None:
    model = PlayedModel([reply("A long sto")])
    play = model.turn

    async def cut(request: Any) -> Any:
        async for piece in play(request):
            is_end = isinstance(piece, TurnDone)
            yield TurnDone(turn=piece.turn, finish="length", usage=piece.usage) if is_end else piece

    model.turn = cast(Any, cut)
    async with serving_rig(tmp_path, model, {}) as rig:
        await rig.session.send("tell")
        events = await rig.idle()
        assert ["cut at the token limit" in event.message for event in events if isinstance(event, WarningEvent)] == [
            True
        ]
