"""Readers that vanish, and a service that stops with everything open; on real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.chat.session import ChatSession
from safelight.gate.gate import Gate
from safelight.gate.principal import Principal
from safelight.wire.models import Event, StoppedEvent, ToolDoneEvent, WarningEvent
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.chat.rig import kind_of
from tests.live import Live, live_service
from tests.requirement import requirement
from tests.routes.test_mcp import mcp_client


def script(folder: Path, *turns: dict[str, Any]) -> str:
    file = folder / "script.json"
    file.write_text(json.dumps(turns), encoding="utf-8")
    return f"scripted:{file}"


def connect(live: Live, chat: dict[str, Any], receive_buffer: int = 65_536) -> socket.socket:
    """A page of its own on the chat's events, which reads when the test does."""
    page = socket.socket()
    page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    page.connect(("127.0.0.1", int(live.url.rsplit(":", 1)[1])))
    head = f"GET /v1/chat/sessions/{chat['session_id']}/events HTTP/1.1\r\nHost: {live.url.removeprefix('http://')}\r\n"
    page.sendall(f"{head}Authorization: Bearer {chat['chat_token']}\r\n\r\n".encode())
    page.setblocking(False)
    return page


class Watch:
    """Tells when streams of a chat begin and end."""

    def __init__(self, session: ChatSession, monkeypatch: pytest.MonkeyPatch) -> None:
        self._begun: asyncio.Queue[None] = asyncio.Queue()
        self._ended: asyncio.Queue[None] = asyncio.Queue()
        follow = session.log.follow

        async def watched(*where: str | None) -> AsyncGenerator[bytes, None]:
            self._begun.put_nowait(None)
            try:
                async with contextlib.aclosing(follow(*where)) as chunks:
                    async for chunk in chunks:
                        yield chunk
            finally:
                self._ended.put_nowait(None)

        monkeypatch.setattr(session.log, "follow", watched)

    async def begun(self, count: int) -> None:
        await self._so_often(self._begun, count)

    async def ended(self, count: int) -> None:
        await self._so_often(self._ended, count)

    async def _so_often(self, queue: asyncio.Queue[None], count: int) -> None:
        async with asyncio.timeout(10):
            for _ in range(count):
                await queue.get()


@requirement("session.stop-every-phase", "event.bounded")
async def test_pages_that_vanish_in_mid_turn_are_forgotten_and_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ggml-org/llama.cpp#21754: a page that was disturbed ended the stream. open-webui/open-webui#6172,
    open-webui/open-webui#2647, open-webui/open-webui#7884, mohitsoni48/TurboLLM#177, platberlitz/SillyBunny PR#781:
    leaving the chat lost its answer. vercel/ai PR#15091: a reload stopped the answer."""
    model = script(tmp_path, {"text": "a long story " * 20, "delay_ms": 700})
    async with live_service(tmp_path, model) as live:
        chat = await live.open_chat()
        session = await live.application.service.chats.get(chat["session_id"])
        watch = Watch(session, monkeypatch)
        await live.http.post(f"/v1/chat/sessions/{chat['session_id']}/messages", json={"text": "tell"})
        pages = [connect(live, chat) for _ in range(4)]
        await watch.begun(4)
        loop = asyncio.get_running_loop()
        for page in pages:
            assert await loop.sock_recv(page, 100)
        pages[0].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")  # a reset
        for page in pages:
            page.close()
        await watch.ended(4)
        assert session.log.readers == 0
        assert session.busy
        async with asyncio.timeout(10):
            async for chunk in session.log.follow(None):
                if b'"busy":false' in chunk:
                    break
        assert b"assistant_turn" in b"".join(await session.log.read(0))


@requirement("event.bounded")
async def test_a_page_that_never_reads_costs_no_more_than_its_queue_and_is_forgotten_when_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live_service(tmp_path, script(tmp_path)) as live:
        chat = await live.open_chat()
        session = await live.application.service.chats.get(chat["session_id"])
        watch = Watch(session, monkeypatch)
        page = connect(live, chat, receive_buffer=4_096)
        await watch.begun(1)
        for _ in range(40):
            await session.log.append_all([WarningEvent(seq=0, message="x" * 40_000)] * 5)
        assert session.log.readers == 1
        page.close()
        await watch.ended(1)
        assert session.log.readers == 0


@requirement("session.durable")
async def test_a_service_that_stops_while_lightroom_works_says_stopped_and_not_that_it_failed(tmp_path: Path) -> None:
    call = {"calls": [{"tool": "set_rating", "arguments": {"photo_ids": ["photo-0001"], "rating": 5}}]}
    async with live_service(tmp_path, script(tmp_path, call)) as live:
        await live.http.put(
            f"/v1/chat/sessions/{(await live.open_chat())['session_id']}/permissions",
            json={"mode": "auto_all", "rules": {}, "bulk_limit": 0},
        )
        chat = await live.open_chat()
        session = await live.application.service.chats.get(chat["session_id"])
        async with FakePlugin(live.application.service.bridge, [photo(1)]) as plugin:
            plugin.hold("write_photos")
            await session.send("five stars")
            async with asyncio.timeout(10):
                await plugin.reached("write_photos")
            started = time.monotonic()
            await live.application.close_streams()
            assert time.monotonic() - started < 1
        events = [msgspec.json.decode(body, type=Event) for body in await session.log.read(0)]
        # the change may have happened, so it can be taken back
        assert [kind_of(event) for event in events][-4:] == ["tool_done", "change", "stopped", "busy"]
        assert isinstance(events[-2], StoppedEvent)
        assert [event.ok for event in events if isinstance(event, ToolDoneEvent)] == [False]


@requirement("mcp.endpoint", "auth.roles")
async def test_what_an_outside_agent_says_of_itself_in_meta_is_not_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[Principal, str]] = []
    call = Gate.call

    async def spy(gate: Gate, principal: Principal, call_id: str, *rest: Any) -> Any:
        seen.append((principal, call_id))
        return await call(gate, principal, call_id, *rest)

    monkeypatch.setattr(Gate, "call", spy)
    async with live_service(tmp_path, script(tmp_path)) as live, mcp_client(live, await live.mint("viewer")) as client:
        chat = await live.open_chat(mode="auto_all")
        forged: Any = {"safelight/session_id": chat["session_id"], "safelight/call_id": "call_forged"}
        answer = await client.call_tool("set_rating", {"photo_ids": ["p1"], "rating": 5}, meta=forged)
        assert answer.is_error
        assert "role" in answer.content[0].text  # type: ignore[union-attr]  # an error is one text
        ((principal, call_id),) = seen
        assert principal.profile().role == "viewer"
        assert call_id != "call_forged"
        assert (await live.application.service.chats.get(chat["session_id"])).log.head == 0


@requirement("mcp.endpoint")
async def test_an_outside_agent_that_breaks_off_a_call_disturbs_nobody(tmp_path: Path) -> None:
    async with live_service(tmp_path) as live, FakePlugin(live.application.service.bridge, [photo(1)]) as plugin:
        release = plugin.hold("read_photos")
        async with mcp_client(live, await live.mint("owner")) as client:
            asking = asyncio.create_task(client.call_tool("get_photos", {"photo_ids": ["photo-0001"]}))
            async with asyncio.timeout(10):
                await plugin.reached("read_photos")
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
        release.set()
        async with mcp_client(live, await live.mint("viewer")) as other:
            status = await other.call_tool("get_status", {})
            assert not status.is_error
