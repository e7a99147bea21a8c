"""/mcp: the tools for agents from outside, over MCP's Streamable HTTP."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final

from safelight.gate.principal import Denied, NobodyToAsk, Profile, Question, Reply
from safelight.guard.doors import holder_of
from safelight.guard.principals import AppHolder
from safelight.late import Late, import_aside

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Mapping

    from litestar.types import Receive, Scope, Send
    from mcp.server.lowlevel import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from safelight.gate.gate import Gate
    from safelight.gate.permissions import AgentPermissions
    from safelight.gate.tool import GatedTool
    from safelight.tools.mcp_server import Context
    from safelight.wire.models import Permissions, Role

    BuildServer = Callable[[], Awaitable[Server[Any]]]

__all__ = ("MOST_BODY_BYTES", "McpEndpoint", "OutsideAgent", "outside_server")

MOST_BODY_BYTES = 8 << 20

_ENDING: Final = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Safelight is about to end."}}'


class OutsideAgent:
    """The gate's principal of a call at /mcp: goes by its role and the permissions for agents from outside, and has
    nobody to ask."""

    def __init__(self, name: str, role: Role, permissions: Permissions) -> None:
        self._name = name
        self._role: Role = role
        self._permissions = permissions

    def profile(self) -> Profile:
        now = self._permissions
        return Profile(
            by=f"agent {self._name}", role=self._role, mode=now.mode, rules=now.rules, bulk_limit=now.bulk_limit
        )

    async def ask(self, question: Question) -> Reply:
        del question
        return NobodyToAsk()

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        del call_id, arguments
        return None


def outside_server(gate: Gate, tools: Mapping[str, GatedTool], permissions: AgentPermissions) -> BuildServer:
    """Builds the server that agents from outside call: as whoever the token of the HTTP request names, under the
    permissions for such agents."""

    def caller_of(context: Context) -> tuple[OutsideAgent, str]:
        """Call ids are ours: what ``_meta`` says is not heeded."""
        request = context.request
        if request is None:
            raise LookupError("a call at /mcp without its HTTP request")
        holder = holder_of(request.scope)
        name, role = (holder.name, holder.role) if isinstance(holder, AppHolder) else ("with the agent token", "owner")
        return OutsideAgent(name, role, permissions.current()), f"call_{secrets.token_hex(8)}"

    async def build() -> Server[Any]:
        module = await import_aside("safelight.tools.mcp_server")
        return module.build_server(gate, tools, caller_of, module.described)

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
        try:
            await manager.handle_request(scope, receive, send)  # type: ignore[arg-type]  # Starlette's names for the same ASGI types
        except RuntimeError:
            # The manager has ended, and answers nothing more.
            if not self._ended:
                raise
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(_ENDING)).encode())]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": _ENDING, "more_body": False})
