"""HTTP below the generated calls: tokens, errors and one connection of an event stream."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from safelight_client._errors import (
    AnswerUnreadable,
    SafelightClientError,
    ServiceUnreachable,
    StreamBroken,
    refusal,
)
from safelight_client._events import StreamedEvent, read_event
from safelight_client._keyed import KEY_HEADER, send_keyed, with_key
from safelight_client._sse import SseParser
from safelight_client.models import HelloEvent

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from safelight_client._secret import Secret

__all__ = ("Operation", "Scheme", "StreamedEvent", "Transport")

Scheme: TypeAlias = Literal["agentToken", "chatToken", "appToken"]

CALL_TIMEOUT: Final = httpx.Timeout(30.0, connect=3.0)
STREAM_TIMEOUT: Final = httpx.Timeout(30.0, connect=3.0, read=None)
"""The silence of a stream is measured here, not by httpx: its limit changes with the stream's hello."""

SILENCE: Final = 2.5
"""A stream that is silent for this many keep-alive intervals is broken."""

DEFAULT_KEEPALIVE_S: Final = 15.0

T = TypeVar("T")


class Operation(msgspec.Struct, frozen=True, kw_only=True):
    """One operation of the contract. ``schemes`` are the tokens that open it, the narrowest first."""

    method: str
    path: str
    schemes: tuple[Scheme, ...]


class _Bearer(httpx.Auth):
    """Puts the token in at the last moment, so that it stands in no variable that a traceback could show."""

    def __init__(self, token: Secret) -> None:
        self._token = token

    def auth_flow(self, request: httpx.Request) -> Any:
        request.headers["Authorization"] = f"Bearer {self._token.reveal()}"
        yield request


class Transport:
    """Sends operations with the first of their tokens that there is, and turns answers into values and errors."""

    def __init__(
        self, base_url: str, tokens: Mapping[Scheme, Secret], http_client: httpx.AsyncClient | None = None
    ) -> None:
        self._base_url = _checked(base_url)
        self._tokens = dict(tokens)
        self._owns_http = http_client is None
        self._http = http_client or httpx.AsyncClient(trust_env=False, follow_redirects=False)

    @property
    def base_url(self) -> str:
        """Address of the service, without a slash at its end."""
        return self._base_url

    async def aclose(self) -> None:
        """Close the connections, unless the HTTP client was handed in."""
        if self._owns_http:
            await self._http.aclose()

    async def _json(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: msgspec.Struct | None,
        answer: type[T],
        headers: Mapping[str, str | None] | None = None,
    ) -> T:
        content = await self._bytes(operation, path, query, body, headers)
        try:
            return msgspec.json.decode(content, type=answer)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._unreadable() from error

    async def _nothing(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: msgspec.Struct | None,
        headers: Mapping[str, str | None] | None = None,
    ) -> None:
        await self._bytes(operation, path, query, body, headers)

    async def _bytes(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: msgspec.Struct | None,
        headers: Mapping[str, str | None] | None = None,
    ) -> bytes:
        sent = with_key(headers)

        async def send() -> httpx.Response:
            request = self._request(operation, path, query, body, sent, CALL_TIMEOUT)
            return await self._http.send(request, auth=self._auth(operation))

        try:
            response = await (send_keyed(send) if KEY_HEADER in sent else send())
        except httpx.RequestError as error:
            raise self._failure(error) from error
        if not response.is_success:
            raise refusal(response.status_code, response.content)
        return response.content

    async def _stream(
        self, operation: Operation, path: Mapping[str, str], query: Mapping[str, Any]
    ) -> AsyncGenerator[StreamedEvent, None]:
        request = self._request(operation, path, query, None, {}, STREAM_TIMEOUT)
        try:
            async with asyncio.timeout(SILENCE * DEFAULT_KEEPALIVE_S):
                response = await self._http.send(request, auth=self._auth(operation), stream=True)
        except httpx.RequestError as error:
            raise self._failure(error) from error
        except TimeoutError as error:
            raise StreamBroken("The service did not begin the event stream in time.") from error
        try:
            if not response.is_success:
                raise refusal(response.status_code, await response.aread())
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                raise self._unreadable()
            async with aclosing(_events(response)) as events:
                async for event in events:
                    yield event
        except httpx.RequestError as error:
            raise StreamBroken("The event stream was cut.") from error
        finally:
            await response.aclose()

    def _request(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: msgspec.Struct | None,
        headers: Mapping[str, str],
        timeout: httpx.Timeout,
    ) -> httpx.Request:
        sent = dict(headers)
        content = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            content = msgspec.json.encode(body)
        return self._http.build_request(
            operation.method,
            self._base_url + operation.path.format_map({name: _segment(value) for name, value in path.items()}),
            params={name: value for name, value in query.items() if value is not None},
            content=content,
            headers=sent,
            timeout=timeout,
        )

    def _auth(self, operation: Operation) -> httpx.Auth | None:
        for scheme in operation.schemes:
            if scheme in self._tokens:
                return _Bearer(self._tokens[scheme])
        return None

    def _unreadable(self) -> AnswerUnreadable:
        return AnswerUnreadable(f"The answer of {self._base_url} does not fit this version. Is it Safelight?")

    def _failure(self, error: httpx.RequestError) -> SafelightClientError:
        if isinstance(error, httpx.DecodingError):
            return self._unreadable()
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.UnsupportedProtocol):
            return ServiceUnreachable(f"Safelight does not answer at {self._base_url}.")
        return ServiceUnreachable(
            f"The connection to {self._base_url} was lost; the request may or may not have been carried out."
        )


async def _events(response: httpx.Response) -> AsyncGenerator[StreamedEvent, None]:
    parser = SseParser()
    limit = SILENCE * DEFAULT_KEEPALIVE_S
    chunks = response.aiter_bytes()
    while True:
        try:
            async with asyncio.timeout(limit):
                chunk = await anext(chunks, None)
        except TimeoutError as error:
            raise StreamBroken(f"The event stream was silent for {limit:g} seconds.") from error
        if chunk is None:
            return
        for frame in parser.feed(chunk):
            event = read_event(frame.data)
            if isinstance(event, HelloEvent) and event.keepalive_s > 0:
                limit = SILENCE * event.keepalive_s
            yield event


def _checked(base_url: str) -> str:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise ValueError(f"not an address: {base_url!r}") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise ValueError(f"not an http address: {base_url!r}")
    return base_url.rstrip("/")


def _segment(value: str) -> str:
    """One segment of a path; what would lead to another route is refused."""
    if value in {"", ".", ".."}:
        raise ValueError(f"not an id: {value!r}")
    return quote(value, safe="")
