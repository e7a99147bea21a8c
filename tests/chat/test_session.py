"""A chat's run: turns, calls, questions, stop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults, UserMessage
from safelight.conversation.prompt import STOPPED
from safelight.errors import Conflict, InvalidBody, ModelError, NotFound, ToolError
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalNeededEvent,
    ApprovalResolvedEvent,
    ErrorEvent,
    PermissionsUpdate,
    ToolDoneEvent,
    ToolSkippedEvent,
)
from tests.chat.rig import call, kind_of, opened_rig, reply
from tests.requirement import requirement


@requirement("event.types")
async def test_a_message_is_answered_and_every_step_is_logged_in_order(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", n=1), reply("Two photos.")]) as rig:
        accepted = await rig.session.send("what is there?")
        events = await rig.idle()
        assert accepted.seq == 1
        assert [kind_of(event) for event in events] == [
            *("user_message", "busy", "assistant_turn", "usage"),
            *("tool_call", "tool_running", "tool_done"),
            *("assistant_turn", "usage", "busy"),
        ]
        assert [event.seq for event in events] == list(range(1, 11))  # type: ignore[union-attr]  # all are numbered
        assert rig.tools["look"].runs == [{"n": 1}]


@requirement("perm.answers")
async def test_a_destructive_call_waits_for_an_answer_and_runs_with_what_was_shown(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", call_id="c1", n=5), reply("Done.")]) as rig:
        await rig.session.send("rate it")
        await rig.until("approval_needed")
        assert rig.tools["rate"].runs == []
        (question,) = rig.session.questions().open()
        assert (question.call_id, question.tool, question.arguments, question.photos) == ("c1", "rate", {"n": 5}, 1)
        assert question.preview is not None
        assert question.preview.photos[0].after == {"n": 5}
        answered = await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        assert answered.outcome == "once"
        events = await rig.idle()
        assert rig.tools["rate"].runs == [{"n": 5}]
        kinds = [kind_of(event) for event in events]
        assert kinds[4:9] == ["tool_call", "approval_needed", "approval_resolved", "tool_running", "tool_done"]


@requirement("perm.answers", "perm.denied-never-runs", "session.every-call-has-a-result")
async def test_a_denied_call_never_runs_and_the_note_reaches_the_model(tmp_path: Path) -> None:
    """anthropics/claude-code#35544, anthropics/claude-code#33235, anthropics/claude-code#83760: a call was denied and
    ran all the same."""
    async with opened_rig(tmp_path, [call("rate", call_id="c1", n=5), reply("I left it.")]) as rig:
        await rig.session.send("rate it")
        await rig.until("approval_needed")
        await rig.session.answer("c1", ApprovalAnswer(decision="deny", note="only the best three"), "page")
        events = await rig.idle()
        assert rig.tools["rate"].runs == []
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["not_allowed"]
        results = rig.model.requests[1].history[-1]
        assert isinstance(results, ToolResults)
        assert results.results[0].outcome == "denied"
        assert "only the best three" in results.results[0].text


@requirement("perm.answers")
async def test_allowing_for_the_chat_asks_no_second_time_in_this_chat_only(tmp_path: Path) -> None:
    turns = [call("rate", "c1", n=1), call("rate", "c2", n=2), reply("Both.")]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("rate two")
        await rig.until("approval_needed")
        await rig.session.answer("c1", ApprovalAnswer(decision="chat"), "page")
        kinds = [kind_of(event) for event in await rig.idle()]
        assert kinds.count("approval_needed") == 1
        assert rig.tools["rate"].runs == [{"n": 1}, {"n": 2}]
        assert rig.permissions.current().rules == {}


@requirement("perm.answers")
async def test_always_writes_exactly_one_rule(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.session.answer("c1", ApprovalAnswer(decision="always"), "page")
        await rig.idle()
        assert rig.permissions.current().rules == {"rate": "allow"}


@requirement("perm.bulk", "perm.answers")
async def test_a_bulk_question_cannot_be_answered_for_always(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        rig.tools["rate"].photos = 500
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=200))
        await rig.session.send("rate")
        events = await rig.until("approval_needed")
        reason = next(event.reason for event in events if isinstance(event, ApprovalNeededEvent))
        assert (reason.kind, reason.photos, reason.limit) == ("bulk", 500, 200)
        with pytest.raises(Conflict):
            await rig.session.answer("c1", ApprovalAnswer(decision="always"), "page")
        await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        await rig.idle()
        assert len(rig.tools["rate"].runs) == 1


@requirement("perm.bulk")
async def test_photos_that_come_to_the_target_after_the_question_ask_again(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        rig.tools["rate"].photos = 50
        await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        await rig.until("approval_needed", times=2)
        assert rig.tools["rate"].runs == []
        (question,) = rig.session.questions().open()
        assert question.photos == 50
        await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        await rig.idle()
        assert len(rig.tools["rate"].runs) == 1


@requirement("perm.frozen")
async def test_arguments_changed_by_the_user_are_checked_and_are_what_runs(tmp_path: Path) -> None:
    turns = [call("rate", "c1", n=1), call("rate", "c2", n=2), reply("Ok.")]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.session.answer("c1", ApprovalAnswer(decision="once", arguments={"n": 4}), "page")
        await rig.until("approval_needed", times=2)
        with pytest.raises(InvalidBody) as refused:
            await rig.session.answer("c2", ApprovalAnswer(decision="once", arguments={"n": "many"}), "page")
        assert refused.value.field == "arguments"
        assert "n: 'many'" in refused.value.message
        assert [question.call_id for question in rig.session.questions().open()] == ["c2"]
        await rig.session.answer("c2", ApprovalAnswer(decision="once", arguments={"n": 5}), "page")
        events = await rig.idle()
        assert rig.tools["rate"].runs == [{"n": 4}, {"n": 5}]
        resolved = [event for event in events if isinstance(event, ApprovalResolvedEvent)]
        assert [event.arguments for event in resolved] == [{"n": 4}, {"n": 5}]


@requirement("perm.resolved-always")
async def test_unknown_and_settled_questions_are_told_apart(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        with pytest.raises(NotFound):
            await rig.session.answer("other", ApprovalAnswer(decision="once"), "page")
        await rig.session.answer("c1", ApprovalAnswer(decision="deny"), "page")
        with pytest.raises(Conflict):
            await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        await rig.idle()
        assert rig.tools["rate"].runs == []


@requirement("session.repeat-refused")
async def test_an_identical_call_is_refused_and_a_cycle_is_seen(tmp_path: Path) -> None:
    """anomalyco/opencode#28596: A, B, A, B was not seen."""
    turns = [
        call("look", "c1", n=1, word="a"),
        call("look", "c2", n=2),
        call("look", "c3", word="a", n=1),
        reply("Ok."),
    ]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("look")
        events = await rig.idle()
        assert len(rig.tools["look"].runs) == 2
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["repeated_call"]
        rig.model.turns = [call("look", "c4", n=1, word="a"), reply("Ok.")]
        await rig.session.send("again")
        await rig.idle(times=2)
        assert len(rig.tools["look"].runs) == 3


