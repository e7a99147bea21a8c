"""Servers for programs that can send no token: the running service with the token added on the way in, and one whose
tools are the conformance suite's while border, guard, route and transport are Safelight's own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import uvicorn
from litestar import Litestar

from safelight.catalog.database import Database
from safelight.guard.border import Border
from safelight.guard.doors import TOKENS, let_in
from safelight.guard.origin import LOOPBACK
from safelight.guard.tokens import TOKENS_SCHEMA, TokenBook, agent_token
from safelight.routes.errors import EXCEPTION_HANDLERS
from safelight.routes.mcp import mcp_route
from safelight.routes.service import Service
from safelight.tools.mcp_http import McpEndpoint
from tests.live import Live
from tests.mcp.fixture_tools import build_fixture_server

__all__ = ("fixture_server", "opened")


@contextlib.asynccontextmanager
async def opened(live: Live) -> AsyncGenerator[str]:
    """The address of the running service's /mcp, where no token is needed."""
    async with _served(_with_token(live.application.asgi, live.agent_token)) as url:
        yield url


@contextlib.asynccontextmanager
async def fixture_server(folder: Path) -> AsyncGenerator[str]:
    """The address of /mcp with the conformance suite's tools, where no token is needed."""
    database = Database(folder / "fixture.db", [TOKENS_SCHEMA])
    token = agent_token(folder / "agent-token")
    endpoint = McpEndpoint(build_fixture_server)
    app = Litestar(
        route_handlers=[mcp_route(cast("Service", SimpleNamespace(mcp=endpoint)))],
        guards=[let_in],
        exception_handlers=EXCEPTION_HANDLERS,
        openapi_config=None,
        logging_config=None,
    )
    app.state[TOKENS] = TokenBook(database, token)
    closing = asyncio.Event()
    running = asyncio.create_task(endpoint.run(closing))
    try:
        async with _served(_with_token(Border(app, LOOPBACK), token.reveal())) as url:
            yield url
    finally:
        closing.set()
        await running
        await database.close()


def _with_token(app: Any, token: str) -> Any:
    async def run(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}
        await app(scope, receive, send)

    return run


@contextlib.asynccontextmanager
async def _served(app: Any) -> AsyncGenerator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        app, loop="asyncio", http="h11", ws="none", lifespan="off", log_config=None, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign]  # signals are the test program's own
    serving = asyncio.create_task(server.serve([listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await serving
        listening.close()
