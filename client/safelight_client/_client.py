"""The client: the contract's operations, the endless event stream and chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from safelight_client import models
from safelight_client._calls import Calls
from safelight_client._follow import follow_stream
from safelight_client._runtime import read_runtime, read_token
from safelight_client._secret import Secret
from safelight_client.chat import Chat
from safelight_client.inbox import Inbox

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncGenerator
    from types import TracebackType
    from typing import Self

    import httpx

    from safelight_client._events import StreamedEvent
    from safelight_client._transport import Scheme

__all__ = ("SafelightClient",)


class SafelightClient(Calls):
    """A connection to one service; use it as an async context manager.

    Each operation goes out with the narrowest of the given tokens that opens it. Proxies and other settings of the
    environment are not looked at. A client that was handed an ``http_client`` leaves closing it to its owner.
    """

    def __init__(
        self,
        base_url: str,
        *,
        agent_token: str | Secret | None = None,
        chat_token: str | Secret | None = None,
        app_token: str | Secret | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        given: dict[Scheme, str | Secret | None] = {
            "agentToken": agent_token,
            "chatToken": chat_token,
            "appToken": app_token,
        }
        tokens: dict[Scheme, Secret] = {scheme: Secret(token) for scheme, token in given.items() if token is not None}
        super().__init__(base_url, tokens, http_client)

    @classmethod
    def from_runtime(
        cls, data_dir: str | os.PathLike[str] | None = None, *, http_client: httpx.AsyncClient | None = None
    ) -> Self:
        """A client with the agent token for the service that runs for the data folder (this user's by default).

        Raises:
            ServiceUnreachable: no service runs for that folder.
        """
        runtime = read_runtime(data_dir)
        return cls(runtime.url, agent_token=read_token(runtime.agent_token_file), http_client=http_client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    def follow(
        self, session_id: str, after: int = 0, *, patience_s: float | None = 60.0
    ) -> AsyncGenerator[StreamedEvent, None]:
        """A chat's events from number ``after`` on: each numbered one once and in order, live ones as they come.

        Connects again by itself. Ends when the chat has ended; raises ``Forbidden`` when the token does not open the
        chat (any more), and the last error when nothing came for ``patience_s`` seconds (``None``: never).
        """

        def connect(last: int) -> AsyncGenerator[StreamedEvent, None]:
            return self.follow_events(session_id, after=str(last) if last else None)

        return follow_stream(connect, after, patience_s=patience_s)

    async def start_chat(
        self, model: str | None = None, mode: models.Mode | None = None, *, idempotency_key: str | None = None
    ) -> Chat:
        """Open a chat, with the service's own choice of model and the saved mode unless they are named."""
        body = models.OpenChat(model=model or UNSET, mode=mode or UNSET)
        opened = await self.open_chat(body, idempotency_key=idempotency_key)
        return Chat(self, opened.session_id, sends_to=opened.sends_to)

    @property
    def inbox(self) -> Inbox:
        """The questions of agents from outside."""
        return Inbox(self)

    def chat(self, session_id: str) -> Chat:
        """A chat that is open already."""
        return Chat(self, session_id)
