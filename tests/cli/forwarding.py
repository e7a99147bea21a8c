"""The forwarder of ``safelight mcp`` between a client of the SDK and a service, without processes and pipes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from mcp import Client
from mcp.shared.message import SessionMessage

from safelight.cli.mcp_forward import Forwarder
from safelight.cli.mcp_session import Address

__all__ = ("Find", "forwarded", "forwarded_client")

Find = Callable[[], Awaitable[Address]]


@contextlib.asynccontextmanager
async def forwarded(find: Find) -> AsyncGenerator[tuple[Any, Any]]:
    """A transport for the SDK's ``Client``."""
    to_client, reading = anyio.create_memory_object_stream[SessionMessage | Exception](100)
    writing, from_client = anyio.create_memory_object_stream[SessionMessage](100)

    async def lines() -> AsyncGenerator[bytes]:
        async for sent in from_client:
            yield sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode()

    async def put(message: bytes) -> None:
        try:
            await to_client.send(SessionMessage(types.jsonrpc_message_adapter.validate_json(message, by_name=False)))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise BrokenPipeError from error

    forwarding = asyncio.create_task(Forwarder(find, put).run(lines()))
    try:
        async with to_client, reading, writing, from_client:
            yield reading, writing
            writing.close()
            await forwarding
    finally:
        forwarding.cancel()
        await asyncio.gather(forwarding, return_exceptions=True)


@contextlib.asynccontextmanager
async def forwarded_client(find: Find, era: str) -> AsyncGenerator[Client]:
    """A client of the SDK that speaks through the forwarder."""
    async with Client(forwarded(find), mode=era) as client:
        yield client
