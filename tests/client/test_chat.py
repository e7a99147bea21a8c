"""A chat as an object, over real HTTP."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from safelight_client import Chat, Conflict, SafelightClient, StreamedEvent, models

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.client.chat_double import ChatDouble
    from tests.client.service_double import ServiceDouble


async def run(chat: Chat, text: str) -> list[StreamedEvent]:
    async with asyncio.timeout(20), aclosing(chat.run(text)) as events:
        return [event async for event in events]


async def test_a_message_is_seen_through_to_the_end_of_its_work(
    service: ServiceDouble, client: SafelightClient
) -> None:
    chat = await client.start_chat(model="small", mode="ask_all")
    assert service.chats[chat.session_id].opened_with == {"model": "small", "mode": "ask_all"}
    for text in ("one", "two"):
        events = await run(chat, text)
        assert any(isinstance(event, models.DeltaEvent) for event in events)
        turns = [event.text for event in events if isinstance(event, models.AssistantTurnEvent)]
        assert turns == [f"You said: {text}"]
        assert isinstance(events[-1], models.BusyEvent)
    again = [e for e in events if isinstance(e, models.UserMessageEvent)]
    assert [event.text for event in again] == ["two"]


async def test_the_service_chooses_when_nothing_is_named(service: ServiceDouble, client: SafelightClient) -> None:
    chat = await client.start_chat()
    assert service.chats[chat.session_id].opened_with == {}
    assert chat.sends_to is None
    assert repr(chat) == f"Chat('{chat.session_id}')"


async def test_a_question_is_answered_once(service: ServiceDouble, client: SafelightClient) -> None:
    async def script(double: ChatDouble, _text: str) -> None:
        await double.ask("c1")
        await double.ask("c2")

    service.script = script
    chat = await client.start_chat()
    async with asyncio.timeout(20), aclosing(chat.run("Rate them")) as events:
        async for event in events:
            if isinstance(event, models.ApprovalNeededEvent):
                if event.call_id == "c1":
                    answered = await chat.answer("c1", "once", arguments={"rating": 4})
                    assert answered == models.ApprovalAnswered(call_id="c1", outcome="once")
                    with pytest.raises(Conflict):
                        await chat.answer("c1", "deny")
                else:
                    await chat.answer("c2", "deny", "Only the best three.")
    assert service.chats[chat.session_id].answers == {
        "c1": {"decision": "once", "arguments": {"rating": 4}},
        "c2": {"decision": "deny", "note": "Only the best three."},
    }


async def test_stop_and_delete(service: ServiceDouble, client: SafelightClient) -> None:
    async def script(double: ChatDouble, _text: str) -> None:
        await double.ask()

    service.script = script
    chat = await client.start_chat()
    stopped: list[StreamedEvent] = []
    async with asyncio.timeout(20), aclosing(chat.run("Wait")) as events:
        async for event in events:
            stopped.append(event)
            if isinstance(event, models.ApprovalNeededEvent):
                stopping = await chat.stop()
                assert (stopping.stopping, stopping.returned) == (True, [])
    assert any(isinstance(event, models.StoppedEvent) for event in stopped)
    assert not (await chat.stop()).stopping
    await chat.delete()
    assert service.chats[chat.session_id].ended


async def test_a_queued_message_is_awaited_and_one_that_is_taken_out_ends(
    service: ServiceDouble, client: SafelightClient
) -> None:
    double = service.new_chat()
    chat = client.chat(double.session_id)

    def deliver(text: str) -> None:
        double.append("busy", busy=False)
        double.append("unqueued", message_id=text)
        double.append("user_message", message_id=text, text=text)
        double.append("busy", busy=True)
        double.append("assistant_turn", reasoning="", text=f"About {text}")
        double.append("busy", busy=False)

    def take_out(text: str) -> None:
        double.append("unqueued", message_id="of someone else")
        double.append("unqueued", message_id=text)
        double.append("busy", busy=False)

    for text, then, last in (("one", deliver, 7), ("two", take_out, 11)):

        async def queued(
            text: str, *, idempotency_key: str | None = None, then: Callable[[str], None] = then
        ) -> models.MessageAccepted:
            assert idempotency_key is None
            seq = service.do(lambda: double.append("queued", message_id=text, text=text))
            service.do(lambda: double.live("delta", kind="text", text="of an earlier message", offset=0))
            service.do(lambda: then(text))
            return models.MessageAccepted(seq=seq, message_id=text)

        chat.send = queued
        events = await run(chat, text)
        assert events[-1] == models.BusyEvent(seq=last, busy=False)
        assert not any(isinstance(event, models.DeltaEvent) for event in events)
