"""What the header Idempotency-Key may hold, and what headers that hold too much are answered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.live import operations
from tests.requirement import requirement
from tests.routes.test_doors import filled
from tests.routes.test_idempotency import keyed, logged, service

KEYED: Final = {
    operation["operationId"]: (method, path)
    for method, path, operation in operations()
    if {"$ref": "#/components/parameters/IdempotencyKey"} in operation.get("parameters", [])
}

BODIES: Final[dict[str, dict[str, Any]]] = {
    "open_chat": {},
    "send_message": {"text": "hello"},
    "answer_approval": {"decision": "deny"},
    "answer_inbox": {"decision": "deny"},
    "sync_index": {"what": "catalog"},
    "mint_token": {"name": "a", "role": "viewer"},
}

BAD_KEYS: Final[dict[str, list[bytes]]] = {
    "empty": [b""],
    "a blank": [b"a b"],
    "a tab": [b"a\tb"],
    "not ASCII": ["schlüssel".encode()],
    "latin": ["ü".encode("latin-1")],
    "201 characters": [b"k" * 201],
    "10 kB": [b"k" * 10_000],
    "twice": [b"k", b"k"],
    "two": [b"k", b"l"],
}


@requirement("session.idempotent", "contract.errors")
async def test_a_bad_key_is_refused_on_every_route_that_takes_one_and_names_the_header(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        assert len(KEYED) == 8
        for name, (method, path) in KEYED.items():
            url = filled(path, chat["session_id"])
            for why, values in BAD_KEYS.items():
                headers = [(b"Idempotency-Key", value) for value in values]
                answer = await live.http.request(method, url, json=BODIES.get(name), headers=headers)
                problem = answer.json()
                assert (answer.status_code, problem.get("field")) == (400, "Idempotency-Key"), (name, why)
                assert "Idempotency-Key" in problem["detail"]
        assert await logged(live, chat) == []


@requirement("session.idempotent")
async def test_every_visible_character_and_200_of_them_make_a_good_key(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        for key in ("".join(map(chr, range(0x21, 0x7F))), "k" * 200, "0", '"quoted"', "a,b"):
            answers = [await live.http.post(url, json={"text": "a"}, headers=keyed(key)) for _ in range(2)]
            assert answers[0].status_code == 202
            assert answers[0].content == answers[1].content


@requirement("limit.input")
@pytest.mark.parametrize("value", [b"a\x00b", b"a\x01b", b"a\x7fb", b"a\rb", b"a\nb", b"k" * 200_000])
async def test_a_header_with_control_characters_or_without_end_is_a_4xx(tmp_path: Path, value: bytes) -> None:
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        url = httpx.URL(live.url)
        reader, writer = await asyncio.open_connection(url.host, url.port)
        head = (
            f"POST /v1/chat/sessions/{chat['session_id']}/messages HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n"
            f"Authorization: Bearer {chat['chat_token']}\r\nContent-Type: application/json\r\n"
        ).encode()
        body = b'{"text": "a"}'
        length = f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        writer.write(head + b"Idempotency-Key: " + value + b"\r\n" + length + body)
        status = await reader.readline()
        writer.close()
        assert status.split()[1].startswith(b"4"), status
        assert await logged(live, chat) == []


@requirement("limit.input")
async def test_a_body_at_the_edge_of_what_can_be_read_is_never_a_5xx(tmp_path: Path) -> None:
    async with service(tmp_path) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/approvals/call_1"
        statuses: set[int] = set()
        for depth in range(850, 1_000, 3):
            nested = b"[" * depth + b"]" * depth
            body = b'{"decision":"once","arguments":{"a":' + nested + b"}}"
            headers = {"content-type": "application/json", **keyed(f"k{depth}")}
            statuses.add((await live.http.post(url, content=body, headers=headers)).status_code)
        assert statuses == {400, 404}