@requirement("session.max-steps")
async def test_after_twelve_turns_the_model_must_answer(tmp_path: Path) -> None:
    """OpenRouterTeam/typescript-agent PR#44, openai/openai-agents-python#2269: the last step ended in a call, without
    an answer."""
    turns = [call("look", f"c{n}", n=n) for n in range(20)]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("look at everything")
        await rig.idle()
        requests = rig.model.requests
        assert len(requests) == 12
        assert [request.may_call for request in requests] == [True] * 11 + [False]
        assert all(request.tools == requests[0].tools and request.system == requests[0].system for request in requests)


@requirement("session.stop")
async def test_stop_while_the_model_streams_drops_its_text_and_notes_it(tmp_path: Path) -> None:
    """VoltAgent/voltagent#1239: stop did nothing to a stream that can be resumed."""
    async with opened_rig(tmp_path, [reply("a long story")], hold=asyncio.Event()) as rig:
        await rig.session.send("tell")
        await rig.model.streaming.wait()
        assert (await rig.session.stop()).stopping
        events = await rig.idle()
        assert [kind_of(event) for event in events] == ["user_message", "busy", "stopped", "busy"]
        assert rig.model.cancelled == 1
        assert rig.session.history[-1] == AssistantTurn(text=STOPPED)
        assert not (await rig.session.stop()).stopping


