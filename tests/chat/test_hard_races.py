"""Stop, answer, delete, send and the end of a run, all at the same moment."""

from __future__ import annotations

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from safelight.chat.session import ChatSession
from safelight.conversation.parts import AssistantTurn, ToolCall, UserMessage
from safelight.errors import Conflict, Forbidden, SafelightError
from safelight.gate.permissions import PermissionBook
from safelight.wire.models import (
    ApprovalAnswer,
    ApprovalResolvedEvent,
    Event,
    OpenChat,
    PermissionsUpdate,
    StoppedEvent,
    ToolCallEvent,
    ToolDoneEvent,
    ToolRunningEvent,
    ToolSkippedEvent,
    UnqueuedEvent,
    UserMessageEvent,
)
from tests.chat.rig import Rig, call, kind_of, opened_rig, parse_frames, reply
from tests.requirement import requirement

TABLES = ("sessions", "events", "transcript", "results")


async def rows_of(rig: Rig) -> dict[str, int]:
    def count(connection: Any) -> dict[str, int]:
        return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}

    return await rig.database.run(count)


async def turns_of_the_loop(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


def is_well_formed(events: list[Event]) -> None:
    """What must hold of every log of a chat that is idle."""
    kinds = [kind_of(event) for event in events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))  # type: ignore[union-attr]  # all have one
    assert kinds.count("approval_needed") == kinds.count("approval_resolved")
    busy = [getattr(event, "busy", None) for event in events if kind_of(event) == "busy"]
    assert busy == [True, False] * (len(busy) // 2)
    called = [event.call_id for event in events if isinstance(event, ToolCallEvent)]
    ended = [event.call_id for event in events if isinstance(event, (ToolDoneEvent, ToolSkippedEvent))]
    assert sorted(called) == sorted(ended)


async def test_deleting_a_chat_that_has_messages_waiting_starts_none_of_them_and_leaves_nothing(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("one"), reply("two")], hold=asyncio.Event()) as rig:
        await rig.session.send("first")
        await rig.model.streaming.wait()
        await rig.session.send("second")
        await rig.chats.end(rig.session.record.session_id)
        await turns_of_the_loop(20)
        assert len(rig.model.requests) == 1
        assert await rows_of(rig) == dict.fromkeys(TABLES, 0)
        assert rig.session.busy is False


@pytest.mark.parametrize("later", range(0, 40, 2))
async def test_a_message_to_a_chat_that_is_being_deleted_is_refused_or_erased_with_it(
    tmp_path: Path, later: int
) -> None:
    async with opened_rig(tmp_path, [reply("one"), reply("two")]) as rig:
        session_id = rig.session.record.session_id
        sending = asyncio.create_task(rig.session.send("hello"))
        await turns_of_the_loop(later)
        await rig.chats.end(session_id)
        (sent,) = await asyncio.gather(sending, return_exceptions=True)
        assert not isinstance(sent, BaseException) or isinstance(sent, Forbidden)
        with pytest.raises(Forbidden):
            await rig.session.send("hello?")
        assert rig.session.busy is False
        assert await rows_of(rig) == dict.fromkeys(TABLES, 0)


@requirement("perm.resolved-always")
async def test_deleting_a_chat_with_an_open_question_runs_nothing_and_tells_its_readers(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1)]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        reading = asyncio.create_task(read_all(rig.session, "0"))
        await turns_of_the_loop(5)
        await rig.chats.end(rig.session.record.session_id)
        async with asyncio.timeout(5):
            events = await reading
        assert [kind_of(event) for event in events][-1] == "resync"
        assert [event.outcome for event in events if isinstance(event, ApprovalResolvedEvent)] == ["stopped"]
        assert rig.tools["rate"].runs == []
        with pytest.raises(SafelightError):
            await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")


async def test_deleting_a_chat_while_a_tool_runs_lets_it_finish_and_erases_its_result(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("no")]) as rig:
        rig.tools["look"].hold = asyncio.Event()
        await rig.session.send("look")
        await rig.tools["look"].started.wait()
        ending = asyncio.create_task(rig.chats.end(rig.session.record.session_id))
        await turns_of_the_loop(5)
        assert not ending.done()
        rig.tools["look"].hold.set()
        async with asyncio.timeout(5):
            await ending
        assert len(rig.model.requests) == 1
        assert await rows_of(rig) == dict.fromkeys(TABLES, 0)


