"""All chats that have not ended: opened, found, ended, and brought back after a restart."""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from safelight.chat.restart import close_cut_off_run
from safelight.chat.session import ChatSession
from safelight.chat.store import ChatRecord
from safelight.chat.warming import Warming
from safelight.errors import Forbidden
from safelight.guard.secret import Secret, digest, new_token

if TYPE_CHECKING:
    from safelight.chat.services import ChatServices
    from safelight.guard.tokens import TokenBook
    from safelight.wire.models import Chat, OpenChat

__all__ = ("Chats", "Opened")


class Opened(msgspec.Struct, frozen=True):
    """A chat that has just been opened, and its token, which is not kept."""

    session: ChatSession
    token: Secret


class Chats:
    """The registry. A chat that is not in it gives ``Forbidden``, the same as a wrong token."""

    def __init__(self, tokens: TokenBook) -> None:
        self._tokens = tokens
        self._services: ChatServices | None = None
        self._warming: Warming | None = None
        self._sessions: dict[str, ChatSession] = {}

    async def load(self, services: ChatServices) -> None:
        """Bring the kept chats back. A run that a restart cut off is closed: its open calls get interrupted results,
        its questions end, and the chat is idle. It never goes on by itself."""
        self._services = services
        self._warming = Warming(services)
        for record, head in await services.store.all():
            history = await services.store.history(record.session_id)
            session = ChatSession(record, services, head, history)
            await close_cut_off_run(session, services.store)
            self._add(session)

    async def open(self, body: OpenChat, model_id: str) -> Opened:
        """A new chat with its own token. Its model is made ready in the background."""
        token = new_token("chat")
        engine = None if body.engine is msgspec.UNSET else body.engine
        temperature = 0.0
        if engine is not None and engine.temperature is not msgspec.UNSET:
            temperature = engine.temperature
        record = ChatRecord(
            session_id=f"chat_{secrets.token_hex(8)}",
            token_hash=digest(token.reveal()),
            model=model_id,
            created=datetime.now(UTC),
            mode=None if body.mode is msgspec.UNSET else body.mode,
            temperature=temperature,
        )
        services = self._serving()
        await services.store.add(record)
        session = ChatSession(record, services, 0, ())
        self._add(session)
        if self._warming is not None:
            self._warming.start(model_id)
        return Opened(session, token)

    def get(self, session_id: str) -> ChatSession:
        """The chat, or ``Forbidden``."""
        session = self._sessions.get(session_id)
        if session is None:
            raise Forbidden
        return session

    def find(self, session_id: str) -> ChatSession | None:
        """The chat, where it has not ended."""
        return self._sessions.get(session_id)

    def describe_all(self) -> list[Chat]:
        return [session.describe() for session in self._sessions.values()]

    async def end(self, session_id: str) -> None:
        """End a chat and erase it: its token opens nothing from here on."""
        session = self.get(session_id)
        del self._sessions[session_id]
        self._tokens.unbind_chat(session_id)
        await session.close(erased=True)
        await self._serving().store.erase(session_id)

    async def close(self) -> None:
        """The service stops: runs are stopped, readers' streams end, nothing is erased."""
        if self._warming is not None:
            await self._warming.close()
        for session in self._sessions.values():
            session.log.close()
        await asyncio.gather(*(session.close() for session in self._sessions.values()))

    def _add(self, session: ChatSession) -> None:
        self._sessions[session.record.session_id] = session
        self._tokens.bind_chat(session.record.token_hash, session.record.session_id)

    def _serving(self) -> ChatServices:
        if self._services is None:
            raise RuntimeError("chats are not loaded yet")
        return self._services
