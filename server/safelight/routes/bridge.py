"""The plug-in's routes."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Request, post
from litestar.di import NamedDependency

from safelight.guard.doors import AGENT
from safelight.routes.body import read_body
from safelight.routes.service import Service
from safelight.wire.models import BridgeHello, BridgePoll, BridgeResult, BridgeTaken, BridgeWelcome, BridgeWork

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
        return await service.bridge.poll(await read_body(request, BridgePoll))

    @post("/result", status_code=200, request_max_body_size=_RESULT_LIMIT)
    async def bridge_result(self, request: Request[Any, Any, Any], service: NamedDependency[Service]) -> BridgeTaken:
        return service.bridge.result(await read_body(request, BridgeResult, limit=_RESULT_LIMIT))