@requirement("perm.resolved-always")
async def test_of_two_answers_at_once_one_counts(tmp_path: Path) -> None:
    """Kilo-Org/kilocode PR#6803, Kilo-Org/kilocode PR#9450, Kilo-Org/kilocode#9283, Kilo-Org/kilocode PR#14277: two
    tabs answered, and one box stayed."""
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        answers = await asyncio.gather(
            rig.session.answer("c1", ApprovalAnswer(decision="deny"), "page"),
            rig.session.answer("c1", ApprovalAnswer(decision="once"), "agent"),
            return_exceptions=True,
        )
        assert [isinstance(answer, Conflict) for answer in answers] == [False, True]
        is_well_formed(await rig.idle())
        assert rig.tools["rate"].runs == []


@requirement("session.stop", "perm.denied-never-runs")
@pytest.mark.parametrize("first", ["answer", "stop"])
async def test_an_answer_and_a_stop_at_once_run_nothing(tmp_path: Path, first: str) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        answering = rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        pair = [answering, rig.session.stop()]
        answers = await asyncio.gather(*(pair if first == "answer" else pair[::-1]), return_exceptions=True)
        events = await rig.idle()
        is_well_formed(events)
        assert rig.tools["rate"].runs == []
        assert kind_of(events[-2]) == "stopped"
        assert any(isinstance(answer, Conflict) for answer in answers) == (first == "stop")


@requirement("session.stop", "perm.denied-never-runs")
async def test_a_stop_between_the_note_that_a_tool_runs_and_its_run_still_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("no")]) as rig:
        append = rig.session.log.append

        async def stop_after_noting(event: Event) -> int:
            seq = await append(event)
            if isinstance(event, ToolRunningEvent):
                assert (await rig.session.stop()).stopping
            return seq

        monkeypatch.setattr(rig.session.log, "append", stop_after_noting)
        await rig.session.send("look")
        events = await rig.idle()
        is_well_formed(events)
        assert rig.tools["look"].runs == []
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["stopped"]


@requirement("session.stop-every-phase")
@pytest.mark.parametrize("later", range(0, 90, 3))
async def test_a_stop_at_any_moment_ends_the_run_and_the_next_message_is_answered(tmp_path: Path, later: int) -> None:
    turns = [call("look", "c1", n=1), call("look", "c2", n=2), reply("Done.")]
    async with opened_rig(tmp_path, turns) as rig:
        await rig.session.send("look")
        await turns_of_the_loop(later)
        stopping = (await rig.session.stop()).stopping
        events = await rig.idle()
        is_well_formed(events)
        assert ("stopped" in map(kind_of, events)) == stopping
        rig.model.turns = [reply("Again.")]
        await rig.session.send("again")
        is_well_formed(await rig.idle(times=2))
        assert rig.session.history[-1] == reply("Again.")


@requirement("session.queue")
@pytest.mark.parametrize("later", range(0, 60, 3))
async def test_a_message_sent_at_any_moment_around_the_end_of_a_run_is_answered_once(
    tmp_path: Path, later: int
) -> None:
    """vicoa-ai/vicoa PR#52: a wish: a message that waits goes through clear states."""
    hold = asyncio.Event()
    async with opened_rig(tmp_path, [reply("one"), reply("two")], hold=hold) as rig:
        await rig.session.send("first")
        await rig.model.streaming.wait()
        hold.set()
        await turns_of_the_loop(later)
        accepted = await rig.session.send("second")
        events = await rig.idle(times=2)
        is_well_formed(events)
        assert [event.text for event in events if isinstance(event, UserMessageEvent)] == ["first", "second"]
        assert events[accepted.seq - 1].message_id == accepted.message_id  # type: ignore[union-attr]  # one of the two
        said = [message.text for message in rig.session.history if isinstance(message, UserMessage)]
        assert said == ["first", "second"]


