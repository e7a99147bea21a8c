"""/mcp through the reference client, as an agent from outside uses it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ImageContent

from safelight.chat.limits import ChatLimits
from safelight.tools.wire_names import ERROR_CODE, SKIPPED
from safelight.version import VERSION
from safelight.wire.tool_table import TOOLS
from tests.bridge.fake_plugin import TINY_JPEG, FakePlugin, photo
from tests.live import Live, live_service
from tests.requirement import requirement

PHOTOS = [photo(n, rating=n) for n in range(1, 4)]
FOR_PEOPLE = [spec.name for spec in TOOLS.values() if not spec.developer]
READ_TOOLS = {spec.name for spec in TOOLS.values() if spec.read_only and not spec.developer}


@contextlib.asynccontextmanager
async def mcp_client(live: Live, token: str, mode: str = "auto") -> AsyncGenerator[Client, None]:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=20) as http:
        transport = streamable_http_client(f"{live.url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


@requirement("mcp.endpoint", "auth.app-token")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_outside_agent_lists_the_tools_and_searches(tmp_path: Path, mode: str) -> None:
    """Jungod1121's lightroom-agent: a host that refused tools whose schemas begin with oneOf."""
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint("viewer"), mode) as client,
    ):
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        assert names == [name for name in FOR_PEOPLE if name in names]
        assert names == [tool.name for tool in (await client.list_tools(cache_mode="bypass")).tools]
        assert all("oneOf" not in tool.input_schema for tool in tools)
        assert {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint} == READ_TOOLS & {
            *names
        }
        found = await client.call_tool("search_photos", {})
        assert not found.is_error, found
        assert found.structured_content["count"] > 0
        page = await client.call_tool("get_photos", {"set": found.structured_content["set_id"], "limit": 2})
        assert len(page.structured_content["photos"]) == 2


@requirement("auth.roles")
@pytest.mark.parametrize("role", ["viewer", "editor", "owner"])
async def test_a_change_is_refused_by_role_or_because_nobody_can_be_asked(tmp_path: Path, role: str) -> None:
    """UKGovernmentBEIS/inspect_ai PR#4944: a call by another way ran without leave."""
    async with (
        live_service(tmp_path, limits=ChatLimits(inbox_grace_s=0.05)) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint(role)) as client,
    ):
        refused = await client.call_tool("set_rating", {"set": "selection", "rating": 5})
        assert refused.is_error
        text = refused.content[0].text  # type: ignore[union-attr]  # an error is one text
        assert ("nobody can be asked" in text) == (role == "owner")
        assert ("role" in text) == (role != "owner")
        assert (refused.meta or {})[SKIPPED] == "not_allowed"


async def test_wrong_arguments_and_unknown_tools_are_told_in_words(tmp_path: Path) -> None:
    """simongaoai-coder's lightroom-mcp: hosts go on with an old list of tools after an upgrade."""
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint()) as client,
    ):
        wrong = await client.call_tool("search_photos", {"rating_min": 6})
        assert wrong.is_error
        assert wrong.content[0].text.startswith("BAD_ARGUMENTS: rating_min")  # type: ignore[union-attr]  # a text
        assert (wrong.meta or {})[ERROR_CODE] == "BAD_ARGUMENTS"
        both = await client.call_tool("get_photos", {"set": "selection", "photo_ids": ["p1"]})
        assert both.is_error
        with pytest.raises(MCPError, match=rf"no tool called erase_everything in Safelight {VERSION}.*again"):
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


@requirement("tool.list-read")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_an_answer_is_structured_and_the_same_as_text_with_thumbnails_as_images(
    tmp_path: Path, mode: str
) -> None:
    async with (
        live_service(tmp_path) as live,
        FakePlugin(live.application.service.bridge, PHOTOS),
        mcp_client(live, await live.mint(), mode) as client,
    ):
        page = await client.call_tool("get_photos", {"photo_ids": ["photo-0001", "photo-0002"], "thumbnails": True})
        text, *images = page.content
        assert json.loads(text.text) == page.structured_content  # type: ignore[union-attr]  # the first is the text
        assert images == [
            ImageContent(data=TINY_JPEG, mime_type="image/jpeg", _meta={"safelight/photo_id": photo_id})
            for photo_id in ("photo-0001", "photo-0002")
        ]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_server_says_its_version_and_what_its_texts_are(tmp_path: Path, mode: str) -> None:
    async with live_service(tmp_path) as live, mcp_client(live, await live.mint(), mode) as client:
        assert client.server_info is not None
        assert (client.server_info.name, client.server_info.version) == ("safelight", VERSION)
        assert "never instructions" in (client.instructions or "")


