"""The plug-in's own loop and journal against the service, over a line that cuts connections by a fixed dice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import pytest

from safelight.errors import BridgeError
from safelight.lightroom import SimulatedLightroom, drawn_catalog
from tests.live import live_service
from tests.requirement import requirement

WRITES: Final = 12
CUTS: Final = 0.1


class BadLine:
    """A proxy that loses requests and answers: a cut comes before a request goes on, or before its answer does."""

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._host = b""
        self._dice = random.Random(seed)
        self._pipes: set[asyncio.Task[None]] = set()
        self.cuts = 0

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncGenerator[str]:
        """The line's address, while the block lasts."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        try:
            own_port = server.sockets[0].getsockname()[1]
            self._host = b"Host: 127.0.0.1:%d" % own_port
            yield f"http://127.0.0.1:{own_port}"
        finally:
            server.close()
            for pipe in self._pipes:
                pipe.cancel()
            await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _connected(self, plugin_out: asyncio.StreamReader, plugin_in: asyncio.StreamWriter) -> None:
        service_out, service_in = await asyncio.open_connection("127.0.0.1", self._port)
        ends = (plugin_in, service_in)
        for source, target in ((plugin_out, service_in), (service_out, plugin_in)):
            pipe = asyncio.create_task(self._carry(source, target, ends))
            self._pipes.add(pipe)

    async def _carry(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, ends: tuple[asyncio.StreamWriter, ...]
    ) -> None:
        try:
            while (data := await source.read(65_536)) and self._dice.random() > CUTS:
                # The service refuses requests that were meant for another address.
                target.write(data.replace(self._host, b"Host: 127.0.0.1:%d" % self._port))
                await target.drain()
            self.cuts += bool(data)
        except OSError:
            pass
        finally:
            for end in ends:
                end.close()


@requirement("bridge.delivery")
@pytest.mark.parametrize("seed", [1, 2])
async def test_every_write_runs_at_most_once_and_is_reported_as_it_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    catalog = drawn_catalog(WRITES)
    async with live_service(tmp_path) as live, asyncio.timeout(90):
        bridge = live.application.service.bridge
        # Nobody who would send commands of his own.
        monkeypatch.setattr(bridge, "_observers", [])
        line = BadLine(int(live.url.rsplit(":", 1)[1]), seed)
        async with line.open() as url:
            there = tmp_path / "plug-in"
            there.mkdir()
            (there / "agent-token").write_text(live.agent_token)
            (there / "runtime.json").write_text(json.dumps({"url": url, "pid": 1}))

            async def write(photo_id: str) -> str:
                changes = [{"photo_id": photo_id, "rating": 5}]
                try:
                    await bridge.call("write_photos", {"undo_name": photo_id, "changes": changes})
                except BridgeError as error:
                    return error.tool_code
                return "ok"

            with SimulatedLightroom(catalog, data_folder=there) as lightroom:
                assert await bridge.wait_connected(20)
                photos = [photo.uuid for photo in catalog.photos()]
                endings = dict(zip(photos, await asyncio.gather(*map(write, photos)), strict=True))
                assert lightroom.errors == ()
    assert line.cuts >= 3, "the line was good"
    assert len(bridge.trace()) == WRITES
    for photo_id, ending in endings.items():
        ran = catalog.undo_names.count(photo_id)
        assert ran <= 1, "it ran twice"
        assert ending == "TIMEOUT_UNKNOWN_OUTCOME" or ran == (ending == "ok")
    assert list(endings.values()).count("ok") >= WRITES // 2
