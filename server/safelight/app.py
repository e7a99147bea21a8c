"""Wiring only: settings in, application out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import msgspec
from litestar import Litestar
from litestar.di import Provide

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs
from safelight.catalog.database import Database
from safelight.catalog.indexing import Indexing
from safelight.catalog.meaning import Meaning
from safelight.catalog.thumbnails import Thumbnails
from safelight.chat.chats import Chats
from safelight.chat.facts import GlanceAtLightroom
from safelight.chat.inbox import Inbox
from safelight.chat.keyed_answers import KeyedAnswers
from safelight.chat.limits import limits_of
from safelight.chat.retention import erase_kept, erase_old_daily
from safelight.chat.schema import MIGRATIONS
from safelight.chat.services import ChatServices
from safelight.chat.store import ChatStore
from safelight.chat.toolbox import Toolbox
from safelight.embedding.embedders import Embedders
from safelight.engines.slots import Slots
from safelight.errors import StartRefused
from safelight.gate.gate import Gate
from safelight.gate.journal import Journal
from safelight.gate.permissions import AgentPermissions, PermissionBook
from safelight.guard.border import Border
from safelight.guard.doors import TOKENS, let_in
from safelight.guard.origin import LOOPBACK
from safelight.guard.tokens import TokenBook, agent_token
from safelight.jobs.jobs import Jobs
from safelight.models.source import Models
from safelight.routes.assets import load_assets
from safelight.routes.bridge import BridgeController
from safelight.routes.changes import ChangesController
from safelight.routes.chat import ChatsController, OneChatController
from safelight.routes.errors import EXCEPTION_HANDLERS
from safelight.routes.inbox import InboxController
from safelight.routes.index import IndexController
from safelight.routes.jobs import JobsController
from safelight.routes.mcp import mcp_route
from safelight.routes.permissions import AgentPermissionsController
from safelight.routes.public import PublicController
from safelight.routes.service import Service
from safelight.routes.tokens import TokensController
from safelight.tools.mcp_agent import Access
from safelight.tools.mcp_http import McpEndpoint, outside_server
from safelight.tools.registry import ToolParts, build_tools, for_people
from safelight.tools.search import PhotoSearch
from safelight.version import VERSION

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Generator

    from litestar.types import ASGIApp

    from safelight.chat.limits import ChatLimits
    from safelight.settings import Settings
    from safelight.wire.models import BridgeHello

__all__ = ("Application", "create_app")

logger = logging.getLogger(__name__)

_MOMENT_S: Final = 0.3


@dataclass(frozen=True, kw_only=True)
class Application:
    """The ASGI application, and what its server must know."""

    asgi: ASGIApp
    litestar: Litestar
    service: Service
    listening: asyncio.Event
    """For the server to set once it listens: what is loaded late begins then."""
    closing: asyncio.Event
    load: Callable[[], Awaitable[None]]
    """Bring back what was kept, before the lifespan begins. Raises ``StartRefused`` when it is damaged."""

    async def close_streams(self) -> None:
        """End every open stream and held poll, so that the server can stop at once. Runs are stopped and get a moment
        to log their end; a tool that takes longer is cut off with the tools' server."""
        self.service.bridge.closing()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_MOMENT_S):
                await asyncio.gather(self.service.inbox.close(), self.service.chats.close())
        self.closing.set()


