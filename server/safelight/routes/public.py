"""What is open to everybody on this computer: the page, the contract, and a sign of life."""

from __future__ import annotations

from litestar import Controller, Response, get
from litestar.di import NamedDependency

from safelight.guard.doors import OPEN
from safelight.routes.service import Service
from safelight.version import VERSION
from safelight.wire.models import Health

__all__ = ("PublicController",)

_PAGE_HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class PublicController(Controller):
    """No token, no secret: the page gets its token from the address's fragment, which never reaches a server."""

    path = "/v1"
    opt = OPEN

    @get("/health", sync_to_thread=False)
    def get_health(self) -> Health:
        return Health(name="safelight", version=VERSION, status="ok")

    @get("/openapi.yaml", media_type="application/yaml", sync_to_thread=False)
    def get_contract(self, service: NamedDependency[Service]) -> Response[bytes]:
        return Response(service.assets.contract, media_type="application/yaml")

    @get("/ui/chat", media_type="text/html", sync_to_thread=False)
    def get_chat_page(self, service: NamedDependency[Service]) -> Response[bytes]:
        headers = {**_PAGE_HEADERS, "content-security-policy": service.assets.page_policy}
        return Response(service.assets.page, media_type="text/html", headers=headers)
