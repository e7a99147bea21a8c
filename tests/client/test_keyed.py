"""Requests that are sent again by themselves: each is done once, whatever its connections do."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, get_args

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight_client import (
    AnswerUnreadable,
    Conflict,
    SafelightClient,
    ServiceFailed,
    ServiceUnreachable,
    UnknownEvent,
    _backoff,
    models,
)
from safelight_client._backoff import Backoff
from safelight_client._calls import OPERATIONS
from safelight_client._keyed import TRIES, send_keyed
from tests.client.chat_double import StreamPlan
from tests.client.service_double import Drop
from tests.live import operations
from tests.requirement import requirement

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.client.chat_double import ChatDouble
    from tests.client.service_double import Request, ServiceDouble


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_backoff, "FIRST_PAUSE_S", 0.001)


def posts(service: ServiceDouble) -> list[Request]:
    return [request for request in service.requests if request.method == "POST"]


def said(chat: ChatDouble) -> list[str]:
    return [event["text"] for event in chat.log if event["type"] == "user_message"]


@requirement("session.idempotent")
@pytest.mark.parametrize("drops", [["unread"], ["unanswered"], ["unread", "unanswered"], ["unanswered", "unavailable"]])
async def test_a_message_whose_answer_was_lost_is_sent_again_and_counts_once(
    service: ServiceDouble, client: SafelightClient, drops: list[Drop]
) -> None:
    double = service.new_chat()
    service.drops.extend(drops)
    accepted = await client.chat(double.session_id).send("Once, please.")
    assert accepted == models.MessageAccepted(seq=1, message_id="m1")
    assert said(double) == ["Once, please."]
    sent = posts(service)
    assert len(sent) == len(drops) + 1
    assert len({request.key for request in sent}) == 1
    assert sent[0].key


@requirement("session.idempotent")
async def test_everything_that_does_something_carries_a_key_and_survives_a_broken_connection(
    service: ServiceDouble, client: SafelightClient
) -> None:
    asked = service.new_chat()

    async def script(double: ChatDouble, _text: str) -> None:
        await double.ask("c1")

    service.script = script
    service.drops.append("unanswered")
    chat = await client.start_chat()
    assert len(service.chats) == 2
    running = client.chat(asked.session_id)
    await running.send("Rate them")
    async with aclosing(running.events()) as events:
        async for event in events:
            if isinstance(event, models.ApprovalNeededEvent):
                break
    actions: list[Callable[[], Awaitable[object]]] = [
        lambda: running.answer("c1", "once"),
        lambda: chat.stop(),
        lambda: chat.undo("change_1"),
        lambda: client.mint_token(models.NewToken(name="a", role="viewer")),
    ]
    for action in actions:
        service.requests.clear()
        service.drops.append("unanswered")
        await action()
        first, again = posts(service)
        assert first == again
        assert first.key
    assert asked.answers == {"c1": {"decision": "once"}}
    assert service.undone == ["/v1/changes/change_1/undo"]
    assert len(service.tokens) == 1


async def test_every_message_has_a_key_of_its_own_unless_the_caller_gives_one(
    service: ServiceDouble, client: SafelightClient
) -> None:
    double = service.new_chat()
    chat = client.chat(double.session_id)
    await chat.send("one")
    await chat.send("one")
    await chat.send("two", idempotency_key="mine")
    await chat.send("two", idempotency_key="mine")
    keys = [request.key for request in posts(service)]
    assert len(set(keys[:2])) == 2
    assert keys[2:] == ["mine", "mine"]
    assert said(double) == ["one", "one", "two"]


@pytest.mark.parametrize("drop", get_args(Drop))
async def test_what_takes_no_key_is_never_repeated(service: ServiceDouble, client: SafelightClient, drop: Drop) -> None:
    service.drops.append(drop)
    body = models.SearchIndex(arguments={})
    with pytest.raises((ServiceUnreachable, ServiceFailed)):
        await client.search_index(body)
    assert len(posts(service)) == 1


async def test_an_answer_is_an_answer_and_is_not_asked_for_again(
    service: ServiceDouble, client: SafelightClient
) -> None:
    double = service.new_chat()
    for status, error in ((409, Conflict), (500, ServiceFailed)):
        service.refuse_with = (status, b"")
        with pytest.raises(error):
            await client.chat(double.session_id).send("x")
    service.refuse_with = (200, b"<html>")
    with pytest.raises(AnswerUnreadable):
        await client.chat(double.session_id).send("x")
    assert len(posts(service)) == 3


async def test_after_three_tries_the_outcome_is_called_unknown(service: ServiceDouble, client: SafelightClient) -> None:
    double = service.new_chat()
    lost: list[Drop] = ["unanswered"] * TRIES
    service.drops.extend(lost)
    with pytest.raises(ServiceUnreachable, match="may or may not have been carried out"):
        await client.chat(double.session_id).send("x")
    assert len(posts(service)) == TRIES
    unavailable: list[Drop] = ["unavailable"] * TRIES
    service.drops.extend(unavailable)
    with pytest.raises(ServiceFailed) as failed:
        await client.chat(double.session_id).send("x")
    assert failed.value.status == 503
    assert said(double) == ["x"]


OUTCOMES = ("no listener", "broken", "503", "409", "200")


@given(st.lists(st.sampled_from(OUTCOMES), min_size=3, max_size=3), st.floats(0, 1))
def test_tries_and_pauses_are_bounded_whatever_comes(outcomes: list[str], chance: float) -> None:
    request = httpx.Request("POST", "http://safelight.test")
    tried: list[str] = []
    pauses: list[float] = []

    async def send() -> httpx.Response:
        tried.append(outcomes[len(tried)])
        if tried[-1] == "no listener":
            raise httpx.ConnectError("away", request=request)
        if tried[-1] == "broken":
            raise httpx.ReadError("cut", request=request)
        return httpx.Response(int(tried[-1]))

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def whole() -> str:
        try:
            return str((await send_keyed(send, Backoff(lambda: chance), pause)).status_code)
        except httpx.ConnectError:
            return "no listener"
        except httpx.ReadError:
            return "broken"

    ended = asyncio.run(whole())
    answers = [place for place, outcome in enumerate(outcomes) if outcome in {"409", "200"}]
    expected = 1 if outcomes[0] == "no listener" else (answers[0] + 1 if answers else TRIES)
    nobody_after_503 = outcomes[0] == "503" and outcomes[1] == "no listener"
    assert len(tried) == (2 if nobody_after_503 else expected)
    assert len(pauses) == len(tried) - 1
    assert sum(pauses) <= 1.5
    if ended == "no listener":
        assert "broken" not in tried


async def test_the_inbox_is_followed_over_broken_streams_and_answered(
    service: ServiceDouble, client: SafelightClient
) -> None:
    service.inbox.plans.extend([StreamPlan(frames=1), StreamPlan(repeat=2)])
    inbox = client.inbox
    assert await inbox.questions() == []
    assert service.loop is not None
    asking = asyncio.run_coroutine_threadsafe(service.inbox.ask("c1"), service.loop)
    seen: list[str] = []
    async with asyncio.timeout(20), aclosing(inbox.events()) as events:
        async for event in events:
            seen.append(event.type if isinstance(event, UnknownEvent) else type(event).__name__)
            if isinstance(event, models.ApprovalNeededEvent):
                service.do(lambda: service.inbox.append("of_tomorrow", what=1))
                service.drops.append("unanswered")
                answered = await inbox.answer(event.call_id, "deny", "Not now.")
                assert answered == models.ApprovalAnswered(call_id="c1", outcome="deny")
            if isinstance(event, models.ToolSkippedEvent):
                break
    await asyncio.wrap_future(asking)
    assert "of_tomorrow" in seen
    assert seen.count("ApprovalResolvedEvent") == 1
    assert service.inbox.answers == {"c1": {"decision": "deny", "note": "Not now."}}


async def test_connections_that_a_restart_took_are_given_again(service: ServiceDouble, client: SafelightClient) -> None:
    double = service.new_chat()
    double.needs = ["openai"]
    chat = client.chat(double.session_id)
    assert await chat.needs_connections() == ["openai"]
    described = await chat.put_connections([models.Connection(provider="openai", api_key="k")])
    assert described.needs_connections == await chat.needs_connections() == []
    assert service.requests[-2].body == {"connections": [{"provider": "openai", "api_key": "k"}]}


def test_the_contract_names_the_operations_that_take_a_key() -> None:
    takes = {
        operation["operationId"]
        for _, _, operation in operations()
        if {"$ref": "#/components/parameters/IdempotencyKey"} in operation.get("parameters", [])
    }
    assert takes == {
        *("open_chat", "send_message", "answer_approval", "stop_chat", "answer_inbox", "undo_change"),
        *("sync_index", "mint_token"),
    }
    assert takes <= set(OPERATIONS)
