"""One session with the service's /mcp, message by message: what the agent wrote goes out byte for byte, with the
headers that Streamable HTTP wants for it, in both eras of the protocol."""

from __future__ import annotations

import base64
import re
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, cast

import httpx
import msgspec

from safelight_client import Secret

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator, AsyncIterable

__all__ = ("Address", "Lost", "McpSession", "NotTaken", "Refused", "events", "http_client", "modern_version")

_VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
"""Where a message of the newer era, which knows no sessions, says its version."""

_FORBIDDEN: Final = 403
_NOT_FOUND: Final = 404
_ENDING: Final = 503

_NAMES: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN: Final = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")
_INITIALIZED: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """Where the service is, what opens it, and what to say when that opens nothing."""

    url: str
    token: Secret
    refused: str


class NotTaken(Exception):
    """The service has not taken the message: it is not there, is about to end, or has forgotten the session. It may be
    sent again."""


class Lost(Exception):
    """The connection broke before the answer came; what became of the message is unknown."""


class Refused(Exception):
    """The service will not take the message. The text says why."""


def http_client() -> httpx.AsyncClient:
    """Each message has a connection of its own: so one that could not be made is known to have carried nothing, while
    one that was kept may break on the way. A service that works gives a sign of life every 15 seconds."""
    return httpx.AsyncClient(
        timeout=httpx.Timeout(60.0, connect=5.0),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
        trust_env=False,
        follow_redirects=False,
    )


def modern_version(message: dict[str, Any]) -> str | None:
    """The version that a message of the newer era names; none for one of a session."""
    meta = _dict(_dict(message.get("params")).get("_meta"))
    version = meta.get(_VERSION_KEY)
    return version if isinstance(version, str) else None


class McpSession:
    """Takes messages of both eras; those of the older one once ``initialize`` has gone through. Every method may raise
    ``NotTaken``, ``Lost`` or ``Refused``."""

    def __init__(self, http: httpx.AsyncClient, address: Address) -> None:
        self._http = http
        self._address = address
        self._session: dict[str, str] = {}

    async def initialize(self, line: bytes) -> bytes:
        """Open the session with the agent's own request; gives the answer to it."""
        async with self._posted(line, {}) as response:
            answers = [answer async for answer in _messages(response)]
            if not answers:
                raise Lost
            opened = response.headers.get("mcp-session-id")
        version = _dict(_dict(msgspec.json.decode(answers[-1])).get("result")).get("protocolVersion")
        if isinstance(version, str):
            self._session = {"mcp-protocol-version": version} | ({"mcp-session-id": opened} if opened else {})
        return answers[-1]

    async def initialized(self) -> None:
        """Say for the agent that it is ready, as it has said before."""
        await self.tell(_INITIALIZED, {})

    async def ask(self, line: bytes, message: dict[str, Any], taken: asyncio.Event) -> AsyncGenerator[bytes]:
        """The messages that come of a request, the last being its answer. Raises ``Lost`` without one. ``taken`` is set
        once the service has the request."""
        async with self._posted(line, message) as response:
            taken.set()
            async for answer in _messages(response):
                fields = _dict(msgspec.json.decode(answer))
                if "method" in fields:
                    yield answer
                    continue
                if fields.get("id") is None:
                    raise Refused(f"Safelight did not take the message: {_dict(fields.get('error')).get('message')}")
                yield answer
                return
        raise Lost

    async def tell(self, line: bytes, message: dict[str, Any]) -> None:
        """Hand on a notification, or the agent's answer to a question."""
        async with self._posted(line, message):
            pass

    async def end(self) -> None:
        """Close the session. Says nothing when that is not possible."""
        if "mcp-session-id" in self._session:
            with suppress(httpx.HTTPError):
                await self._http.delete(self._url, headers=self._fixed | self._session, timeout=1.0)

    @property
    def _url(self) -> str:
        return f"{self._address.url}/mcp"

    @property
    def _fixed(self) -> dict[str, str]:
        return {
            "authorization": f"Bearer {self._address.token.reveal()}",
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
        }

    def _headers_of(self, message: dict[str, Any]) -> dict[str, str]:
        version = modern_version(message)
        if version is None:
            return self._fixed | self._session
        method = str(message.get("method"))
        own = {"mcp-protocol-version": version, "mcp-method": _field(method)}
        name = _dict(message.get("params")).get(_NAMES.get(method, ""))
        return self._fixed | own | ({"mcp-name": _field(name)} if isinstance(name, str) else {})

    @asynccontextmanager
    async def _posted(self, line: bytes, message: dict[str, Any]) -> AsyncGenerator[httpx.Response]:
        try:
            async with self._http.stream(
                "POST", self._url, content=line, headers=self._headers_of(message)
            ) as response:
                if response.status_code == _FORBIDDEN:
                    raise Refused(self._address.refused)
                if response.status_code == _NOT_FOUND and "mcp-session-id" in self._session:
                    raise NotTaken
                if response.status_code == _ENDING:
                    raise NotTaken
                yield response
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise NotTaken from None
        except httpx.HTTPError:
            raise Lost from None


async def _messages(response: httpx.Response) -> AsyncGenerator[bytes]:
    """The JSON-RPC messages of an answer, each without line breaks. An error of HTTP that holds none is ``Refused``."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "text/event-stream":
        async for data in events(response.aiter_bytes()):
            yield data
        return
    body = _one_line(await response.aread())
    if kind == "application/json" and body:
        yield body
    elif response.is_error:
        raise Refused(f"Safelight did not take the message (HTTP {response.status_code}).")


async def events(chunks: AsyncIterable[bytes]) -> AsyncGenerator[bytes]:
    """The data of server-sent events, each as one line. Lines are ended by LF or CR LF alone: the text of JSON may hold
    what else ends lines elsewhere (U+2028, for one)."""
    rest = bytearray()
    data: list[bytes] = []
    async for chunk in chunks:
        rest += chunk
        if b"\n" not in chunk:
            continue
        *lines, last = rest.split(b"\n")
        rest = last
        for line in lines:
            field, _, value = bytes(line).removesuffix(b"\r").partition(b":")
            if field == b"data":
                data.append(value.removeprefix(b" "))
            elif not field and not value and data:
                yield _one_line(b"\n".join(data))
                data = []


def _one_line(message: bytes) -> bytes:
    """JSON has raw line breaks only between its parts."""
    return message.strip().replace(b"\r", b" ").replace(b"\n", b" ")


def _field(value: str) -> str:
    """A value of a header field; what such a field cannot hold goes in base64."""
    if _PLAIN.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode('ascii')}?="


def _dict(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
