"""Several chats on the one MCP client in memory: no call is ever taken for another's."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults
from safelight.wire.models import ApprovalAnswer, Event, OpenChat, ToolDoneEvent, ToolSkippedEvent
from tests.chat.rig import call, kind_of, opened_rig, reply
from tests.requirement import requirement


@requirement("perm.denied-never-runs", "mcp.endpoint")
async def test_two_chats_with_the_same_call_id_and_tool_at_once_each_get_their_own_answer(tmp_path: Path) -> None:
    turns = [call("rate", "c1", n=1), call("rate", "c1", n=2), reply("Ok."), reply("Ok.")]
    async with opened_rig(tmp_path, turns) as rig:
        other = (await rig.chats.open(OpenChat(), "played")).session
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await other.send("rate")
        async for chunk in other.log.follow(None):
            if b"approval_needed" in chunk:
                break
        assert [question.arguments for question in rig.session.questions().open()] == [{"n": 1}]
        assert [question.arguments for question in other.questions().open()] == [{"n": 2}]
        await asyncio.gather(
            rig.session.answer("c1", ApprovalAnswer(decision="deny"), "page"),
            other.answer("c1", ApprovalAnswer(decision="once"), "page"),
        )
        events = await rig.idle()
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["not_allowed"]
        async for chunk in other.log.follow(None):
            if b'"busy":false' in chunk:
                break
        assert rig.tools["rate"].runs == [{"n": 2}]
        results = other.history[2]
        assert isinstance(results, ToolResults)
        assert results.results[0].outcome == "success"


@requirement("perm.modes")
async def test_a_strict_chat_asks_while_a_free_one_runs_the_same_tool(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("Ok."), call("look", "c2", n=2)]) as rig:
        strict = (await rig.chats.open(OpenChat(mode="ask_all"), "played")).session
        rig.tools["look"].hold = asyncio.Event()
        await rig.session.send("look")
        await rig.tools["look"].started.wait()
        rig.model.turns.reverse()
        await strict.send("look")
        async for chunk in strict.log.follow(None):
            if b"approval_needed" in chunk:
                break
        assert rig.tools["look"].runs == [{"n": 1}]
        await strict.stop()
        rig.tools["look"].hold.set()
        events = await rig.idle()
        assert [event.ok for event in events if isinstance(event, ToolDoneEvent)] == [True]
        assert "approval_needed" not in [kind_of(event) for event in events]


async def test_many_chats_at_once_each_get_the_results_of_their_own_calls(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        sessions = [(await rig.chats.open(OpenChat(), "played")).session for _ in range(10)]
        calls = tuple(ToolCall(call_id=f"c{n}", tool="look", arguments={"n": n}) for n in range(3))
        rig.model.turns = [AssistantTurn(calls=calls) for _ in sessions] + [reply("Ok.") for _ in sessions]
        await asyncio.gather(*(session.send("look") for session in sessions))
        async with asyncio.timeout(10):
            for session in sessions:
                async for chunk in session.log.follow(None):
                    if b'"busy":false' in chunk:
                        break
        for session in sessions:
            results = session.history[2]
            assert isinstance(results, ToolResults)
            assert [result.call_id for result in results.results] == ["c0", "c1", "c2"]
        assert len(rig.tools["look"].runs) == 30


@requirement("session.every-call-has-a-result")
async def test_a_call_that_is_lost_on_its_way_has_a_result_and_the_chat_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("Ok.")]) as rig:
        session_id = rig.session.record.session_id

        def nobody(session_id: str) -> None:
            del session_id

        monkeypatch.setattr(rig.services.toolbox, "_chat_of", nobody)
        await rig.session.send("look")
        events: list[Event] = await rig.idle()
        (ended,) = [event for event in events if isinstance(event, ToolDoneEvent)]
        assert ended.text.startswith("INTERNAL_ERROR")
        assert "unknown" in ended.text
        assert "error" not in [kind_of(event) for event in events]
        assert (await rig.chats.get(session_id)).busy is False
