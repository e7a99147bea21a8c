"""Requests that may be sent again: each carries a key, by which the service knows that it has done it already."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Final

import httpx

from safelight_client._backoff import Backoff

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

__all__ = ("KEY_HEADER", "TRIES", "send_keyed", "with_key")

KEY_HEADER: Final = "Idempotency-Key"

TRIES: Final = 3
"""How often one request is sent at most."""

_UNAVAILABLE: Final = 503
_NEVER_SENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


def with_key(headers: Mapping[str, str | None] | None) -> dict[str, str]:
    """The headers that are sent. An operation that takes a key and was given none gets a fresh one."""
    sent = {name: value for name, value in (headers or {}).items() if value is not None}
    if headers is not None and KEY_HEADER in headers:
        sent.setdefault(KEY_HEADER, secrets.token_urlsafe(16))
    return sent


async def send_keyed(
    send: Callable[[], Awaitable[httpx.Response]],
    backoff: Backoff | None = None,
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
) -> httpx.Response:
    """The answer, after as many tries as it takes and at most three: a connection that broke without an answer and a
    503 are tried again. Where nobody listened from the first on, there is but one try.

    Raises:
        httpx.RequestError: no try got an answer; the error is that of the first, which may have been carried out.
    """
    backoff = backoff or Backoff()
    broken: httpx.TransportError | None = None
    for _ in range(TRIES - 1):
        try:
            response = await send()
            if response.status_code != _UNAVAILABLE:
                return response
        except httpx.TransportError as error:
            if broken is None and isinstance(error, _NEVER_SENT):
                raise
            broken = broken or error
        await pause(backoff.next_pause())
    try:
        return await send()
    except httpx.TransportError as error:
        if broken is None:
            raise
        raise broken from error
