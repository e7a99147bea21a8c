"""Which token opens which route, from the contract's own words, on the running service."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.live import Live, live_service, operations
from tests.requirement import requirement

ALL_SCHEMES = ("agentToken", "chatToken", "appToken")


def schemes_of(operation: dict[str, Any]) -> set[str]:
    return {scheme for entry in operation["security"] for scheme in entry}


def filled(path: str, session_id: str) -> str:
    others = ("call_id", "change_id", "job_id", "message_id", "photo_id", "token_id")
    return path.format(session_id=session_id, **dict.fromkeys(others, "x1"))


async def knock(live: Live, token: str | None, method: str, path: str, **headers: str) -> httpx.Response:
    """One request without waiting for the end of a stream."""
    async with live.client(token, **headers) as client:
        body: dict[str, Any] = {} if method in {"GET", "DELETE"} else {"json": {}}
        async with client.stream(method, path, **body) as answer:
            if not answer.headers.get("content-type", "").startswith("text/event-stream"):
                await answer.aread()
            return answer


@requirement("auth.agent-token", "auth.chat-token", "auth.app-token", "contract.served")
async def test_each_route_opens_to_exactly_the_tokens_that_the_contract_names(tmp_path: Path) -> None:
    """Automaat #29: whatever ran on the computer could command Lightroom. Aventerica89/vaporforge#93: anybody could
    approve."""
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        other = await live.open_chat()
        app_token = await live.mint("owner")
        for method, path, operation in operations():
            opens = schemes_of(operation)
            if operation["operationId"] == "delete_chat":
                continue
            url = filled(path, chat["session_id"])
            holders = {
                "agentToken": live.agent_token,
                "chatToken": chat["chat_token"],
                "appToken": app_token,
                "other chat": other["chat_token"],
                "wrong": "sla_wrong",
                "none": None,
            }
            for scheme, token in holders.items():
                answer = await knock(live, token, method, url)
                let_in = answer.status_code != 403
                of_any_chat = scheme == "other chat" and "{session_id}" not in path and "chatToken" in opens
                expected = not opens or scheme in opens or of_any_chat
                assert let_in == expected, (method, path, scheme, answer.status_code)


@requirement("auth.same-403", "auth.origin", "auth.host")
async def test_wrong_token_foreign_origin_foreign_host_and_ended_chat_are_the_same_answer(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}"
        wrong = await knock(live, "slc_wrong", "GET", url)
        origin = await knock(live, chat["chat_token"], "GET", url, origin="http://evil.example")
        host = await knock(live, chat["chat_token"], "GET", url, host="evil.example")
        unknown = await knock(live, live.agent_token, "GET", "/v1/chat/sessions/chat_none")
        async with live.client(chat["chat_token"]) as client:
            assert (await client.delete(url)).status_code == 204
        ended = await knock(live, chat["chat_token"], "GET", url)
        assert {answer.status_code for answer in (wrong, origin, host, unknown, ended)} == {403}
        without_date = [
            (answer.content, [(name, value) for name, value in answer.headers.raw if name.lower() != b"date"])
            for answer in (wrong, origin, host, unknown, ended)
        ]
        assert all(answer == without_date[0] for answer in without_date)


@requirement("auth.host", "auth.origin")
async def test_a_foreign_host_or_origin_is_refused_on_every_route_and_on_none_at_all(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        paths = [(method, filled(path, chat["session_id"])) for method, path, _ in operations()]
        for method, path in [*paths, ("GET", "/"), ("OPTIONS", "/mcp"), ("GET", "/mcp"), ("PATCH", "/v1/health")]:
            for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"}):
                answer = await knock(live, live.agent_token, method, path, **headers)
                assert answer.status_code == 403, (method, path, headers)


@requirement("auth.host")
async def test_a_request_with_two_hosts_or_none_is_refused(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        port = int(live.url.rsplit(":", 1)[1])
        own = f"Host: 127.0.0.1:{port}\r\n"
        for hosts in ("", own + "Host: evil.example\r\n"):
            with socket.create_connection(("127.0.0.1", port), timeout=5) as raw:
                raw.setblocking(False)
                import asyncio

                loop = asyncio.get_running_loop()
                await loop.sock_sendall(raw, f"GET /v1/health HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode())
                answer = await loop.sock_recv(raw, 4_096)
            assert answer.split(b" ")[1] in {b"400", b"403"}, answer


@requirement("auth.json-only", "contract.errors")
@pytest.mark.parametrize("media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None])
async def test_a_body_that_is_not_json_is_refused_on_every_route_that_takes_one(
    tmp_path: Path, media: str | None
) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        for method, path, operation in operations():
            if "requestBody" not in operation:
                continue
            headers = {"content-type": media} if media else {}
            url = filled(path, chat["session_id"])
            answer = await live.http.request(method, url, content=b'{"text": "hi"}', headers=headers)
            assert answer.status_code == 415, (method, path, answer.text)
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["code"] == "unsupported_media_type"


@requirement("auth.agent-token")
async def test_the_agent_token_lives_in_a_file_that_only_the_user_can_read(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        file = tmp_path / "agent-token"
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.read_text(encoding="ascii").strip() == live.agent_token
        file.chmod(0o644)
    async with live_service(tmp_path) as live:
        assert (tmp_path / "agent-token").stat().st_mode & 0o777 == 0o600


@requirement("auth.app-token")
async def test_a_minted_token_is_shown_once_kept_as_a_hash_and_can_be_revoked(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        minted = (await live.http.post("/v1/tokens", json={"name": "Claude", "role": "editor"})).json()
        listed = (await live.http.get("/v1/tokens")).json()["tokens"]
        assert [(info["name"], info["role"]) for info in listed] == [("Claude", "editor")]
        assert minted["token"] not in str(listed)
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert minted["token"].encode() not in file.read_bytes(), file
    async with live_service(tmp_path) as live:
        before = await knock(live, minted["token"], "POST", "/mcp", accept="application/json, text/event-stream")
        assert before.status_code != 403
        assert (await live.http.delete(f"/v1/tokens/{minted['token_id']}")).status_code == 204
        assert (await live.http.delete(f"/v1/tokens/{minted['token_id']}")).status_code == 404
        after = await knock(live, minted["token"], "POST", "/mcp")
        assert after.status_code == 403


def scripted(folder: Path) -> str:
    """A model that says hello."""
    file = folder / "hello.json"
    file.write_text('[{"text": "Hello."}]', encoding="utf-8")
    return f"scripted:{file}"