@requirement("session.stop", "perm.denied-never-runs")
async def test_stop_while_a_question_waits_ends_it_and_runs_nothing(tmp_path: Path) -> None:
    two = AssistantTurn(
        calls=(
            ToolCall(call_id="c1", tool="rate", arguments={"n": 1}),
            ToolCall(call_id="c2", tool="look", arguments={}),
        )
    )
    async with opened_rig(tmp_path, [two]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.session.stop()
        events = await rig.idle()
        resolved = [event for event in events if isinstance(event, ApprovalResolvedEvent)]
        assert [(event.outcome, event.by, event.arguments) for event in resolved] == [("stopped", "service", None)]
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["stopped", "stopped"]
        assert rig.tools["rate"].runs == []
        assert rig.tools["look"].runs == []
        results = rig.session.history[-2]
        assert isinstance(results, ToolResults)
        assert [result.outcome for result in results.results] == ["interrupted", "interrupted"]


@requirement("session.stop")
async def test_a_tool_that_runs_is_let_finish_and_its_result_is_recorded(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1)]) as rig:
        rig.tools["look"].hold = asyncio.Event()
        await rig.session.send("look")
        await rig.tools["look"].started.wait()
        await rig.session.stop()
        rig.tools["look"].hold.set()
        kinds = [kind_of(event) for event in await rig.idle()]
        assert kinds[-3:] == ["tool_done", "stopped", "busy"]


@requirement("session.queue")
async def test_a_message_sent_while_busy_waits_can_be_changed_and_comes_next(tmp_path: Path) -> None:
    """github/app#430: another message was sent than was meant."""
    hold = asyncio.Event()
    async with opened_rig(tmp_path, [reply("one"), reply("two")], hold=hold) as rig:
        await rig.session.send("first")
        await rig.model.streaming.wait()
        second = await rig.session.send("second")
        third = await rig.session.send("third")
        await rig.session.edit_queued(second.message_id, "second, better")
        await rig.session.remove_queued(third.message_id)
        with pytest.raises(NotFound):
            await rig.session.remove_queued(third.message_id)
        hold.set()
        await rig.idle(times=2)
        said = [message.text for message in rig.session.history if isinstance(message, UserMessage)]
        assert said == ["first", "second, better"]


async def test_a_model_that_fails_is_said_and_the_chat_goes_on(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("now it works")], fails=ModelError("It has no weights.")) as rig:
        await rig.session.send("hello")
        events = await rig.idle()
        assert [(event.code, event.message) for event in events if isinstance(event, ErrorEvent)] == [
            ("model_error", "It has no weights.")
        ]
        rig.model.fails = None
        await rig.session.send("hello again")
        assert "assistant_turn" in [kind_of(event) for event in await rig.idle(times=2)]


async def test_arguments_cut_at_the_token_limit_never_run(tmp_path: Path) -> None:
    """ggml-org/llama.cpp#22072, continuedev/continue#7491: arguments that were cut at the limit lost the turn."""
    async with opened_rig(tmp_path, [reply(""), reply("Sorry.")], incomplete="rate") as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={}, bulk_limit=0))
        await rig.session.send("rate")
        events = await rig.until("tool_skipped")
        rig.model.incomplete = None
        await rig.idle()
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["incomplete"]
        assert rig.tools["rate"].runs == []


async def test_a_tool_that_breaks_is_a_readable_failure_and_not_the_end(tmp_path: Path) -> None:
    turns = [call("look", "c1", n=1), call("look", "c2", n=2), call("nothing", "c3"), reply("Ok.")]
    async with opened_rig(tmp_path, turns) as rig:
        rig.tools["look"].fails = ToolError("NO_SELECTION", "Select photos in Lightroom first.")
        await rig.session.send("look")
        await rig.until("tool_done")
        rig.tools["look"].fails = RuntimeError("a bug with a secret inside")
        events = await rig.idle()
        texts = [event.text for event in events if isinstance(event, ToolDoneEvent)]
        assert texts[0].startswith("NO_SELECTION: Select photos")
        assert not any("secret" in text for text in texts)
        assert texts[-1].startswith("UNKNOWN_TOOL")


@requirement("perm.rules")
async def test_a_blocked_tool_is_not_offered_to_the_model(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Ok.")]) as rig:
        rig.permissions.replace(PermissionsUpdate(mode="auto_read", rules={"rate": "block"}, bulk_limit=200))
        await rig.session.send("rate")
        await rig.idle()
        assert [tool.name for tool in rig.model.requests[0].tools] == ["look", "show"]
