"""An agent from outside whose program can show forms, and somebody who reads the inbox."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, ElicitRequestFormParams, ElicitResult

from safelight_client import SafelightClient, StreamedEvent, models
from tests.live import Live

__all__ = ("Forms", "InboxReader", "agent", "inbox_reader", "mint", "text_of")


class Forms:
    """The person at the agent's program: keeps each form that is shown and gives what ``say`` makes of it."""

    def __init__(self, say: Callable[[ElicitRequestFormParams], ElicitResult]) -> None:
        self._say = say
        self.shown: list[ElicitRequestFormParams] = []

    @classmethod
    def choosing(cls, answer: str, **content: Any) -> Forms:
        return cls(lambda form: ElicitResult(action="accept", content={"answer": answer, **content}))

    @classmethod
    def ending(cls, action: Any) -> Forms:
        return cls(lambda form: ElicitResult(action=action))

    async def __call__(self, context: object, params: Any) -> ElicitResult:
        self.shown.append(params)
        return self._say(params)


@contextlib.asynccontextmanager
async def agent(
    live: Live, token: str, mode: str, forms: Callable[..., Any] | None = None
) -> AsyncGenerator[Client, None]:
    """A client of the SDK; with ``forms`` it declares elicitation."""
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}, timeout=20) as http:
        transport = streamable_http_client(f"{live.url}/mcp", http_client=http)
        async with Client(transport, mode=mode, elicitation_callback=forms) as client:
            yield client


async def mint(live: Live, name: str = "Claude", role: str = "owner") -> str:
    answer = await live.http.post("/v1/tokens", json={"name": name, "role": role})
    assert answer.status_code == 201, answer.text
    return answer.json()["token"]


def text_of(result: CallToolResult) -> str:
    """The text of an answer that is one."""
    (block,) = result.content
    assert block.type == "text"
    return block.text


class InboxReader:
    """Reads the inbox's events all the while, and answers."""

    def __init__(self, client: SafelightClient) -> None:
        self.inbox = client.inbox
        self.events: list[StreamedEvent] = []
        self._grown = asyncio.Condition()

    async def read(self, after: int) -> None:
        async with contextlib.aclosing(self.inbox.events(after)) as events:
            async for event in events:
                async with self._grown:
                    self.events.append(event)
                    self._grown.notify_all()

    async def seen(self, kind: type[Any], count: int = 1) -> list[Any]:
        """The first ``count`` events of this kind, once they are there."""
        async with asyncio.timeout(10), self._grown:
            await self._grown.wait_for(lambda: len(self._of(kind)) >= count)
            return self._of(kind)[:count]

    async def asked(self, number: int = 1) -> str:
        """The call of the question that came as the ``number``-th."""
        return (await self.seen(models.ApprovalNeededEvent, number))[-1].call_id

    def kinds(self) -> list[str]:
        """The types of the numbered events."""
        return [event.__struct_config__.tag for event in self.told()]

    def told(self) -> list[Any]:
        """The numbered events."""
        return [event for event in self.events if getattr(event, "seq", None) is not None]

    def _of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


@contextlib.asynccontextmanager
async def inbox_reader(live: Live, after: int = 0) -> AsyncGenerator[InboxReader, None]:
    """Somebody with the inbox open, from when the service knows of them."""
    async with SafelightClient(live.url, agent_token=live.agent_token) as client:
        reader = InboxReader(client)
        reading = asyncio.create_task(reader.read(after))
        try:
            await reader.seen(models.HelloEvent)
            yield reader
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
