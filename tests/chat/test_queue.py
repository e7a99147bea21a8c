"""Messages that wait behind a run: each is delivered, removed or returned, once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from safelight.conversation.parts import AssistantTurn, ToolResults, UserMessage
from safelight.errors import Conflict, NotFound
from safelight.wire.models import ApprovalAnswer, Event, QueuedEvent, ReturnedMessage, StoppedEvent, UnqueuedEvent
from tests.chat.rig import Rig, call, kind_of, opened_rig, reply
from tests.chat.test_hard_races import is_well_formed, turns_of_the_loop
from tests.requirement import requirement


def taken_out(events: list[Event]) -> list[tuple[str, object]]:
    return [(event.message_id, event.reason) for event in events if isinstance(event, UnqueuedEvent)]


def said(rig: Rig) -> list[str]:
    return [message.text for message in rig.session.history if isinstance(message, UserMessage)]


async def held(rig: Rig) -> asyncio.Event:
    """Begin a run that goes on until the event is set."""
    rig.model.hold = hold = asyncio.Event()
    await rig.session.send("first")
    await rig.model.streaming.wait()
    return hold


@requirement("session.queue")
async def test_twenty_messages_may_wait_and_one_more_is_refused_until_there_is_room(tmp_path: Path) -> None:
    """sagents PR#152, earendil-works/pi#2289: the order of messages that wait was a surprise."""
    async with opened_rig(tmp_path, [reply(str(n)) for n in range(30)]) as rig:
        hold = await held(rig)
        waiting = [await rig.session.send(f"message {n}") for n in range(20)]
        with pytest.raises(Conflict) as full:
            await rig.session.send("one more")
        assert full.value.code == "queue_full"
        await rig.session.remove_queued(waiting[3].message_id)
        await rig.session.send("one more")
        hold.set()
        events = await rig.idle(times=21)
        is_well_formed(events)
        assert said(rig) == ["first", *(f"message {n}" for n in range(20) if n != 3), "one more"]
        reasons = [reason for _, reason in taken_out(events)]
        assert (reasons.count("delivered"), reasons.count("removed"), len(reasons)) == (20, 1, 21)


@requirement("session.queue", "session.stop")
async def test_a_stop_takes_out_what_waits_and_gives_it_back_as_it_was_edited(tmp_path: Path) -> None:
    """openclaw/openclaw#128008: a message that waited was lost at a stop."""
    async with opened_rig(tmp_path, [reply("one"), reply("two")]) as rig:
        await held(rig)
        second = (await rig.session.send("second")).message_id
        third = (await rig.session.send("third")).message_id
        await rig.session.edit_queued(second, "second, better")
        stopping = await rig.session.stop()
        assert stopping.returned == [
            ReturnedMessage(message_id=second, text="second, better"),
            ReturnedMessage(message_id=third, text="third"),
        ]
        events = await rig.idle()
        is_well_formed(events)
        assert taken_out(events) == [(second, "returned"), (third, "returned")]
        await turns_of_the_loop(20)
        assert len(rig.model.requests) == 1
        assert said(rig) == ["first"]
        assert (await rig.session.stop()).returned == []


@requirement("session.queue", "session.stop")
async def test_a_message_sent_after_a_stop_is_answered_once_the_tool_that_runs_has_finished(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [call("look", "c1", n=1), reply("Here.")]) as rig:
        look = rig.tools["look"]
        look.hold = asyncio.Event()
        await rig.session.send("first")
        await look.started.wait()
        await rig.session.send("never")
        stopping = await rig.session.stop()
        assert [message.text for message in stopping.returned] == ["never"]
        await rig.session.send("now this")
        again = await rig.session.stop()
        assert [message.text for message in again.returned] == ["now this"]
        await rig.session.send("and this")
        look.hold.set()
        events = await rig.idle(times=2)
        is_well_formed(events)
        assert said(rig) == ["first", "and this"]
        assert [reason for _, reason in taken_out(events)] == ["returned", "returned", "delivered"]


@requirement("session.queue", "perm.denied-never-runs")
async def test_a_message_typed_while_a_question_stands_open_waits_and_answers_nothing(tmp_path: Path) -> None:
    """kirodotdev/KiroCrew#4714: a message typed while a question waited was lost. ZooCode#1308: a message that waited
    answered a question."""
    async with opened_rig(tmp_path, [call("rate", "c1", n=1), reply("Left."), reply("Yes?")]) as rig:
        await rig.session.send("rate")
        await rig.until("approval_needed")
        await rig.session.send("yes")
        await turns_of_the_loop(20)
        assert [question.call_id for question in rig.session.questions().open()] == ["c1"]
        assert kind_of((await rig.events())[-1]) == "queued"
        await rig.session.answer("c1", ApprovalAnswer(decision="deny"), "page")
        is_well_formed(await rig.idle(times=2))
        assert rig.tools["rate"].runs == []


