"""/mcp through the reference client, as an agent from outside uses it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from tests.bridge.fake_plugin import FakePlugin, photo
from tests.live import Live, live_service
from tests.requirement import requirement

PHOTOS = [photo(n, rating=n) for n in range(1, 4)]
READ_TOOLS = {"get_status", "search_photos", "get_photos"}


@contextlib.asynccontextmanager
async def mcp_client(live: Live, token: str, mode: str = "auto") -> AsyncGenerator[Client, None]:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=20) as http:
        transport = streamable_http_client(f"{live.url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


@requirement("mcp.endpoint", "auth.app-token")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_outside_agent_lists_the_tools_and_searches(tmp_path: Path, mode: str) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint("viewer"), mode) as client,
    ):
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools][:3] == ["get_status", "search_photos", "get_photos"]
        assert all("oneOf" not in tool.input_schema for tool in tools)
        assert {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint} == READ_TOOLS
        found = await client.call_tool("search_photos", {})
        assert not found.is_error, found
        assert found.structured_content["count"] > 0
        page = await client.call_tool("get_photos", {"set": found.structured_content["set_id"], "limit": 2})
        assert len(page.structured_content["photos"]) == 2


@requirement("auth.roles")
@pytest.mark.parametrize("role", ["viewer", "editor", "owner"])
async def test_a_change_is_refused_by_role_or_because_nobody_can_be_asked(tmp_path: Path, role: str) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint(role)) as client,
    ):
        refused = await client.call_tool("set_rating", {"set": "selection", "rating": 5})
        assert refused.is_error
        text = refused.content[0].text  # type: ignore[union-attr]  # an error is one text
        assert ("nobody can be asked" in text) == (role == "owner")
        assert ("role" in text) == (role != "owner")


async def test_wrong_arguments_and_unknown_tools_are_told_in_words(tmp_path: Path) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint()) as client,
    ):
        wrong = await client.call_tool("search_photos", {"rating_min": 6})
        assert wrong.is_error
        assert wrong.content[0].text.startswith("BAD_ARGUMENTS: rating_min")  # type: ignore[union-attr]  # a text
        both = await client.call_tool("get_photos", {"set": "selection", "photo_ids": ["p1"]})
        assert both.is_error
        with pytest.raises(MCPError):
            await client.call_tool("erase_everything", {})


async def test_without_lightroom_the_tools_say_so_at_once(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live, mcp_client(live, await live.mint()) as client:
        status = await client.call_tool("get_status", {})
        assert status.structured_content["connected"] is False
        search = await client.call_tool("search_photos", {})
        assert search.is_error
        assert "PLUGIN_OFFLINE" in search.content[0].text  # type: ignore[union-attr]  # an error is one text


@requirement("auth.app-token", "auth.agent-token")
async def test_the_agent_token_is_taken_and_a_get_is_answered_with_405(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        async with mcp_client(live, live.agent_token) as client:
            assert (await client.list_tools()).tools
        answer = await live.http.get("/mcp")
        assert answer.status_code == 405
        assert answer.headers["allow"] == "POST, DELETE"
