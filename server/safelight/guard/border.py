"""The outermost layer: refuses a foreign Host or Origin on every path, before anything else looks at the request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from safelight.guard.origin import is_own_host, is_own_origin
from safelight.guard.problem import FORBIDDEN_BODY, PROBLEM_TYPE

if TYPE_CHECKING:
    from litestar.types import ASGIApp, LifeSpanScope, Scope

__all__ = ("Border",)


class Border:
    """An ASGI application around another. ``own_hosts`` are host names without ports."""

    def __init__(self, app: ASGIApp, own_hosts: frozenset[str]) -> None:
        self._app = app
        self._own_hosts = own_hosts

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Any, send: Any) -> None:
        if self._is_own(scope):
            await self._app(cast("Any", scope), receive, send)
            return
        headers = [
            (b"content-type", PROBLEM_TYPE.encode()),
            (b"content-length", str(len(FORBIDDEN_BODY)).encode()),
        ]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": FORBIDDEN_BODY, "more_body": False})

    def _is_own(self, scope: Scope | LifeSpanScope) -> bool:
        if scope["type"] == "lifespan":
            return True
        if scope["type"] != "http":
            return False
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        if len(hosts) != 1 or len(origins) > 1:
            return False
        server = scope.get("server")
        port = server[1] if server else None
        host = hosts[0].decode("latin-1")
        origin = origins[0].decode("latin-1") if origins else None
        return is_own_host(host, self._own_hosts, port) and is_own_origin(origin, self._own_hosts, port)