@requirement("perm.developer-tools")
@pytest.mark.parametrize("dev", [False, True])
async def test_the_bridge_trace_is_there_only_when_the_service_was_started_for_development(
    tmp_path: Path, dev: bool
) -> None:
    async with live_service(tmp_path, dev=dev) as live, mcp_client(live, await live.mint()) as client:
        assert ("bridge_trace" in {tool.name for tool in (await client.list_tools()).tools}) == dev
        if dev:
            assert not (await client.call_tool("bridge_trace", {})).is_error
        else:
            with pytest.raises(MCPError):
                await client.call_tool("bridge_trace", {})


@requirement("auth.origin", "auth.host", "auth.same-403")
async def test_no_page_of_a_browser_gets_in_our_own_neither_and_no_foreign_host(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        token = await live.mint("owner")
        refused: set[bytes] = set()
        for header in (
            {"origin": live.url},
            {"origin": live.url.replace("127.0.0.1", "localhost")},
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"host": "evil.example"},
            {"host": "127.0.0.1:1"},
        ):
            async with live.client(token, accept="application/json, text/event-stream", **header) as client:
                answer = await client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
                assert answer.status_code == 403, header
                refused.add(answer.content)
        assert len(refused) == 1


async def test_a_service_that_is_about_to_end_says_so_instead_of_failing(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        live.application.closing.set()
        async with (
            asyncio.timeout(5),
            live.client(await live.mint(), accept="application/json, text/event-stream") as http,
        ):
            while (answer := await http.post("/mcp", json=ping)).status_code != 503:
                assert answer.status_code == 400  # the session that it does not name
        assert answer.json()["error"]["message"] == "Safelight is about to end."


AGENTS = "/v1/permissions/agents"


@requirement("auth.roles", "perm.modes", "perm.rules", "perm.bulk")
async def test_the_person_may_let_owners_rate_at_mcp_within_rules_and_bulk_limit_and_editors_never(
    tmp_path: Path,
) -> None:
    async with (
        live_service(tmp_path, limits=ChatLimits(inbox_grace_s=0.05)) as live,
        FakePlugin(live.application.service.bridge, PHOTOS) as plugin,
        mcp_client(live, await live.mint("owner")) as owner,
        mcp_client(live, await live.mint("editor")) as editor,
    ):

        async def rated(client: Client, rating: int) -> str | None:
            """What stood in the way, if anything did."""
            done = await client.call_tool("set_rating", {"set": "selection", "rating": rating})
            if done.is_error:
                return done.content[0].text  # type: ignore[union-attr]  # a refusal is one text
            assert {photo.rating for photo in plugin.photos.values()} == {rating}
            return None

        async def allow(mode: str = "auto_all", bulk_limit: int = 200, **rules: str) -> None:
            given = {"mode": mode, "rules": rules, "bulk_limit": bulk_limit}
            assert (await live.http.put(AGENTS, json=given)).status_code == 200

        assert "nobody can be asked" in (await rated(owner, 5) or "")
        await allow()
        assert await rated(owner, 5) is None
        assert "role" in (await rated(editor, 4) or "")
        await allow(bulk_limit=2)
        assert "nobody can be asked" in (await rated(owner, 4) or "")
        await allow(bulk_limit=3)
        assert await rated(owner, 4) is None
        await allow(set_rating="ask")
        assert "nobody can be asked" in (await rated(owner, 3) or "")
        await allow(set_rating="block")
        assert "turned off" in (await rated(owner, 3) or "")
        await allow(mode="auto_read", set_rating="allow")
        assert await rated(owner, 2) is None
        assert "role" in (await rated(editor, 1) or "")
