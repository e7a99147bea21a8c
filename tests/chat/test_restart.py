"""What is left after the process was killed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from safelight.conversation.parts import AssistantTurn
from safelight.conversation.prompt import STOPPED
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
        assert rig.session.history[-1] == AssistantTurn(text=STOPPED)
        assert rig.session.busy is False
        await rig.session.send("hello")
        await rig.idle(times=2)
        assert tools["rate"].runs == []


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
            rig.chats.get(session_id)
        except Forbidden:
            return
        raise AssertionError("an ended chat was found")


def _copy_database(source: Path, target: Path) -> None:
    """As a kill would leave it: the files, not a clean close."""
    for file in source.glob("safelight.db*"):
        (target / file.name).write_bytes(file.read_bytes())
