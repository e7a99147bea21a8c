"""What is kept of the inbox: over a kill, and how much."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.catalog.database import Database
from safelight.chat import inbox as inbox_module
from safelight.chat.inbox import Inbox
from safelight.chat.limits import ChatLimits
from safelight.chat.schema import MIGRATIONS
from safelight.conversation.chat_state import ChatState, fold
from safelight.gate.gate import Refused
from safelight.gate.permissions import AgentPermissions
from safelight.wire.models import ApprovalAnswer, Event, HelloEvent
from tests.chat.rig import parse_frames
from tests.mcp.test_form import question
from tests.requirement import requirement


@asynccontextmanager
async def inbox_at(folder: Path) -> AsyncGenerator[Inbox]:
    database = Database(folder / "safelight.db", MIGRATIONS)
    inbox = Inbox(database, AgentPermissions(folder), ChatLimits())
    try:
        await inbox.load()
        yield inbox
    finally:
        await database.close()


async def told(inbox: Inbox, after: int = 0) -> list[Any]:
    return [msgspec.json.decode(body, type=Event) for body in await inbox.log.read(after)]


async def read_by(inbox: Inbox, after: int) -> list[Event]:
    """What a reader gets who comes now, up to the newest event."""
    data = b""
    async with asyncio.timeout(5), aclosing(inbox.log.follow(str(after))) as chunks:
        async for chunk in chunks:
            data += chunk
            if f'"seq":{inbox.log.head},'.encode() in data:
                break
    return [event for event, _ in parse_frames(data)]


async def state_of_a_reader(inbox: Inbox, after: int = 0) -> ChatState:
    state = ChatState(head=after)
    for event in await read_by(inbox, after):
        state = fold(state, event)
    return state


async def asked_of(inbox: Inbox, questions: int) -> None:
    """Returns once so many questions stand in the log."""
    told = b""
    async with asyncio.timeout(5), aclosing(inbox.log.follow(None)) as chunks:
        async for chunk in chunks:
            told += chunk
            if told.count(b'"approval_needed"') == questions:
                return


@requirement("mcp.approvals")
async def test_what_a_kill_left_open_is_closed_at_the_start_and_only_what_ran_is_unknown(tmp_path: Path) -> None:
    waiting: list[asyncio.Task[Any]] = []
    async with inbox_at(tmp_path) as inbox:
        for call_id in ("waits", "ran", "over"):
            asked = question(call_id=call_id)
            assert await inbox.announce(asked) is None
            waiting.append(asyncio.create_task(inbox.ask(asked)))
        await asked_of(inbox, 3)
        for call_id in ("ran", "over"):
            await inbox.answer_for_client(call_id, msgspec.convert({"decision": "once"}, ApprovalAnswer))
        await inbox.running("ran", {"rating": 5})
        await inbox.ended("over", Refused(why="not_allowed", text=""))
        head = inbox.log.head
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    async with inbox_at(tmp_path) as inbox:
        closed = await told(inbox, head)
        assert [(event.call_id, getattr(event, "outcome", None) or event.reason) for event in closed] == [
            ("waits", "restarted"),
            ("waits", "stopped"),
            ("ran", "interrupted"),
        ]
        assert inbox.open() == []
        head = inbox.log.head
    async with inbox_at(tmp_path) as inbox:
        assert inbox.log.head == head


async def test_the_newest_events_are_kept_and_older_ones_go_as_more_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "MOST_KEPT", 10)
    async with inbox_at(tmp_path) as inbox:
        for number in range(30):
            call_id = f"call_{number}"
            assert await inbox.announce(question(call_id=call_id)) is None
            await inbox.ended(call_id, None)
        kept = await told(inbox)
        assert [event.seq for event in kept] == list(range(51, 61))
        assert await state_of_a_reader(inbox) == await state_of_a_reader(inbox, after=45)
        state = await state_of_a_reader(inbox)
        assert (state.head, state.missing, len(state.entries)) == (60, None, 5)
    async with inbox_at(tmp_path) as inbox:
        assert (inbox.log.head, inbox.log.first) == (60, 51)
        assert await state_of_a_reader(inbox) == state


async def test_a_log_of_which_all_is_kept_names_no_oldest_event(tmp_path: Path) -> None:
    async with inbox_at(tmp_path) as inbox:
        assert await inbox.announce(question()) is None
        (hello, _) = await read_by(inbox, 0)
        assert isinstance(hello, HelloEvent)
        assert hello.first is msgspec.UNSET


@requirement("mcp.approvals", "perm.answers")
async def test_the_rule_of_an_answer_always_stands_once_it_is_answered_also_where_the_agent_has_just_gone(
    tmp_path: Path,
) -> None:
    async with inbox_at(tmp_path) as inbox:
        asked = question()
        await inbox.announce(asked)
        waiting = asyncio.create_task(inbox.ask(asked))
        await asked_of(inbox, 1)
        await inbox.answer(asked.call_id, ApprovalAnswer(decision="always"), "page")
        waiting.cancel()
        assert AgentPermissions(tmp_path).current().rules == {asked.tool: "allow"}
        await asyncio.gather(waiting, return_exceptions=True)
