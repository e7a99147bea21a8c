"""Calls over real HTTP: tokens, answers and errors."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

import safelight_client
from safelight_client import (
    AnswerUnreadable,
    BadRequest,
    Conflict,
    Forbidden,
    NotFound,
    SafelightClient,
    SafelightClientError,
    Secret,
    ServiceFailed,
    ServiceRefused,
    ServiceUnreachable,
    TooLarge,
    UnsupportedMedia,
    models,
)
from safelight_client._calls import OPERATIONS
from safelight_client._errors import refusal
from tests.requirement import requirement

if TYPE_CHECKING:
    from tests.client.service_double import ServiceDouble


async def test_calls_are_typed_both_ways(service: ServiceDouble, client: SafelightClient) -> None:
    assert await client.get_health() == models.Health(name="safelight", version="0.1.0", status="ok")
    opened = await client.open_chat(models.OpenChat(model="small", mode="ask_all"))
    assert isinstance(opened, models.ChatOpened)
    minted = await client.mint_token(models.NewToken(name="Claude", role="viewer"))
    listed = await client.list_tokens()
    assert [(token.token_id, token.name, token.role) for token in listed.tokens] == [
        (minted.token_id, "Claude", "viewer")
    ]
    assert await client.revoke_token(minted.token_id) is None
    assert [request.body for request in service.requests if request.method == "POST"] == [
        {"model": "small", "mode": "ask_all"},
        {"name": "Claude", "role": "viewer"},
    ]


async def test_each_operation_goes_out_with_the_narrowest_token_that_opens_it(service: ServiceDouble) -> None:
    chat = service.new_chat()
    both = SafelightClient(service.url, agent_token=service.agent_token, chat_token=chat.token)
    async with both as client:
        await client.get_health()
        await client.list_tokens()
        await client.stop_chat(chat.session_id)
    async with SafelightClient(service.url, agent_token=Secret(service.agent_token)) as client:
        await client.stop_chat(chat.session_id)
    async with SafelightClient(service.url, app_token="app") as client:
        with pytest.raises(Forbidden):
            await client.list_tokens()
    assert [request.token for request in service.requests] == [
        *(None, service.agent_token, chat.token, service.agent_token, None)
    ]


async def test_a_problem_becomes_an_error_of_its_own(service: ServiceDouble, client: SafelightClient) -> None:
    chat = service.new_chat()
    with pytest.raises(BadRequest) as refused:
        await client.send_message(chat.session_id, models.NewMessage(text=" "))
    error = refused.value
    assert (error.status, error.code, error.field) == (400, "invalid_body", "text")
    assert str(error) == error.message == error.detail == "Because of invalid_body."
    with pytest.raises(NotFound) as missing:
        await client.revoke_token("t9")
    assert missing.value.field is None
    with pytest.raises(NotFound):
        await client.answer_approval(chat.session_id, "c", models.ApprovalAnswer(decision="once"))
    service.agent_token = "another"
    with pytest.raises(Forbidden):
        await client.list_tokens()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *((400, BadRequest), (403, Forbidden), (404, NotFound), (409, Conflict), (413, TooLarge)),
        *((415, UnsupportedMedia), (418, ServiceRefused), (302, ServiceRefused), (500, ServiceFailed)),
    ],
)
@pytest.mark.parametrize("body", [b"", b"<html>", b"\xff", b'{"code":"x"}'])
def test_an_answer_without_a_readable_problem_is_an_error_all_the_same(
    status: int, kind: type[ServiceRefused], body: bytes
) -> None:
    error = refusal(status, body)
    assert type(error) is kind
    assert (error.status, error.code) == (status, f"http_{status}")


async def test_an_answer_that_is_none_of_the_contract_is_said(service: ServiceDouble, client: SafelightClient) -> None:
    service.refuse_with = (200, b"<html>It works!</html>")
    with pytest.raises(AnswerUnreadable, match="Is it Safelight?"):
        await client.get_health()
    with pytest.raises(AnswerUnreadable):
        await anext(client.follow_events("s"))
    service.refuse_with = (307, b"")
    with pytest.raises(ServiceRefused):
        await client.get_health()


async def test_an_unreachable_service_is_said() -> None:
    async with SafelightClient("http://127.0.0.1:9", agent_token="t") as client:
        with pytest.raises(ServiceUnreachable, match="http://127.0.0.1:9"):
            await client.get_health()
        with pytest.raises(ServiceUnreachable):
            await anext(client.follow_events("s"))


async def test_a_lost_answer_is_called_unknown() -> None:
    async def cut(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("gone", request=request)

    async with httpx.AsyncClient(transport=httpx.MockTransport(cut)) as http:
        client = SafelightClient("http://safelight.test", agent_token="t", http_client=http)
        with pytest.raises(ServiceUnreachable, match="may or may not have been carried out"):
            await client.stop_chat("s")
        await client.aclose()
        assert not http.is_closed


async def test_proxies_of_the_environment_are_not_looked_at(
    service: ServiceDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with SafelightClient(service.url) as client:
        assert (await client.get_health()).status == "ok"


@pytest.mark.parametrize("value", ["", ".", ".."])
async def test_an_id_cannot_lead_to_another_route(client: SafelightClient, value: str) -> None:
    with pytest.raises(ValueError, match="not an id"):
        await client.get_chat(value)


async def test_an_id_is_one_segment_whatever_it_holds(service: ServiceDouble, client: SafelightClient) -> None:
    with pytest.raises(SafelightClientError):
        await client.revoke_token("../chat/sessions?x=1#ü")
    assert service.requests[-1].path == "/v1/tokens/..%2Fchat%2Fsessions%3Fx%3D1%23%C3%BC"


@pytest.mark.parametrize("url", ["", "127.0.0.1:47810", "ftp://127.0.0.1", "http://", "http://[::1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="address"):
        SafelightClient(url)


async def test_no_token_shows_in_a_text_of_the_client(service: ServiceDouble) -> None:
    canary = "canary-0123456789"
    service.agent_token = canary
    async with SafelightClient(service.url, agent_token=canary, chat_token=canary, app_token=canary) as client:
        opened = await client.open_chat(models.OpenChat())
        minted = models.TokenMinted(token_id="t", token=canary)
        key = models.Connection(provider="openai", api_key=canary)
        with pytest.raises(NotFound) as refused:
            await client.revoke_token("t9")
        shown: list[object] = [client, vars(client), opened, minted, key, refused.value, [Secret(canary)]]
        shown += [entry.frame.f_locals for entry in refused.traceback if entry.path != Path(__file__)]
        assert len(shown) > 8
    text = " ".join([*map(repr, shown), *map(str, shown), f"{Secret(canary)} {Secret(canary)!r:>40}"])
    assert canary not in text
    assert opened.chat_token not in text
    assert "session_id" in repr(opened)


def test_a_secret_compares_hashes_and_leaves_only_by_name() -> None:
    secret = Secret("abc")
    assert secret == Secret(secret) != Secret("abd")
    assert secret != "abc"
    assert len({secret, Secret("abc")}) == 1
    assert secret.reveal() == "abc"
    with pytest.raises(TypeError):
        copy.copy(secret)
    for bad in ("", "a\r\nHost: x", "ü", "a\0"):
        with pytest.raises(ValueError, match="printable") as refused:
            Secret(bad)
        assert repr(bad) not in str(refused.value)


@requirement("contract.single-source")
def test_no_module_written_by_hand_names_a_path() -> None:
    folder = Path(safelight_client.__file__).parent
    named = [
        path.name
        for path in folder.glob("*.py")
        if path.name not in {"_calls.py", "models.py"} and re.search(r"[\"'f]/v1/|/api/v1|/system/", path.read_text())
    ]
    assert named == []
    assert "/v1/" in (folder / "_calls.py").read_text()


def test_every_scheme_of_the_contract_is_a_token_that_the_client_knows() -> None:
    schemes = {scheme for operation in OPERATIONS.values() for scheme in operation.schemes}
    assert schemes <= {"agentToken", "chatToken", "appToken"}


def test_the_public_names() -> None:
    assert sorted(safelight_client.__all__) == [
        *(
            "AnswerUnreadable",
            "BadRequest",
            "Chat",
            "Conflict",
            "Decision",
            "Forbidden",
            "Inbox",
            "NotFound",
            "Runtime",
        ),
        *("SafelightClient", "SafelightClientError", "Secret", "ServiceFailed", "ServiceRefused"),
        *("ServiceUnreachable", "StreamBroken", "StreamedEvent", "TooLarge", "UnknownEvent", "UnsupportedMedia"),
        *("default_data_dir", "encode_event", "models", "read_runtime", "read_token", "seq_of"),
    ]
    for name in safelight_client.__all__:
        assert hasattr(safelight_client, name)


def test_the_tree_of_errors_is_as_drawn() -> None:
    from safelight_client import _errors

    drawn = re.findall(r"── (\w+)", _errors.__doc__ or "")
    kinds = [value for value in vars(_errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert {kind.__name__ for kind in kinds} == {*drawn, "SafelightClientError"}
    assert all(issubclass(kind, SafelightClientError) for kind in kinds)
    assert all(kind.__name__ in safelight_client.__all__ for kind in kinds)