@requirement("session.queue")
async def test_a_message_is_delivered_behind_the_results_of_all_calls_and_its_run_starts_anew(tmp_path: Path) -> None:
    """osaurus-ai/osaurus PR#2653: a message came between a call and its result, and the old one's guards held for it.
    NousResearch/hermes-agent#110979, NousResearch/hermes-agent PR#37618, NousResearch/hermes-agent PR#111394: a message
    was glued to a result and taken for an injection."""
    turns = [call("look", "c1", n=1), reply("One."), call("look", "c2", n=1), reply("Two.")]
    async with opened_rig(tmp_path, turns) as rig:
        look = rig.tools["look"]
        look.hold = asyncio.Event()
        await rig.session.send("first")
        await look.started.wait()
        await rig.session.send("second")
        look.hold.set()
        is_well_formed(await rig.idle(times=2))
        shape = [type(message) for message in rig.session.history]
        one_run = [UserMessage, AssistantTurn, ToolResults, AssistantTurn]
        assert shape == one_run * 2
        assert look.runs == [{"n": 1}, {"n": 1}], "the guard against repeated calls is for one message"


@requirement("session.queue")
@pytest.mark.parametrize("later", range(0, 60, 3))
@pytest.mark.parametrize("change", ["edit", "remove"])
async def test_a_change_that_races_the_delivery_counts_or_is_refused(tmp_path: Path, later: int, change: str) -> None:
    async with opened_rig(tmp_path, [reply("one"), reply("two")]) as rig:
        hold = await held(rig)
        message_id = (await rig.session.send("second")).message_id
        hold.set()
        await turns_of_the_loop(later)
        changed = True
        try:
            if change == "edit":
                await rig.session.edit_queued(message_id, "better")
            else:
                await rig.session.remove_queued(message_id)
        except NotFound:
            changed = False
        events = await rig.idle(times=1 if changed and change == "remove" else 2)
        is_well_formed(events)
        kept = {"edit": ["first", "better"], "remove": ["first"]}[change] if changed else ["first", "second"]
        assert said(rig) == kept
        assert len(taken_out(events)) == 1
        edits = [event.text for event in events if isinstance(event, QueuedEvent)]
        assert edits == (["second", "better"] if changed and change == "edit" else ["second"])


@requirement("session.queue", "session.stop")
@pytest.mark.parametrize("later", range(0, 60, 4))
async def test_a_stop_that_races_the_delivery_loses_no_message(tmp_path: Path, later: int) -> None:
    """github/app#3590, microsoft/vscode#317129, github/copilot-cli#3344: messages that waited were never delivered, nor
    in the history."""
    async with opened_rig(tmp_path, [reply("one"), reply("two")]) as rig:
        hold = await held(rig)
        message_id = (await rig.session.send("second")).message_id
        hold.set()
        await turns_of_the_loop(later)
        returned = (await rig.session.stop()).returned
        async with asyncio.timeout(5):
            events = await rig.idle(times=1 if returned else 2)
        is_well_formed(events)
        assert taken_out(events) == [(message_id, "returned" if returned else "delivered")]
        assert said(rig) == (["first"] if returned else ["first", "second"])


@requirement("session.queue", "session.stop")
async def test_a_run_that_ends_before_its_stop_has_looked_at_the_queue_delivers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_rig(tmp_path, [reply("one"), reply("two")]) as rig:
        await held(rig)
        await rig.session.send("second")

        async def slow(text: str = "") -> None:
            await rig.idle()

        monkeypatch.setattr(rig.session.questions(), "stop_all", slow)
        async with asyncio.timeout(5):
            stopping = await rig.session.stop()
        assert [message.text for message in stopping.returned] == ["second"]
        is_well_formed(await rig.events())
        assert said(rig) == ["first"]


@requirement("session.queue")
async def test_the_end_of_the_service_returns_what_waits_and_says_why_the_run_stopped(tmp_path: Path) -> None:
    async with opened_rig(tmp_path, [reply("one")]) as rig:
        await held(rig)
        message_id = (await rig.session.send("second")).message_id
        async with asyncio.timeout(5):
            await rig.chats.close()
        events = await rig.events()
        is_well_formed(events)
        assert taken_out(events) == [(message_id, "returned")]
        assert [event.reason for event in events if isinstance(event, StoppedEvent)] == ["service"]
