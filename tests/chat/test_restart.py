"""What is left after the process was killed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResults, UserMessage
from safelight.conversation.prompt import CUT_OFF
from safelight.errors import Forbidden
from safelight.wire.models import ApprovalResolvedEvent, StoppedEvent, ToolSkippedEvent
from tests.chat.rig import PlayedModel, SpyTool, call, kind_of, opened_rig, reply, serving_rig
from tests.requirement import requirement


@requirement("session.durable", "perm.resolved-always")
async def test_a_chat_that_was_cut_off_comes_back_closed_and_goes_on(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    async with opened_rig(tmp_path, [call("rate", "c1", n=1)]) as rig:
        await rig.session.send("rate")
        before = await rig.until("approval_needed")
        session_id = rig.session.record.session_id
        _copy_database(tmp_path, copy)
    model = PlayedModel([reply("Hello again.")])
    tools = {"rate": SpyTool("rate")}
    async with serving_rig(copy, model, tools, session_id) as rig:
        events = await rig.events()
        assert events[: len(before)] == before
        closing = events[len(before) :]
        assert [kind_of(event) for event in closing] == ["approval_resolved", "tool_skipped", "stopped", "busy"]
        assert isinstance(closing[0], ApprovalResolvedEvent)
        assert closing[0].outcome == "restarted"
        assert isinstance(closing[1], ToolSkippedEvent)
        assert closing[1].reason == "interrupted"
        assert isinstance(closing[2], StoppedEvent)
        assert closing[2].reason == "restart"
        assert rig.session.history[-1] == AssistantTurn(text=CUT_OFF)
        assert rig.session.busy is False
        await rig.session.send("hello")
        await rig.idle(times=2)
        assert tools["rate"].runs == []


@requirement("session.durable", "session.every-call-has-a-result")
async def test_a_call_that_had_ended_before_the_cut_keeps_its_result_and_only_the_others_are_unknown(
    tmp_path: Path,
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    calls = (
        ToolCall(call_id="c1", tool="look", arguments={"n": 1}),
        ToolCall(call_id="c2", tool="look", arguments={"n": 1}),
        ToolCall(call_id="c3", tool="rate", arguments={"n": 1}),
    )
    async with opened_rig(tmp_path, [AssistantTurn(calls=calls)]) as rig:
        await rig.session.send("look and rate")
        await rig.until("approval_needed")
        await rig.until("tool_done")
        await rig.until("tool_skipped")
        session_id = rig.session.record.session_id
        _copy_database(tmp_path, copy)
    async with serving_rig(copy, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        results = rig.session.history[-2]
        assert isinstance(results, ToolResults)
        assert [result.outcome for result in results.results] == ["success", "skipped", "interrupted"]
        assert "did" in results.results[0].text
        assert rig.session.history[-1] == AssistantTurn(text=CUT_OFF)
        history = rig.session.history
    async with serving_rig(copy, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        assert rig.session.history == history


@requirement("session.durable")
async def test_a_hole_in_an_old_conversation_does_not_double_anything_at_a_restart(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    async with opened_rig(tmp_path, [call("rate", "c2", n=1)]) as rig:
        hole = call("look", "c1")
        await rig.session.say(UserMessage(text="before"))
        await rig.session.say(hole)
        await rig.session.say(AssistantTurn(text="(It failed.)"))
        await rig.session.send("rate")
        await rig.until("approval_needed")
        before = rig.session.history
        session_id = rig.session.record.session_id
        _copy_database(tmp_path, copy)
    async with serving_rig(copy, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        after = rig.session.history
        assert after[: len(before)] == before
        assert [type(message) for message in after[len(before) :]] == [ToolResults, AssistantTurn]


async def test_a_chat_that_was_idle_comes_back_as_it_was(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Hello.")]) as rig:
        await rig.session.send("hello")
        before = await rig.idle()
        session_id = rig.session.record.session_id
        history = rig.session.history
    async with serving_rig(tmp_path, PlayedModel([]), {"rate": SpyTool("rate")}, session_id) as rig:
        assert await rig.events() == before
        assert rig.session.history == history


async def test_an_ended_chat_is_erased_and_its_stream_ends(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("Hello.")]) as rig:
        await rig.session.send("hello")
        await rig.idle()
        stream = rig.session.log.follow(None)
        await anext(stream)
        session_id = rig.session.record.session_id
        await rig.chats.end(session_id)
        async with asyncio.timeout(5):
            async for _ in stream:
                pass
        rows = await rig.database.run(lambda connection: connection.execute("SELECT * FROM events").fetchall())
        assert rows == []
        try:
            await rig.chats.get(session_id)
        except Forbidden:
            return
        raise AssertionError("an ended chat was found")


def _copy_database(source: Path, target: Path) -> None:
    """As a kill would leave it: the files, not a clean close."""
    for file in source.glob("safelight.db*"):
        (target / file.name).write_bytes(file.read_bytes())
