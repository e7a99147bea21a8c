"""What agents from outside may do without asking."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Controller, Request, get, put
from litestar.di import NamedDependency

from safelight.errors import Conflict
from safelight.guard.doors import AGENT, PERSON
from safelight.routes.body import read_body
from safelight.routes.service import Service
from safelight.wire.models import Permissions, PermissionsUpdate

__all__ = ("AgentPermissionsController",)


class AgentPermissionsController(Controller):
    """Read by the person at any chat's page; set by the holder of the agent token alone."""

    path = "/v1/permissions/agents"

    @get(sync_to_thread=False, opt=PERSON)
    def get_agent_permissions(self, service: NamedDependency[Service]) -> Permissions:
        return service.agent_permissions.current()

    @put(opt=AGENT)
    async def put_agent_permissions(
        self, request: Request[Any, Any, Any], service: NamedDependency[Service]
    ) -> Permissions:
        body = await read_body(request, PermissionsUpdate)
        try:
            return await asyncio.to_thread(service.agent_permissions.replace, body)
        except OSError as error:
            text = f"The settings could not be saved ({error.strerror}). The old ones hold."
            raise Conflict(text) from None
