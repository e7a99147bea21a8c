"""The menu items and the Plug-in Manager beside the real service."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from safelight.lightroom import MenuRefused, SimulatedLightroom, drawn_catalog
from tests.live import Live, live_service
from tests.plugin.people import CHAT, INBOX, INDEX, fills
from tests.requirement import requirement

SCRIPT = Path(__file__).parents[1] / "data" / "five_star.json"


@pytest.fixture
async def live(tmp_path: Path) -> AsyncGenerator[Live]:
    async with live_service(tmp_path / "data") as service:
        # what `safelight serve` leaves for the plug-in
        (tmp_path / "data" / "runtime.json").write_text(json.dumps({"url": service.url}), encoding="utf-8")
        yield service


@pytest.fixture
async def lightroom(live: Live, tmp_path: Path) -> AsyncGenerator[SimulatedLightroom]:
    simulated = SimulatedLightroom(drawn_catalog(24), data_folder=tmp_path / "data")
    await asyncio.to_thread(simulated.start)
    assert await live.application.service.bridge.wait_connected(20)
    yield simulated
    await asyncio.to_thread(simulated.close)
    assert simulated.errors == ()


@requirement("plugin.menu")
async def test_a_chat_opens_with_all_that_the_plugin_sends(live: Live, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs |= {"chatModel": f"scripted:{SCRIPT}", "temperature": "0.5", "baseUrl_ollama": "http://127.0.0.1:1"}
    lightroom.computer.passwords["apiKey_openai"] = "key"
    page = await asyncio.to_thread(lightroom.choose_menu_item, CHAT)
    assert page is not None
    assert page.startswith(f"{live.url}/v1/ui/chat#session=")
    (chat,) = (await live.http.get("/v1/chat/sessions")).json()["sessions"]
    assert chat["model"] == f"scripted:{SCRIPT}"


@requirement("plugin.nothing-set-up")
async def test_a_model_that_is_not_there_is_told_with_how_to_get_one(lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["chatModel"] = "local:none"
    with pytest.raises(MenuRefused, match=r"no model to chat with.*local:none.*Plug-in Manager"):
        await asyncio.to_thread(lightroom.choose_menu_item, CHAT)


@requirement("mcp.approvals", "plugin.menu")
async def test_the_questions_of_other_agents_open_where_no_model_is(live: Live, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["chatModel"] = "local:none"
    page = await asyncio.to_thread(lightroom.choose_menu_item, INBOX)
    assert page is not None
    fields = dict(part.split("=", 1) for part in page.removeprefix(f"{live.url}/v1/ui/chat#").split("&"))
    assert fields["view"] == "inbox"
    async with live.client(fields["token"]) as opened:
        assert (await opened.get("/v1/inbox")).json() == {"approvals": []}


@requirement("plugin.index-menu")
async def test_the_catalog_is_indexed(live: Live, lightroom: SimulatedLightroom) -> None:
    lightroom.screen.visitors.append(fills({}))
    assert await asyncio.to_thread(lightroom.choose_menu_item, INDEX) is None
    assert [dialog.style for dialog in lightroom.dialogs()] == ["modal", "bezel"]
    assert (await live.http.get("/v1/index/status")).json()["photos"] == 24


@requirement("plugin.settings")
async def test_the_token_of_the_mcp_configuration_is_an_editors(live: Live, lightroom: SimulatedLightroom) -> None:
    texts: list[str] = []
    lightroom.screen.visitors.append(lambda panel: texts.append(panel.value("http")) or "ok")
    manager = await asyncio.to_thread(lightroom.open_manager)
    await asyncio.to_thread(manager.press, "Copy MCP Configuration...")
    await asyncio.to_thread(lightroom.wait_for_buttons, manager)
    await asyncio.to_thread(manager.close)
    server = json.loads(texts[0])["mcpServers"]["safelight"]
    assert server["url"] == f"{live.url}/mcp"
    (token,) = (await live.http.get("/v1/tokens")).json()["tokens"]
    assert (token["name"], token["role"]) == ("MCP app, from Lightroom", "editor")
    async with (
        httpx2.AsyncClient(headers=server["headers"], timeout=20) as http,
        Client(streamable_http_client(server["url"], http_client=http)) as client,
    ):
        found = await client.call_tool("search_photos", {})
    assert not found.is_error, found
