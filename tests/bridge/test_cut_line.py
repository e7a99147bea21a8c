"""Lightroom that quits while its poll is held, over real HTTP: the service sees the connection go."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from safelight.bridge.presence import HUNG_UP_S
from safelight.errors import BridgeError
from safelight.wire.models import BridgePoll, BridgeWork
from tests.live import Live, live_service
from tests.requirement import requirement

HELLO = {
    "protocol": 1,
    "session": "s1",
    "generation": 1,
    "plugin_version": "1.0",
    "lightroom_version": "14.1",
    "catalog_id": "cat",
    "catalog_path": "/photos/Cat.lrcat",
}


async def held_poll(live: Live) -> asyncio.StreamWriter:
    """A poll on a connection of its own, which the service holds."""
    body = json.dumps({"session": "s1", "generation": 1, "seen": []}).encode()
    host, port = live.url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    head = (
        f"POST /v1/bridge/poll HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {live.agent_token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    await writer.drain()
    return writer


@requirement("bridge.delivery", "bridge.long-poll")
async def test_lightroom_that_quits_in_mid_poll_is_offline_within_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without this, a command would go to the dead poll, or wait for a lease to end."""
    held, cut = asyncio.Event(), asyncio.Event()
    async with live_service(tmp_path) as live, asyncio.timeout(20):
        bridge = live.application.service.bridge
        # Nobody who would send commands of his own.
        monkeypatch.setattr(bridge, "_observers", [])
        poll, hung_up = bridge.poll, bridge.hung_up

        def watched_poll(request: BridgePoll) -> Coroutine[Any, Any, BridgeWork]:
            held.set()
            return poll(request)

        def watched_end(request: BridgePoll) -> None:
            hung_up(request)
            cut.set()

        monkeypatch.setattr(bridge, "poll", watched_poll)
        monkeypatch.setattr(bridge, "hung_up", watched_end)
        assert (await live.http.post("/v1/bridge/hello", json=HELLO)).status_code == 200
        line = await held_poll(live)
        await held.wait()
        line.close()
        await line.wait_closed()
        await cut.wait()
        with pytest.raises(BridgeError) as caught:
            await bridge.call("get_state", {})
        assert caught.value.tool_code == "PLUGIN_OFFLINE"
        (only,) = bridge.trace()
        assert only.queued_ms < (HUNG_UP_S + 1) * 1000
        assert not bridge.connected


@requirement("bridge.long-poll")
async def test_a_poll_that_is_answered_is_no_line_that_was_cut(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live, asyncio.timeout(20):
        bridge = live.application.service.bridge
        assert (await live.http.post("/v1/bridge/hello", json=HELLO)).status_code == 200
        for _ in range(2):
            body: dict[str, Any] = {"session": "s1", "generation": 1, "seen": [], "hold_s": 0.01}
            assert (await live.http.post("/v1/bridge/poll", json=body)).status_code == 200
        assert bridge.connected
        assert bridge.transport == "long_poll"
