"""/mcp, handed on to the MCP SDK."""

from __future__ import annotations

from litestar import asgi
from litestar.datastructures import Headers
from litestar.exceptions import MethodNotAllowedException
from litestar.handlers import ASGIRouteHandler
from litestar.types import Receive, Scope, Send

from safelight.errors import Forbidden
from safelight.guard.doors import MCP
from safelight.routes.body import require_json
from safelight.routes.service import Service

__all__ = ("mcp_route",)

MCP_METHODS = ("POST", "DELETE")


def mcp_route(service: Service) -> ASGIRouteHandler:
    """The route for this service. There are no server-initiated messages, so GET is answered with 405."""

    @asgi("/mcp", copy_scope=True, opt=MCP)
    async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in MCP_METHODS:
            raise MethodNotAllowedException(headers={"allow": ", ".join(MCP_METHODS)})
        headers = Headers.from_scope(scope)
        if "origin" in headers:
            # A browser sends it; no page has business here, our own neither.
            raise Forbidden
        if scope["method"] == "POST":
            require_json(headers)
        await service.mcp.handle(scope, receive, send)

    return mcp
