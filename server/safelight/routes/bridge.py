"""The plug-in's routes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from litestar import Controller, Request, post
from litestar.di import NamedDependency

from safelight.guard.doors import AGENT
from safelight.routes.body import read_body
from safelight.routes.service import Service
from safelight.wire.models import BridgeHello, BridgePoll, BridgeResult, BridgeTaken, BridgeWelcome, BridgeWork

if TYPE_CHECKING:
    from safelight.bridge.bridge import Bridge

__all__ = ("BridgeController",)

_RESULT_LIMIT = 32_000_000
"""Bytes of a command's result: 500 photo records with long captions fit."""


class BridgeController(Controller):
    """For the plug-in alone."""

    path = "/v1/bridge"
    opt = AGENT

    @post("/hello", status_code=200)
    async def bridge_hello(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> BridgeWelcome:
        return service.bridge.hello(await read_body(request, BridgeHello))

    @post("/poll", status_code=200)
    async def bridge_poll(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> BridgeWork:
        poll = await read_body(request, BridgePoll)
        watch = asyncio.create_task(_tell_when_cut(request, service.bridge, poll))
        try:
            return await service.bridge.poll(poll)
        finally:
            watch.cancel()

    @post("/result", status_code=200, request_max_body_size=_RESULT_LIMIT)
    async def bridge_result(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> BridgeTaken:
        return service.bridge.result(await read_body(request, BridgeResult, limit=_RESULT_LIMIT))


async def _tell_when_cut(request: Request[Any, Any, Any], bridge: Bridge, poll: BridgePoll) -> None:
    """Lightroom that quits has no time to say so; its connection tells."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    bridge.hung_up(poll)