def create_app(settings: Settings, limits: ChatLimits | None = None) -> Application:
    """Build the service, with the ``limits`` of its settings where none are given. Nothing runs before the
    application's lifespan begins. Raises ``StartRefused`` when the data folder cannot be used."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    limits = limits or limits_of(settings)
    with _refusing_damage(settings):
        database = Database(settings.database_file, MIGRATIONS)
    chat_database = database if limits.keep_days else Database(None, MIGRATIONS)
    tokens = TokenBook(database, agent_token(settings.agent_token_file))
    bridge = Bridge(version=VERSION)
    catalogs = Catalogs(settings.data_dir, bridge)
    permissions = PermissionBook(settings.data_dir)
    thumbnails = Thumbnails(bridge)
    jobs = Jobs()
    journal = Journal(database, _local_now)
    agent_permissions = AgentPermissions(settings.data_dir)
    embedders = Embedders(settings.data_dir)
    meaning = Meaning(embedders)
    indexing = Indexing(bridge, catalogs, jobs, embedders)
    search = PhotoSearch(catalogs, meaning)
    tools = build_tools(
        ToolParts(
            bridge=bridge,
            catalogs=catalogs,
            thumbnails=thumbnails,
            journal=journal,
            jobs=jobs,
            indexing=indexing,
            meaning=meaning,
            search=search,
        )
    )
    gate = Gate(tools, journal, lambda: catalogs.present_id)
    chats = Chats(tokens)
    inbox = Inbox(chat_database, agent_permissions, limits)
    access = Access(agent_permissions, tokens)
    models = Models(
        settings.models_dir or settings.data_dir,
        slots=Slots(idle_s=limits.model_idle_s),
        routing=settings.routing,
        copy_words=settings.copy_words,
    )
    service = Service(
        bridge=bridge,
        chats=chats,
        store=ChatStore(chat_database),
        keyed=KeyedAnswers(chat_database),
        inbox=inbox,
        tokens=tokens,
        gate=gate,
        journal=journal,
        permissions=permissions,
        agent_permissions=agent_permissions,
        models=models,
        default_model=settings.model,
        thumbnails=thumbnails,
        jobs=jobs,
        indexing=indexing,
        search=search,
        mcp=McpEndpoint(outside_server(gate, tools if settings.dev else for_people(tools), access, inbox)),
        assets=load_assets(),
    )
    toolbox = Toolbox(gate, for_people(tools), chats.find)
    listening, closing = asyncio.Event(), asyncio.Event()

    def catalog_opened(hello: BridgeHello) -> None:
        catalogs.follow(hello)
        permissions.bind(hello.catalog_id)
        thumbnails.forget()

    bridge.observe(catalog_opened)

    async def load() -> None:
        services = ChatServices(
            store=service.store,
            models=models,
            toolbox=toolbox,
            permissions=permissions,
            jobs=jobs,
            now=_local_now,
            limits=limits,
            glance=GlanceAtLightroom(bridge, catalogs),
        )
        try:
            with _refusing_damage(settings):
                await tokens.load()
                await chats.load(services)
                await inbox.load()
        except BaseException:
            await chat_database.close()
            await database.close()
            raise

    async def erase_old(closing: asyncio.Event) -> None:
        if limits.keep_days:
            await erase_old_daily((chats, inbox), limits.keep_days, closing)
        else:
            await erase_kept(ChatStore(database))

    async def find_models(closing: asyncio.Event) -> None:
        del closing
        await models.look_around()

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None, None]:
        del app
        late = (toolbox.run, service.mcp.run, erase_old, find_models)
        hosts = [asyncio.create_task(_late(listening, run, closing)) for run in late]
        try:
            yield
        finally:
            await application.close_streams()
            await _end_all(hosts)
            await chats.close()
            await models.close()
            await jobs.close()
            await asyncio.gather(catalogs.close(), chat_database.close(), database.close())

    litestar = Litestar(
        route_handlers=[
            ChatsController,
            OneChatController,
            TokensController,
            BridgeController,
            ChangesController,
            InboxController,
            AgentPermissionsController,
            IndexController,
            JobsController,
            PublicController,
            mcp_route(service),
        ],
        dependencies={"service": Provide(lambda: service, sync_to_thread=False)},
        guards=[let_in],
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=[lifespan],
        openapi_config=None,
        logging_config=None,
    )
    litestar.state[TOKENS] = tokens
    own_hosts = LOOPBACK | ({settings.host} - {"0.0.0.0", "::"})  # noqa: S104  # names taken out, not bound to
    application = Application(
        asgi=Border(litestar, own_hosts),
        litestar=litestar,
        service=service,
        listening=listening,
        closing=closing,
        load=load,
    )
    return application


@contextlib.contextmanager
def _refusing_damage(settings: Settings) -> Generator[None, None, None]:
    try:
        yield
    except (sqlite3.Error, msgspec.MsgspecError) as error:
        logger.debug("The data cannot be read", exc_info=error)
        text = (
            f"The file {settings.database_file} is damaged or cannot be used ({error}). Put a backup in its place, or "
            "move it and its neighbours ending in -wal and -shm away to start with no chats; your photos are not in it."
        )
        raise StartRefused(text) from None


async def _late(
    listening: asyncio.Event, run: Callable[[asyncio.Event], Awaitable[None]], closing: asyncio.Event
) -> None:
    """The MCP SDK takes half a second to load, which is not to stand between the start and the first answer."""
    await listening.wait()
    await run(closing)


async def _end_all(hosts: list[asyncio.Task[None]]) -> None:
    """Let what is served end by itself; what is still loading is left."""
    _, late = await asyncio.wait(hosts, timeout=0.1)
    for host in late:
        host.cancel()
    await asyncio.gather(*hosts, return_exceptions=True)


def _local_now() -> datetime:
    return datetime.now().astimezone()
