"""Connections and their keys live in memory only; a restart says which are to be given again."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.chat.connections import ChatConnection, Connections, as_connections
from safelight.guard.secret import Secret
from safelight.wire.models import Connection, Provider
from tests.chat.test_retention import files_with, script
from tests.live import Live, live_service
from tests.requirement import requirement

KEY = "sk-canary-0815-key"
PASSWORD = "canary-4711-password"
CONNECTIONS = [
    {"provider": "openai", "api_key": KEY},
    {"provider": "server", "base_url": f"https://me:{PASSWORD}@models.example/v1"},
]
PROVIDERS: tuple[Provider, ...] = ("openai", "anthropic", "gemini", "ollama", "lmstudio", "server")


async def needed(live: Live, session_id: str) -> list[str]:
    one = (await live.http.get(f"/v1/chat/sessions/{session_id}")).json()["needs_connections"]
    (listed,) = (await live.http.get("/v1/chat/sessions")).json()["sessions"]
    assert listed["needs_connections"] == one
    return one


async def give(live: Live, session_id: str, connections: list[dict[str, Any]]) -> dict[str, Any]:
    answer = await live.http.put(f"/v1/chat/sessions/{session_id}/connections", json={"connections": connections})
    assert answer.status_code == 200, answer.text
    assert KEY not in answer.text
    return answer.json()


@requirement("session.durable")
async def test_a_key_is_in_no_file_no_log_no_event_and_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with live_service(tmp_path, script(tmp_path)) as live:
        opened = await live.open_chat(connections=CONNECTIONS)
        session_id = opened["session_id"]
        base = f"/v1/chat/sessions/{session_id}"
        given = await give(live, session_id, CONNECTIONS)
        refused = await live.http.put(f"{base}/connections", json={"connections": [{"provider": "?", "api_key": KEY}]})
        assert refused.status_code == 400
        await live.http.post(f"{base}/messages", json={"text": "hello"})
        session = await live.application.service.chats.get(session_id)
        async for chunk in session.follow(None, None):
            assert KEY.encode() not in chunk
            if b'"busy":false' in chunk:
                break
        said = [opened, given, refused.text, (await live.http.get("/v1/chat/sessions")).text, repr(session.connections)]
        for secret in (KEY, PASSWORD):
            assert secret not in json.dumps(said)
            assert files_with(tmp_path, secret) == []
        assert session.connections.given[0].api_key is not None
        assert session.connections.given[0].api_key.reveal() == KEY
    for secret in (KEY, PASSWORD):
        assert files_with(tmp_path, secret) == []
        assert secret not in caplog.text


@requirement("session.durable")
async def test_after_a_restart_the_chat_says_whose_connections_it_needs_until_they_are_given(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        session_id = (await live.open_chat(connections=CONNECTIONS))["session_id"]
        assert await needed(live, session_id) == []
    async with live_service(tmp_path, script(tmp_path)) as live:
        assert await needed(live, session_id) == ["openai", "server"]
        assert (await give(live, session_id, CONNECTIONS[:1]))["needs_connections"] == ["server"]
        assert await needed(live, session_id) == ["server"]
        session = await live.application.service.chats.get(session_id)
        assert [connection.provider for connection in session.connections.given] == ["openai"]
    async with live_service(tmp_path, script(tmp_path)) as live:
        assert await needed(live, session_id) == ["openai", "server"]
        await give(live, session_id, CONNECTIONS)
        assert await needed(live, session_id) == []


async def test_connections_that_are_given_anew_take_the_place_of_those_before(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        session_id = (await live.open_chat(connections=CONNECTIONS))["session_id"]
        await give(live, session_id, [{"provider": "gemini"}])
    async with live_service(tmp_path, script(tmp_path)) as live:
        assert await needed(live, session_id) == ["gemini"]
        await give(live, session_id, [{"provider": "gemini"}])
        await give(live, session_id, [])
    async with live_service(tmp_path, script(tmp_path)) as live:
        assert await needed(live, session_id) == []


def test_what_a_connection_shows_of_itself_is_its_provider() -> None:
    (connection,) = as_connections([Connection(provider="server", base_url=PASSWORD, api_key=KEY)])
    for shown in (repr(connection), str(connection), f"{connection}"):
        assert "server" in shown
        assert KEY not in shown
        assert PASSWORD not in shown


@given(st.lists(st.lists(st.sampled_from(PROVIDERS), max_size=4), max_size=5), st.lists(st.sampled_from(PROVIDERS)))
def test_whatever_is_given_is_there_and_what_a_restart_took_stays_needed_until_it_is_given(
    times: list[list[Provider]], lost: list[Provider]
) -> None:
    connections = Connections(lost=tuple(dict.fromkeys(lost)))
    for given_now in times:
        before = connections
        connections = connections.replaced([ChatConnection(provider=name, api_key=Secret("k")) for name in given_now])
        assert [connection.provider for connection in connections.given] == given_now
        assert set(connections.lost) == set(before.lost) - set(given_now)
        assert len(connections.providers) == len(set(connections.providers))
        assert set(connections.providers) == set(given_now) | set(connections.lost)


async def test_a_key_in_the_wrong_field_is_not_said_again(tmp_path: Path) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        session_id = (await live.open_chat())["session_id"]
        connections = f"/v1/chat/sessions/{session_id}/connections"
        for wrong in ({"provider": KEY}, {"provider": f"{KEY}` - at `$.x"}, {"provider": "server", "base_url": [KEY]}):
            for answer in (
                await live.http.put(connections, json={"connections": [wrong]}),
                await live.http.post("/v1/chat/sessions", json={"connections": [wrong]}),
            ):
                assert answer.status_code == 400
                assert answer.json()["field"] == f"connections[0].{list(wrong)[-1]}"
                assert KEY not in answer.text
        answer = await live.http.post("/v1/chat/sessions", json={"mode": KEY})
        assert (answer.status_code, answer.json()["field"]) == (400, "mode")
        assert KEY not in answer.text
