"""/mcp: the tools for agents from outside, over MCP's Streamable HTTP."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from safelight.late import Late, import_aside
from safelight.tools.wire_names import LEFT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from litestar.types import Receive, Scope, Send
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from safelight.gate.gate import Gate
    from safelight.gate.tool import GatedTool
    from safelight.tools.mcp_agent import Access, Inbox
    from safelight.tools.mcp_calls import OutsideCalls

    BuildServer = Callable[[], Awaitable[Server[Any]]]

__all__ = ("MOST_BODY_BYTES", "McpEndpoint", "outside_server")

MOST_BODY_BYTES = 8 << 20

_ENDING: Final = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Safelight is about to end."}}'


def outside_server(gate: Gate, tools: Mapping[str, GatedTool], access: Access, inbox: Inbox) -> BuildServer:
    """Builds the server that agents from outside call: as whoever the token of the HTTP request names, as far as
    ``access`` goes, with the inbox to ask in."""

    async def build() -> Server[Any]:
        module = await import_aside("safelight.tools.mcp_server")
        calls_module = await import_aside("safelight.tools.mcp_calls")
        calls: OutsideCalls = calls_module.OutsideCalls(gate, access, inbox)
        server: Server[Any] = module.build_server(tools, calls, module.described)
        server.middleware.append(calls_module.sealed_forms())
        return server

    return build


class McpEndpoint:
    """Serves /mcp from ``run`` on; a request that comes earlier waits until the SDK is loaded."""

    def __init__(self, build: BuildServer) -> None:
        self._build = build
        self._manager: Late[StreamableHTTPSessionManager] = Late()
        self._ended = False

    async def run(self, closing: asyncio.Event) -> None:
        """Load the SDK, serve until ``closing``."""
        try:
            await self._serve(closing)
        except BaseException as error:
            self._manager.fail(error)
            raise

    async def _serve(self, closing: asyncio.Event) -> None:
        server = await self._build()
        manager_module = await import_aside("mcp.server.streamable_http_manager")
        manager: StreamableHTTPSessionManager = manager_module.StreamableHTTPSessionManager(
            app=server, stateless=False, json_response=False, max_request_body_size=MOST_BODY_BYTES
        )
        async with manager.run():
            self._manager.set(manager)
            await closing.wait()
            self._ended = True

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request that the guard has let in. Once the service ends, 503 says that nothing was taken."""
        manager = await self._manager.get()
        left = asyncio.Event()
        scope[LEFT] = left  # type: ignore[typeddict-unknown-key]  # ASGI scopes are open dictionaries
        try:
            await manager.handle_request(scope, receive, send)  # type: ignore[arg-type]  # Starlette's names for the same ASGI types
        except RuntimeError:
            # The manager has ended, and answers nothing more.
            if not self._ended:
                raise
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(_ENDING)).encode())]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": _ENDING, "more_body": False})
        finally:
            left.set()
