"""Requests as no client sends them: odd headers, odd addresses, tokens where none belongs."""

from __future__ import annotations

import asyncio
import itertools
import threading
from pathlib import Path

import pytest

from safelight.guard.tokens import agent_token
from tests.live import Live, live_service
from tests.requirement import requirement
from tests.routes.test_doors import scripted


async def sent(live: Live, request: bytes) -> tuple[int, bytes]:
    """Send bytes as they are; the status and the whole answer."""
    port = int(live.url.rsplit(":", 1)[1])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        await writer.drain()
        async with asyncio.timeout(10):
            answer = await reader.read()
        return int(answer.split(b" ", 2)[1]), answer
    finally:
        writer.close()


def request(live: Live, target: str, *headers: str | bytes, method: str = "GET") -> bytes:
    port = live.url.rsplit(":", 1)[1]
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, "Connection: close", "", ""]
    return b"\r\n".join(line if isinstance(line, bytes) else line.encode() for line in lines)


@requirement("auth.agent-token", "auth.same-403")
async def test_a_token_counts_only_alone_and_only_in_its_header(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        path, token = "/v1/chat/sessions", live.agent_token
        right = f"Authorization: Bearer {token}"
        assert (await sent(live, request(live, path, right)))[0] == 200
        assert (await sent(live, request(live, path, f"authorization: bEaReR {token}")))[0] == 200
        for headers in (
            [right, right],
            [right, "Authorization: Bearer wrong"],
            [f"Authorization: {token}"],
            [f"Authorization: Basic {token}"],
            [f"Authorization: Bearer {token}, Bearer {token}"],
            [f"Authorization: Bearer {token} {token}"],
            ["Authorization: Bearer"],
            ["Authorization:"],
            [b"Authorization: Bearer \xff\xfe\xe9"],
            [f"Authorization: Bearer {token}é".encode("latin-1")],
            [f"Authorization: Bearer {token.upper()}"],
            [f"Authorization: Bearer {token}{'x' * 20_000}"],
            [f"Cookie: authorization=Bearer {token}"],
            [f"Proxy-Authorization: Bearer {token}"],
            [f"X-Authorization: Bearer {token}"],
        ):
            status, answer = await sent(live, request(live, path, *headers))
            assert status == 403, headers
            assert token.encode() not in answer
        for query in ("token", "access_token", "authorization", "Authorization", "agent_token", "chat_token"):
            assert (await sent(live, request(live, f"{path}?{query}={token}")))[0] == 403
            assert (await sent(live, request(live, f"{path}?{query}=Bearer%20{token}")))[0] == 403


@requirement("auth.origin", "auth.host")
async def test_odd_spellings_of_host_and_origin_are_foreign(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        port = live.url.rsplit(":", 1)[1]
        own = f"Origin: http://127.0.0.1:{port}"
        assert (await sent(live, request(live, "/v1/health", own)))[0] == 200
        for headers in (
            [own, own],
            [own, "Origin: http://evil.example"],
            [f"Origin: HTTP://127.0.0.1:{port}"],
            [f"Origin: http://127.0.0.1:{port}/"],
            [f"Origin: http://127.0.0.1:{port} http://evil.example"],
            [f"Origin: http://127.0.0.1:{port}@evil.example"],
            ["Origin:"],
            [b"Origin: http://127.0.0.1\xe9"],
        ):
            assert (await sent(live, request(live, "/v1/health", *headers)))[0] == 403, headers
        for host in (f"127.0.0.1:{port}@evil", f"evil, 127.0.0.1:{port}", "", "127.0.0.1", f"127.0.0.1:0{port}0"):
            raw = f"GET /v1/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
            assert (await sent(live, raw))[0] in {400, 403}, host


@requirement("auth.host", "auth.same-403")
async def test_no_method_and_no_spelling_of_an_address_opens_a_chat_without_its_token(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        other = await live.open_chat()
        session_id, port = chat["session_id"], live.url.rsplit(":", 1)[1]
        chats = "/v1/chat/sessions"
        targets = [
            f"{chats}/{session_id}",
            f"{chats}/{session_id}/",
            f"{chats}//{session_id}",
            f"{chats}/{session_id.replace('_', '%5F')}",
            f"{chats}/{other['session_id']}/../{session_id}",
            f"{chats}/{other['session_id']}%2F..%2F{session_id}",
            f"{chats}/{session_id}%00",
            f"{chats}/%ff%fe",
            f"{chats}/{session_id}?session_id={other['session_id']}",
            f"http://127.0.0.1:{port}{chats}/{session_id}",
            f"http://evil.example{chats}/{session_id}",
            f"//evil.example{chats}/{session_id}",
        ]
        methods = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "get")
        headers = ("X: y", f"Authorization: Bearer {other['chat_token']}")
        for target, method, header in itertools.product(targets, methods, headers):
            status, answer = await sent(live, request(live, target, header, "Content-Length: 0", method=method))
            assert 400 <= status < 500, (method, target, status)
            assert session_id.encode() not in answer
        assert (await live.http.get(f"{chats}/{session_id}")).json()["head"] == 0


async def test_a_chat_is_the_same_however_its_id_is_spelled(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        spelled = chat["session_id"].replace("_", "%5F")
        token = f"Authorization: Bearer {chat['chat_token']}"
        assert (await sent(live, request(live, f"/v1/chat/sessions/{spelled}", token)))[0] == 200
        assert (await sent(live, request(live, f"/v1/chat/sessions/{spelled}/", token)))[0] == 200


@requirement("event.bad-after")
async def test_an_odd_query_of_a_stream_is_answered_with_a_stream(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        for query in ("after=%ff", "after=%00", "after=1&after=2", "after=+1", "after=0x1", "%ff", "after"):
            async with live.http.stream("GET", f"/v1/chat/sessions/{chat['session_id']}/events?{query}") as answer:
                assert answer.status_code == 200, query
                assert b'"hello"' in await anext(answer.aiter_raw())


@requirement("auth.agent-token")
def test_all_who_make_the_agent_token_at_once_get_the_same_one(tmp_path: Path) -> None:
    file = tmp_path / "agent-token"
    got: list[str] = []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        got.append(agent_token(file).reveal())

    for _ in range(20):
        file.unlink(missing_ok=True)
        got.clear()
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(got) == {file.read_text(encoding="ascii").strip()}
    assert [left.name for left in tmp_path.iterdir()] == ["agent-token"]


@requirement("auth.agent-token")
@pytest.mark.parametrize("damage", [b"", b"sla_", b"sla_short\n", b"\xff\xfe\x00", b"slc_" + b"x" * 43])
def test_a_damaged_agent_token_is_never_taken_for_one(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "agent-token"
    file.write_bytes(damage)
    token = agent_token(file).reveal()
    assert len(token) > 40
    assert file.read_text(encoding="ascii").strip() == token
    assert agent_token(file).reveal() == token
    assert file.stat().st_mode & 0o777 == 0o600
