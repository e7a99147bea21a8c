"""The event stream over real HTTP: cuts at every kind of place, silence, unknown events, the end."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from safelight_client import (
    Forbidden,
    SafelightClient,
    ServiceUnreachable,
    StreamBroken,
    StreamedEvent,
    UnknownEvent,
    _backoff,
    _follow,
    models,
    seq_of,
)
from tests.client.chat_double import StreamPlan
from tests.requirement import requirement

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.client.chat_double import ChatDouble
    from tests.client.service_double import ServiceDouble


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_backoff, "FIRST_PAUSE_S", 0.001)
    for module in (_backoff, _follow):
        monkeypatch.setattr(module, "LONGEST_PAUSE_S", 0.002)


def a_conversation(service: ServiceDouble, plans: list[StreamPlan]) -> ChatDouble:
    """A chat with six events in its log."""
    chat = service.new_chat()
    chat.plans.extend(plans)

    def fill() -> None:
        chat.append("user_message", message_id="m1", text="Show me \u2028 the best \u0085 📷")
        chat.append("busy", busy=True)
        chat.append("of_tomorrow", colour="infrared")
        chat.append("assistant_turn", reasoning="", text="Here.")
        chat.append("job", job_id="j", kind="index", state="stalled", done=0, total=1)
        chat.append("busy", busy=False)

    service.do(fill)
    return chat


async def up_to(seq: int, events: AsyncGenerator[StreamedEvent, None]) -> list[StreamedEvent]:
    """The events until the one with that number."""
    found: list[StreamedEvent] = []
    async with asyncio.timeout(20), aclosing(events):
        async for event in events:
            found.append(event)
            if seq_of(event) == seq:
                return found
    return found


@requirement("contract.events")
async def test_events_are_typed_and_unknown_ones_are_handed_over_as_they_came(
    service: ServiceDouble, client: SafelightClient
) -> None:
    chat = a_conversation(service, [])
    hello, *events = await up_to(6, client.follow(chat.session_id))
    assert isinstance(hello, models.HelloEvent)
    assert hello.head == 6
    assert events == [
        models.UserMessageEvent(seq=1, message_id="m1", text="Show me \u2028 the best \u0085 📷"),
        models.BusyEvent(seq=2, busy=True),
        UnknownEvent("of_tomorrow", 3, {"type": "of_tomorrow", "seq": 3, "colour": "infrared"}),
        models.AssistantTurnEvent(seq=4, reasoning="", text="Here."),
        UnknownEvent("job", 5, chat.log[4]),
        models.BusyEvent(seq=6, busy=False),
    ]


@requirement("event.replay-property")
async def test_a_stream_that_is_cut_anywhere_gives_the_whole_after_a_reconnect(
    service: ServiceDouble, client: SafelightClient
) -> None:
    for cut in range(40, 520, 23):
        chat = a_conversation(service, [StreamPlan(cut=cut)])
        events = await up_to(6, client.follow(chat.session_id))
        assert [seq_of(event) for event in events if seq_of(event)] == [1, 2, 3, 4, 5, 6]
        assert len(chat.connections) == 2


async def test_every_kind_of_failure_in_a_row_loses_and_doubles_nothing(
    service: ServiceDouble, client: SafelightClient
) -> None:
    plans = [
        *(StreamPlan(frames=2), StreamPlan(status=503), StreamPlan(repeat=2, cut=190), StreamPlan(skip=1)),
        *(StreamPlan(resync="behind"), StreamPlan(raw=b"data: no event\n\n"), StreamPlan(raw=b'data: {"seq":1}\n\n')),
        *(StreamPlan(frames=3), StreamPlan(raw=b'data: {"type":"busy","seq":')),
    ]
    chat = a_conversation(service, plans)
    events = await up_to(6, client.follow(chat.session_id))
    assert [seq_of(event) for event in events if seq_of(event)] == [1, 2, 3, 4, 5, 6]
    assert len(chat.plans) == 0


async def test_a_stream_in_which_only_comments_come_is_a_healthy_one(
    service: ServiceDouble, client: SafelightClient
) -> None:
    """mastra-ai/mastra PR#22416: the reader cut a healthy stream, for it did not count comments."""
    service.keepalive_s = 0.4
    chat = a_conversation(service, [])
    reading = asyncio.create_task(up_to(7, client.follow(chat.session_id)))
    for _ in range(5):
        done, _ = await asyncio.wait({reading}, timeout=0.3)
        assert not done
        service.do(chat.comment)
    service.do(lambda: chat.append("busy", busy=True))
    assert seq_of((await reading)[-1]) == 7
    assert chat.connections == [None]


async def test_silence_of_two_and_a_half_intervals_breaks_a_stream(
    service: ServiceDouble, client: SafelightClient
) -> None:
    service.keepalive_s = 0.02
    chat = a_conversation(service, [StreamPlan(silent=True)] * 2)
    with pytest.raises(StreamBroken, match="silent for 0.05 seconds"):
        await up_to(6, client.follow_events(chat.session_id))
    events = await up_to(6, client.follow(chat.session_id))
    assert seq_of(events[-1]) == 6
    assert chat.connections == [None, None, None]


async def test_after_and_the_chats_end(service: ServiceDouble, client: SafelightClient) -> None:
    chat = a_conversation(service, [])
    assert [seq_of(e) for e in await up_to(6, client.follow(chat.session_id, after=4))] == [None, 5, 6]
    assert chat.connections == ["4"]
    stream = client.follow(chat.session_id)
    async with asyncio.timeout(20), aclosing(stream):
        assert isinstance(await anext(stream), models.HelloEvent)
        await client.delete_chat(chat.session_id)
        rest = [event async for event in stream]
    assert rest[-1] == models.ResyncEvent(reason="ended")
    with pytest.raises(Forbidden):
        await up_to(1, client.follow(chat.session_id))


async def test_a_number_of_the_future_leads_back_to_the_start(service: ServiceDouble, client: SafelightClient) -> None:
    chat = a_conversation(service, [])
    events = await up_to(6, client.follow(chat.session_id, after=7000))
    assert models.ResyncEvent(reason="future_after") in events
    assert [seq_of(event) for event in events if seq_of(event)] == [1, 2, 3, 4, 5, 6]


async def test_a_chat_token_of_another_chat_is_refused_at_once(service: ServiceDouble) -> None:
    chat, other = service.new_chat(), service.new_chat()
    async with SafelightClient(service.url, chat_token=other.token) as client:
        with pytest.raises(Forbidden):
            await up_to(1, client.follow(chat.session_id))


async def test_a_service_that_is_not_there_ends_the_patience() -> None:
    async with SafelightClient("http://127.0.0.1:9", agent_token="t") as client:
        with pytest.raises(ServiceUnreachable):
            await up_to(1, client.follow("s", patience_s=0.01))


async def test_leaving_the_loop_closes_the_connection(service: ServiceDouble, client: SafelightClient) -> None:
    chat = service.new_chat()
    async with asyncio.timeout(20):
        async with aclosing(client.follow(chat.session_id)) as stream:
            assert isinstance(await anext(stream), models.HelloEvent)
        assert await asyncio.to_thread(chat.left.wait, 20)