@requirement("session.durable")
async def test_a_service_that_stops_with_all_open_leaves_a_closed_log_and_an_empty_queue(tmp_path: Path) -> None:
    two = AssistantTurn(
        calls=(
            ToolCall(call_id="c1", tool="rate", arguments={"n": 1}),
            ToolCall(call_id="c2", tool="look", arguments={}),
        )
    )
    async with opened_rig(tmp_path, [two, reply("never")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.until("tool_done")
        waiting = await rig.session.send("and this")
        reading = asyncio.create_task(read_all(rig.session, "0"))
        await turns_of_the_loop(5)
        async with asyncio.timeout(5):
            await rig.chats.close()
            await reading
        with pytest.raises(Conflict):
            await rig.session.send("too late")
        events = await rig.events()
        is_well_formed(events)
        after = [kind_of(event) for event in events[[kind_of(event) for event in events].index("queued") + 1 :]]
        assert after[0] == "approval_resolved"
        assert sorted(after[1:-2]) == ["tool_skipped", "unqueued"]
        assert after[-2:] == ["stopped", "busy"]
        unqueued = [event for event in events if isinstance(event, UnqueuedEvent)]
        assert [(event.message_id, event.reason) for event in unqueued] == [(waiting.message_id, "returned")]
        assert [event.reason for event in events if isinstance(event, StoppedEvent)] == ["service"]
        assert len(rig.model.requests) == 1
        assert await rows_of(rig) == {"sessions": 1, "events": len(events), "transcript": 4, "results": 1}


async def test_a_reader_that_goes_away_stops_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    hold = asyncio.Event()
    async with opened_rig(tmp_path, [reply("a long story")], hold=hold) as rig:
        await rig.session.send("tell")
        await rig.model.streaming.wait()
        streams = [rig.session.log.follow(None) for _ in range(3)]
        for stream in streams:
            await anext(stream)
        pulls = [asyncio.create_task(read_on(stream)) for stream in streams]
        await turns_of_the_loop(5)
        assert rig.session.log.readers == 3
        for pull in pulls:
            pull.cancel()
        await asyncio.gather(*pulls, return_exceptions=True)
        assert rig.session.log.readers == 0
        hold.set()
        assert "assistant_turn" in [kind_of(event) for event in await rig.idle()]


async def test_ended_chats_leave_nothing_in_memory(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, []) as rig:
        gone: list[weakref.ref[Any]] = []
        for _ in range(5):
            rig.model.turns = [call("look", "c1", n=1), call("rate", "c2", n=1)]
            opened = await rig.chats.open(OpenChat(), "played")
            await opened.session.send("look and rate")
            stream = opened.session.log.follow(None)
            async for chunk in stream:
                if b"approval_needed" in chunk:
                    break
            await rig.chats.end(opened.session.record.session_id)
            await stream.aclose()
            gone += [weakref.ref(opened.session), weakref.ref(opened.session.log)]
            del opened, stream
        rig.model.requests.clear()
        await turns_of_the_loop(5)
        gc.collect()
        assert [ref() for ref in gone] == [None] * 10
        left = {task.get_name() for task in asyncio.all_tasks()}
        assert not [name for name in left if name.startswith("run ") or name == "model turn"]
        assert len(await rig.chats.describe_all()) == 1


@requirement("perm.answers")
async def test_rules_that_are_saved_at_the_same_time_are_all_saved(tmp_path: Path) -> None:
    book = PermissionBook(tmp_path)
    book.bind("catalog-1")
    names = [f"tool_{n}" for n in range(20)]
    await asyncio.gather(*(asyncio.to_thread(book.always, name, book.place) for name in names))
    again = PermissionBook(tmp_path)
    again.bind("catalog-1")
    assert again.current().rules == dict.fromkeys(names, "allow")


async def test_an_always_that_cannot_be_saved_runs_and_says_so(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        rig.permissions.bind("catalog-1")
        (tmp_path / "catalogs").write_text("in the way", encoding="utf-8")
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.session.answer("c1", ApprovalAnswer(decision="always"), "page")
        events = await rig.idle()
        assert "warning" in [kind_of(event) for event in events]
        assert rig.tools["rate"].runs == [{"n": 1}]


@requirement("perm.rules")
async def test_a_tool_that_is_blocked_while_its_question_waits_does_not_run(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Ok.")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        rig.permissions.replace(PermissionsUpdate(mode="auto_all", rules={"rate": "block"}, bulk_limit=0))
        await rig.session.answer("c1", ApprovalAnswer(decision="once"), "page")
        events = await rig.idle()
        assert [event.reason for event in events if isinstance(event, ToolSkippedEvent)] == ["turned_off"]
        assert rig.tools["rate"].runs == []


async def read_all(session: ChatSession, after: str) -> list[Event]:
    return [event async for chunk in session.log.follow(after) for event, _ in parse_frames(chunk)]


async def read_on(stream: Any) -> None:
    async for _ in stream:
        pass
