"""/mcp: the tools for agents from outside, over MCP's Streamable HTTP."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from safelight.gate.permissions import DEFAULT_BULK_LIMIT
from safelight.gate.principal import Denied, NobodyToAsk, Profile, Question, Reply
from safelight.guard.doors import holder_of
from safelight.guard.principals import AppHolder
from safelight.late import Late, import_aside

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping

    from litestar.types import Receive, Scope, Send
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from safelight.gate.gate import Gate
    from safelight.gate.tool import GatedTool
    from safelight.tools.mcp_server import Context
    from safelight.wire.models import Role

__all__ = ("MOST_BODY_BYTES", "McpEndpoint", "OutsideAgent")

MOST_BODY_BYTES = 8 << 20


class OutsideAgent:
    """The gate's principal of a call at /mcp: reads freely within its role, and has nobody to ask."""

    def __init__(self, role: Role) -> None:
        self._role: Role = role

    def profile(self) -> Profile:
        return Profile(role=self._role, mode="auto_read", rules={}, bulk_limit=DEFAULT_BULK_LIMIT)

    async def ask(self, question: Question) -> Reply:
        del question
        return NobodyToAsk()

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        del call_id, arguments
        return None


class McpEndpoint:
    """Serves /mcp from ``run`` on; a request that comes earlier waits until the SDK is loaded."""

    def __init__(self, gate: Gate, tools: Mapping[str, GatedTool]) -> None:
        self._gate = gate
        self._tools = tools
        self._manager: Late[StreamableHTTPSessionManager] = Late()

    async def run(self, closing: asyncio.Event) -> None:
        """Load the SDK, serve until ``closing``."""
        try:
            await self._serve(closing)
        except BaseException as error:
            self._manager.fail(error)
            raise

    async def _serve(self, closing: asyncio.Event) -> None:
        server_module = await import_aside("safelight.tools.mcp_server")
        manager_module = await import_aside("mcp.server.streamable_http_manager")
        server = server_module.build_server(self._gate, self._tools, _caller_of, server_module.described)
        manager: StreamableHTTPSessionManager = manager_module.StreamableHTTPSessionManager(
            app=server, stateless=False, json_response=False, max_request_body_size=MOST_BODY_BYTES
        )
        async with manager.run():
            self._manager.set(manager)
            await closing.wait()

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request that the guard has let in."""
        manager = await self._manager.get()
        await manager.handle_request(scope, receive, send)  # type: ignore[arg-type]  # Starlette's names for the same ASGI types


def _caller_of(context: Context) -> tuple[OutsideAgent, str]:
    """By the token of the call's own HTTP request. Call ids are ours: what ``_meta`` says is not heeded."""
    request = context.request
    if request is None:
        raise LookupError("a call at /mcp without its HTTP request")
    holder = holder_of(request.scope)
    agent = OutsideAgent(holder.role if isinstance(holder, AppHolder) else "owner")
    return agent, f"call_{secrets.token_hex(8)}"
