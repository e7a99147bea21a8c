"""All chats that have not ended: opened, found, ended. What is kept of one is read when somebody asks for it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import msgspec

from safelight.chat.connections import ChatConnection, Connections, as_connections
from safelight.chat.description import described
from safelight.chat.restart import close_cut_off_run
from safelight.chat.session import ChatSession
from safelight.chat.standing import Standing
from safelight.chat.store import ChatRecord, StoredChat
from safelight.chat.warming import Warming
from safelight.errors import Conflict, Forbidden
from safelight.guard.secret import Secret, digest, new_token
from safelight.wire.models import EngineSettings

if TYPE_CHECKING:
    from safelight.chat.services import ChatServices
    from safelight.guard.tokens import TokenBook
    from safelight.wire.models import Chat, OpenChat

__all__ = ("MOST_LOADED", "Chats", "Opened")

logger = logging.getLogger(__name__)

MOST_LOADED: Final = 64
"""Chats that stay loaded while nothing goes on in them."""

_ERASED_AT_ONCE: Final = 20
"""In one transaction, so that nobody else waits long for the database."""


class Opened(msgspec.Struct, frozen=True):
    """A chat that has just been opened, and its token, which is not kept."""

    session: ChatSession
    token: Secret


class Chats:
    """The registry. A chat that is not in it gives ``Forbidden``, the same as a wrong token. However many ask for a
    chat at once, there is one session of it, and it stays the same one for as long as anybody holds it."""

    def __init__(self, tokens: TokenBook) -> None:
        self._tokens = tokens
        self._services: ChatServices | None = None
        self._warming: Warming | None = None
        self._known: set[str] = set()
        self._held: WeakValueDictionary[str, ChatSession] = WeakValueDictionary()
        self._recent: dict[str, ChatSession] = {}
        self._loading: dict[str, asyncio.Task[ChatSession]] = {}
        self._connections: dict[str, Connections] = {}
        self._closing = False

    async def load(self, services: ChatServices) -> None:
        """Know the kept chats by their tokens. A run that a restart cut off is closed: its open calls get interrupted
        results, its questions end, what waited is given back, and the chat is idle. It never goes on by itself."""
        self._services = services
        self._warming = Warming(services)
        for token_hash, session_id in await services.store.token_hashes():
            self._know(session_id, token_hash)
        for session_id in await services.store.cut_off():
            try:
                await close_cut_off_run(await self.get(session_id), services.store)
            except Conflict as error:  # the others are to be had all the same
                logger.warning("A run that was cut off could not be closed: %s", error.message)

    async def open(self, body: OpenChat, model_id: str) -> Opened:
        """A new chat with its own token. Its model is made ready in the background; ``""`` where it has none."""
        token = new_token("chat")
        engine = EngineSettings() if body.engine is msgspec.UNSET else body.engine
        now = datetime.now(UTC)
        record = ChatRecord(
            session_id=f"chat_{secrets.token_hex(8)}",
            token_hash=digest(token.reveal()),
            model=model_id,
            created=now,
            mode=None if body.mode is msgspec.UNSET else body.mode,
            **{name: value for name, value in msgspec.structs.asdict(engine).items() if value is not msgspec.UNSET},
        )
        given = () if body.connections is msgspec.UNSET else as_connections(body.connections)
        connections = Connections(given=given)
        chat = StoredChat(record=record, standing=Standing(last_active=now), providers=connections.providers, head=0)
        services = self._serving()
        await services.store.add(chat)
        session = ChatSession(chat, services, (), connections)
        self._know(record.session_id, record.token_hash)
        self._connections[record.session_id] = connections
        self._keep(session)
        if self._warming is not None and model_id:
            self._warming.start(model_id, record.wishes)
        return Opened(session, token)

    async def get(self, session_id: str) -> ChatSession:
        """The chat, or ``Forbidden``."""
        session = self._held.get(session_id)
        if session is None:
            if session_id not in self._known:
                raise Forbidden
            session = await self._loaded(session_id)
            if session_id not in self._known:  # it was ended meanwhile
                raise Forbidden
        self._keep(session)
        return session

    def find(self, session_id: str) -> ChatSession | None:
        """The chat, where it has not ended and is loaded; one in which a run goes on always is."""
        return self._held.get(session_id)

    async def describe_all(self) -> list[Chat]:
        """Every chat, in the order in which they were opened."""
        found: list[Chat] = []
        for chat in await self._serving().store.all():
            session_id = chat.record.session_id
            session = self._held.get(session_id)
            if session is not None:
                found.append(session.describe())
            elif session_id in self._known:
                connections = self._connections_of(chat)
                found.append(
                    described(chat.record, chat.standing, connections, head=chat.head, busy=False, questions=0)
                )
        return found

    async def connect(self, session: ChatSession, given: tuple[ChatConnection, ...]) -> None:
        """Give a chat these connections in the place of those that it has. Only their providers' names are kept.
        ``Forbidden`` for a chat that has ended."""
        if session.record.session_id not in self._known:
            raise Forbidden
        connections = session.connections.replaced(given)
        session.connections = self._connections[session.record.session_id] = connections
        await self._serving().store.keep_providers(session.record.session_id, connections.providers)

    async def end(self, session_id: str) -> None:
        """End a chat and erase it: its token opens nothing from here on."""
        if session_id not in self._known:
            raise Forbidden
        await self._erase([session_id])

    async def erase_older(self, when: datetime) -> None:
        """End and erase the chats whose newest event is older, but for those that somebody uses."""
        older = await self._serving().store.older_than(when)
        for place in range(0, len(older), _ERASED_AT_ONCE):
            some = older[place : place + _ERASED_AT_ONCE]
            if unused := [session_id for session_id in some if self._is_over(session_id, when)]:
                await self._erase(unused)

    async def close(self) -> None:
        """The service stops: runs are stopped, readers' streams end, nothing is erased."""
        self._closing = True
        if self._warming is not None:
            await self._warming.close()
        sessions = list(self._held.values())
        for session in sessions:
            session.log.close()
        ends = await asyncio.gather(*(session.close() for session in sessions), return_exceptions=True)
        for error in ends:
            if isinstance(error, Exception):  # e.g. a full disk, which must not keep the service from its end
                logger.warning("A chat could not be closed in order: %s", error)

    async def _erase(self, session_ids: list[str]) -> None:
        for session_id in session_ids:
            self._known.discard(session_id)
            self._tokens.unbind_chat(session_id)
        for session_id in session_ids:
            if (loading := self._loading.get(session_id)) is not None:
                await asyncio.wait({loading})
            self._connections.pop(session_id, None)
            self._recent.pop(session_id, None)
            if (session := self._held.pop(session_id, None)) is not None:
                await session.close(erased=True)
        store = self._serving().store
        try:
            await store.erase(session_ids)
        except sqlite3.Error:  # e.g. a full disk: what is still there can be ended again
            for token_hash, session_id in await store.token_hashes():
                if session_id in session_ids:
                    self._know(session_id, token_hash)
            raise

    def _is_over(self, session_id: str, when: datetime) -> bool:
        """Whether nobody uses the chat, and has not used it since it was found to be older."""
        if session_id not in self._known or session_id in self._loading:
            return False
        session = self._held.get(session_id)
        return session is None or not (session.in_use or session.describe().last_active >= when)

    async def _loaded(self, session_id: str) -> ChatSession:
        """All who ask for it while it is being read wait for the same one."""
        loading = self._loading.get(session_id)
        if loading is None:
            loading = self._loading[session_id] = asyncio.create_task(self._read(session_id))
            loading.add_done_callback(lambda _: self._loading.pop(session_id, None))
        return await asyncio.shield(loading)

    async def _read(self, session_id: str) -> ChatSession:
        services = self._serving()
        found = await services.store.one(session_id)
        if found is None:
            raise Forbidden
        chat, history = found
        session = ChatSession(chat, services, history, self._connections_of(chat))
        if self._closing:
            await session.close()
        self._held[session_id] = session
        return session

    def _connections_of(self, chat: StoredChat) -> Connections:
        return self._connections.get(chat.record.session_id) or Connections(lost=chat.providers)

    def _know(self, session_id: str, token_hash: str) -> None:
        self._known.add(session_id)
        self._tokens.bind_chat(token_hash, session_id)

    def _keep(self, session: ChatSession) -> None:
        """Make it the one used last, and let go of those that rest longest. Two looks each time keep pace."""
        session_id = session.record.session_id
        self._held[session_id] = session
        self._recent.pop(session_id, None)
        self._recent[session_id] = session
        for _ in range(2):
            if len(self._recent) <= MOST_LOADED:
                return
            oldest_id, oldest = next(iter(self._recent.items()))
            del self._recent[oldest_id]
            if not oldest.resting:
                self._recent[oldest_id] = oldest

    def _serving(self) -> ChatServices:
        if self._services is None:
            raise RuntimeError("chats are not loaded yet")
        return self._services
