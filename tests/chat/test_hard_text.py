"""What a model or a tool says may be broken in every way; the log, the page and the next turn never are."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.chat.heard import heard, heard_text
from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults, Usage
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.models.chat_model import TurnDone
from safelight.wire.models import AssistantTurnEvent, ToolDoneEvent
from tests.chat.rig import PlayedModel, SpyTool, call, kind_of, opened_rig, reply, serving_rig
from tests.requirement import requirement

TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=12,
)


def done(text: str, arguments: dict[str, Any]) -> TurnDone:
    turn = AssistantTurn(text=text, reasoning=text, calls=(ToolCall(call_id="c", tool=text, arguments=arguments),))
    return TurnDone(turn=turn, finish="calls", usage=Usage(prompt_tokens=1), incomplete_call=text)


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"n": 1}
    for _ in range(depth):
        value = {"word": value}
    return value


@requirement("limit.input")
@given(text=TEXT, arguments=st.dictionaries(TEXT, VALUES, max_size=3))
def test_what_was_heard_can_be_kept_and_read_back_and_hearing_it_again_changes_nothing(
    text: str, arguments: dict[str, Any]
) -> None:
    once = heard(done(text, arguments))
    kept = msgspec.json.decode(msgspec.json.encode(once), type=TurnDone)
    assert kept == once
    assert heard(once) == once
    assert json.loads(json.dumps(once.turn.calls[0].arguments, allow_nan=False)) == once.turn.calls[0].arguments


@requirement("limit.input")
def test_halves_of_a_character_are_joined_and_a_lone_one_is_marked() -> None:
    assert heard_text("a\ud83d\udc26b") == "a🐦b"
    assert heard_text("\udc26 and \ud83d") == "\ufffd and \ufffd"
    assert heard_text("Möwe 🐦\n\tline") == "Möwe 🐦\n\tline"
    assert heard_text("\x1b[31mred\x00") == "[31mred"


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 2**63, 10**400, 10**5_000, -(2**63) - 1], ids=type)
def test_a_number_that_json_does_not_hold_becomes_text_in_its_place(number: float) -> None:
    (made,) = heard(done("x", {"n": number, "list": [number]})).turn.calls
    assert all(isinstance(value, str) for value in (made.arguments["n"], made.arguments["list"][0]))


def test_arguments_nested_without_end_are_cut_where_nobody_reads() -> None:
    (made,) = heard(done("x", nested(5_000))).turn.calls
    assert b"nested too deeply" in msgspec.json.encode(made)
    (shallow,) = heard(done("x", nested(60))).turn.calls
    assert msgspec.json.encode(shallow.arguments) == msgspec.json.encode(nested(60))


@requirement("limit.input")
@pytest.mark.parametrize(
    "arguments",
    [
        {"n": math.nan},
        {"n": math.inf},
        {"n": 10**400},
        {"n": 10**5_000},
        {"n": "\ud83d"},
        {"\ud83d": 1},
        nested(5_000),
    ],
    ids=["nan", "inf", "large", "huge", "surrogate", "surrogate key", "deep"],
)
async def test_odd_arguments_of_a_model_are_a_readable_tool_error_and_never_asked_or_run(
    tmp_path: Path, arguments: dict[str, Any]
) -> None:
    made = AssistantTurn(calls=(ToolCall(call_id="c1", tool="rate", arguments=arguments),))
    async with opened_rig(tmp_path, [made, reply("Sorry.")]) as rig:
        await rig.session.send("rate")
        events = await rig.idle()
        session_id, history = rig.session.record.session_id, rig.session.history
        assert "approval_needed" not in [kind_of(event) for event in events]
        failed = [event for event in events if isinstance(event, ToolDoneEvent)]
        assert failed[0].ok is False
        assert failed[0].text.startswith("BAD_ARGUMENTS")
        assert rig.tools["rate"].runs == []
    async with serving_rig(tmp_path, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        assert await rig.events() == events
        assert rig.session.history == history


@requirement("limit.input")
async def test_broken_text_of_a_model_is_streamed_and_logged_with_marks_in_its_place(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("a\ud83d b\udc26", reasoning="\ud83d\udc26")]) as rig:
        await rig.session.send("go")
        events = await rig.idle()
        (turn,) = [event for event in events if isinstance(event, AssistantTurnEvent)]
        assert (turn.text, turn.reasoning) == ("a\ufffd b\ufffd", "🐦")


@requirement("limit.input")
async def test_broken_text_of_a_tool_reaches_page_and_model_with_marks_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("Ok.")]) as rig:

        async def run(arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
            del arguments, call
            return ToolAnswer(content={"caption": "half \ud83d", "count": 1})

        monkeypatch.setattr(rig.tools["look"], "run", run)
        await rig.session.send("look")
        events = await rig.idle()
        (ended,) = [event for event in events if isinstance(event, ToolDoneEvent)]
        assert ended.ok
        assert ended.text == '{"caption":"half \ufffd","count":1}'
        results = rig.model.requests[1].history[-1]
        assert isinstance(results, ToolResults)
        assert results.results[0].text == ended.text


async def test_a_result_of_a_megabyte_is_short_in_the_event_and_whole_for_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("Ok.")]) as rig:
        large = "🐦" * 250_000

        async def run(arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
            del arguments, call
            return ToolAnswer(content={"text": large})

        monkeypatch.setattr(rig.tools["look"], "run", run)
        await rig.session.send("look")
        events = await rig.idle()
        (ended,) = [event for event in events if isinstance(event, ToolDoneEvent)]
        assert len(ended.text) < 5_000
        kept = await rig.services.store.result(rig.session.record.session_id, "c1")
        assert kept is not None
        assert kept.content == {"text": large}


async def test_a_message_of_a_hundred_thousand_characters_is_kept_whole(tmp_path: Path) -> None:
    text = "🐦\n" * 50_000
    async with opened_rig(tmp_path, [reply("Long.")]) as rig:
        await rig.session.send(text)
        await rig.idle()
        assert rig.model.requests[0].history[-1].text == text  # type: ignore[union-attr]  # the user's message


@pytest.mark.parametrize("broken", ["count", "preview", "freeze"])
async def test_a_tool_that_breaks_before_it_runs_is_a_result_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:

        async def fail(arguments: dict[str, Any]) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr(rig.tools["rate"], broken, fail)
        await rig.session.send("rate")
        events = await rig.idle()
        (ended,) = [event for event in events if isinstance(event, ToolDoneEvent)]
        assert ended.text.startswith("INTERNAL_ERROR")
        assert "error" not in [kind_of(event) for event in events]
        assert rig.tools["rate"].runs == []
