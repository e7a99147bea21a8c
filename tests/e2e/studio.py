"""The service and a simulated Lightroom, connected, in one process; an agent from outside that may do everything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from safelight.lightroom import SimulatedLightroom, drawn_catalog
from tests.live import Live, live_service

__all__ = ("AUTO_ALL", "Agent", "agent_of", "studio")

AUTO_ALL: dict[str, Any] = {"mode": "auto_all", "rules": {}, "bulk_limit": 0}


@asynccontextmanager
async def studio(folder: Path) -> AsyncGenerator[tuple[Live, SimulatedLightroom]]:
    """The service, and Lightroom with the drawn catalog, connected."""
    data_dir = folder / "data"
    async with live_service(data_dir) as live:
        # What ``safelight serve`` leaves for the plug-in.
        (data_dir / "runtime.json").write_text(json.dumps({"url": live.url}), encoding="utf-8")
        lightroom = SimulatedLightroom(drawn_catalog(60), data_folder=data_dir)
        await asyncio.to_thread(lightroom.start)
        try:
            assert await live.application.service.bridge.wait_connected(20)
            yield live, lightroom
            assert lightroom.errors == ()
        finally:
            await asyncio.to_thread(lightroom.close)


class Agent:
    """Calls tools at /mcp; each call has to work."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self._client.call_tool(tool, arguments)
        assert not result.is_error, (tool, result.content)
        return cast("dict[str, Any]", result.structured_content)


@asynccontextmanager
async def agent_of(live: Live) -> AsyncGenerator[Agent]:
    """With a token of an owner, and with nothing that asks."""
    headers = {"authorization": f"Bearer {await live.mint('owner')}"}
    assert (await live.http.put("/v1/permissions/agents", json=AUTO_ALL)).status_code == 200
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{live.url}/mcp", http_client=http)) as client,
    ):
        yield Agent(client)
