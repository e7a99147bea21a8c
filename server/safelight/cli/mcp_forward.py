"""Hands on an agent's messages to the service and its answers back, and outlives the service: after a restart the
agent's session is opened again, unseen by it."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from safelight.cli.mcp_session import Lost, McpSession, NotTaken, Refused, http_client, modern_version
from safelight.errors import StartRefused

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from safelight.cli.mcp_session import Address

__all__ = ("Forwarder",)

END_S: Final = 5.0
"""How long requests may go on once the agent has closed its end."""

TAKEN_S: Final = 2.0
"""How long a request that is cancelled may take to reach the service, which could not be told before."""

PAUSES_S: Final = (0.0, 0.5, 1.5)
"""Before each further try."""

_PARSE_ERROR: Final = -32700
_INVALID_REQUEST: Final = -32600
_FAILED: Final = -32000

_RESTARTED: Final = (
    "Safelight was restarted while it worked on this; ask again. Whether anything was changed is unknown: look before "
    "you repeat a change."
)
_GONE: Final = "Safelight was restarted; ask again."
_NOT_JSON: Final = "This is no message of JSON-RPC: one JSON object in one line of UTF-8 is needed."

_Id = tuple[str, bytes]


class _Asked(msgspec.Struct):
    """A request that has no answer yet. ``taken``: the service has it."""

    line: bytes
    message: dict[str, Any]
    task: asyncio.Task[None] | None = None
    taken: asyncio.Event = msgspec.field(default_factory=asyncio.Event)


class Forwarder:
    """``find`` gives the running service, starting it where needed, or raises ``StartRefused``. ``put`` writes a
    message to the agent; an ``OSError`` of it means that the agent has gone."""

    def __init__(self, find: Callable[[], Awaitable[Address]], put: Callable[[bytes], Awaitable[None]]) -> None:
        self._find = find
        self._put = put
        self._http = http_client()
        self._session: McpSession | None = None
        self._opening = asyncio.Lock()
        self._handshake: bytes | None = None
        self._asked: dict[_Id, _Asked] = {}

    async def run(self, lines: AsyncGenerator[bytes]) -> None:
        """Until the lines end, or the agent reads no more."""
        try:
            async with aclosing(lines):
                async for line in lines:
                    await self._take(line)
            if tasks := self._tasks():
                await asyncio.wait(tasks, timeout=END_S)
        except OSError:
            pass  # the agent has gone
        finally:
            for task in self._tasks():
                task.cancel()
            await asyncio.gather(*self._tasks(), return_exceptions=True)
            if self._session is not None:
                await self._session.end()
            await self._http.aclose()

    async def _take(self, line: bytes) -> None:
        try:
            message: Any = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            await self._put(_error(None, _PARSE_ERROR, _NOT_JSON))
            return
        if not isinstance(message, dict):
            await self._put(_error(None, _INVALID_REQUEST, _NOT_JSON))
            return
        message = cast("dict[str, Any]", message)
        if "method" not in message or message.get("id") is None:
            await self._tell(line, message)
        elif message["method"] == "initialize":
            await self._initialize(line, message["id"])
        else:
            asked = _Asked(line, message)
            key = _key(message["id"])
            self._asked[key] = asked
            asked.task = asyncio.create_task(self._ask(key, asked))

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [asked.task for asked in self._asked.values() if asked.task is not None]

    async def _initialize(self, line: bytes, request_id: Any) -> None:
        """Before anything else that the agent may have sent already, which needs the session."""
        self._handshake = None
        await self._answered(request_id, self._opened(line))

    async def _opened(self, line: bytes) -> None:
        async def initialize(session: McpSession) -> None:
            answer = await session.initialize(line)
            self._handshake = line
            await self._put(answer)

        await self._patiently(initialize, repeat=True)

    async def _ask(self, key: _Id, asked: _Asked) -> None:
        try:
            await self._answered(asked.message["id"], self._handed_on(asked))
        except OSError:
            pass  # the agent has gone; its lines end too
        finally:
            if self._asked.get(key) is asked:
                del self._asked[key]

    async def _handed_on(self, asked: _Asked) -> None:
        async def pass_back(session: McpSession) -> None:
            async with aclosing(session.ask(asked.line, asked.message, asked.taken)) as answers:
                async for answer in answers:
                    await self._put(answer)

        await self._patiently(pass_back, repeat=asked.message["method"] != "tools/call")

    async def _patiently(self, work: Callable[[McpSession], Awaitable[None]], *, repeat: bool) -> None:
        """Do it on another session where the service has not taken it; where its answer was lost, if it may be
        repeated. A service that ends takes a moment until another can begin."""
        session: McpSession | None = None
        for pause_s in PAUSES_S:
            try:
                session = await self._current(session)
                await work(session)
                return
            except NotTaken:
                pass
            except Lost:
                if not repeat:
                    raise
            await asyncio.sleep(pause_s)
        await work(await self._current(session))

    async def _answered(self, request_id: Any, work: Awaitable[None]) -> None:
        try:
            await work
            return
        except Lost:
            reason = _RESTARTED
        except NotTaken:
            reason = _GONE
        except (Refused, StartRefused) as error:
            reason = str(error)
        sys.stderr.write(f"safelight: {reason}\n")
        sys.stderr.flush()
        await self._put(_error(request_id, _FAILED, reason))

    async def _tell(self, line: bytes, message: dict[str, Any]) -> None:
        if message.get("method") == "notifications/cancelled":
            await self._cancel(line, message)
        elif self._session is not None:
            with suppress(NotTaken, Lost, Refused):  # nobody waits for an answer
                await self._session.tell(line, message)

    async def _cancel(self, line: bytes, message: dict[str, Any]) -> None:
        """The newer era cancels by closing the connection; in the older one that means nothing, and the service has to
        be told, once it has the request. Either way no answer is wanted any more."""
        match message.get("params"):
            case {"requestId": request_id}:
                asked = self._asked.get(_key(request_id))
            case _:
                asked = None
        if asked is None or asked.task is None:
            return
        session = self._session
        if session is not None and modern_version(asked.message) is None:
            with suppress(NotTaken, Lost, Refused, TimeoutError):
                async with asyncio.timeout(TAKEN_S):
                    await asked.taken.wait()
                await session.tell(line, message)
        asked.task.cancel()

    async def _current(self, stale: McpSession | None) -> McpSession:
        """The session; another one in place of ``stale``, opened again where the agent had opened it."""
        async with self._opening:
            if self._session is None or self._session is stale:
                self._session = None
                session = McpSession(self._http, await self._find())
                if self._handshake is not None:
                    try:
                        await session.initialize(self._handshake)
                        await session.initialized()
                    except Lost:
                        raise NotTaken from None
                self._session = session
            return self._session


def _key(request_id: Any) -> _Id:
    """1 and "1" are two ids."""
    return type(request_id).__name__, msgspec.json.encode(request_id)


def _error(request_id: Any, code: int, message: str) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})
