"""The whole service on a free port of this computer, in the test's own event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

from safelight.app import Application, create_app
from safelight.chat.limits import ChatLimits
from safelight.cli.serving import Server
from safelight.settings import Settings

__all__ = ("CONTRACT", "Live", "live_service", "operations")

CONTRACT: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[1] / "contract" / "openapi.yaml").read_text(encoding="utf-8")
)


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Method, path and operation of everything that the contract names."""
    return [
        (method.upper(), path, operation)
        for path, item in CONTRACT["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


@dataclass
class Live:
    """A running service. ``http`` sends the agent token with every request."""

    application: Application
    url: str
    agent_token: str
    http: httpx.AsyncClient

    def client(self, token: str | None, **headers: str) -> httpx.AsyncClient:
        """A client with another token, or none."""
        given = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.AsyncClient(base_url=self.url, headers=given | headers, timeout=20)

    async def open_chat(self, **body: Any) -> dict[str, Any]:
        answer = await self.http.post("/v1/chat/sessions", json=body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def mint(self, role: str = "viewer") -> str:
        answer = await self.http.post("/v1/tokens", json={"name": "test", "role": role})
        assert answer.status_code == 201, answer.text
        return answer.json()["token"]


@contextlib.asynccontextmanager
async def live_service(
    folder: Path,
    model: str | None = None,
    *,
    dev: bool = False,
    keep_days: int | None = None,
    limits: ChatLimits | None = None,
) -> AsyncGenerator[Live, None]:
    """Serve until the block ends, and check that the end is quick."""
    settings = Settings(data_dir=folder, port=0, model=model, dev=dev, keep_days=keep_days)
    application = create_app(settings, limits)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = Server(application)
    serving = asyncio.create_task(server.serve([listening]))
    async with asyncio.timeout(20):
        await application.listening.wait()
    token = settings.agent_token_file.read_text(encoding="ascii").strip()
    client = httpx.AsyncClient(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=20)
    try:
        yield Live(application, url, token, client)
    finally:
        await client.aclose()
        server.should_exit = True
        async with asyncio.timeout(10):
            await serving
        listening.close()
