"""One chat as an object."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import UNSET

from safelight_client import models
from safelight_client._events import seq_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from safelight_client._client import SafelightClient
    from safelight_client._events import StreamedEvent

__all__ = ("Chat", "Decision")

Decision: TypeAlias = Literal["once", "chat", "always", "deny"]


class Chat:
    """An open chat. ``sends_to`` says who receives the conversation when it leaves this computer, where known."""

    def __init__(self, client: SafelightClient, session_id: str, *, sends_to: str | None = None) -> None:
        self._client = client
        self.session_id = session_id
        self.sends_to = sends_to

    def __repr__(self) -> str:
        return f"Chat({self.session_id!r})"

    async def send(self, text: str) -> models.MessageAccepted:
        """Send a message; while the chat is busy it waits in the queue."""
        return await self._client.send_message(self.session_id, models.NewMessage(text=text))

    def events(self, after: int = 0) -> AsyncGenerator[StreamedEvent, None]:
        """The chat's events from a number on and then live, over reconnects; see ``SafelightClient.follow``."""
        return self._client.follow(self.session_id, after)

    async def run(self, text: str) -> AsyncGenerator[StreamedEvent, None]:
        """Send a message and hand over events until the work on it is over, or it was taken out of the queue.

        It listens before it sends, so that no streamed piece is missed. Numbered events begin with the message's own;
        the pieces of an earlier message's turns are left out.
        """
        head = (await self._client.get_chat(self.session_id)).head
        accepted: models.MessageAccepted | None = None
        begun = False
        async with aclosing(self.events(head)) as events:
            async for event in events:
                if accepted is None:
                    yield event
                    accepted = await self.send(text)
                    continue
                if (seq_of(event) or accepted.seq) < accepted.seq:
                    continue
                if begun or not isinstance(event, models.DeltaEvent | models.SnapshotEvent):
                    yield event
                if isinstance(event, models.UserMessageEvent | models.UnqueuedEvent):
                    begun = begun or event.message_id == accepted.message_id
                elif begun and isinstance(event, models.BusyEvent) and not event.busy:
                    return

    async def answer(
        self, call_id: str, decision: Decision, note: str | None = None, arguments: dict[str, Any] | None = None
    ) -> models.ApprovalAnswered:
        """Answer a question. Raises ``Conflict`` or ``NotFound`` when it waits no longer."""
        body = models.ApprovalAnswer(
            decision=decision,
            note=UNSET if note is None else note,
            arguments=UNSET if arguments is None else arguments,
        )
        return await self._client.answer_approval(self.session_id, call_id, body)

    async def stop(self) -> bool:
        """Stop what the chat is doing; false when nothing was running."""
        return (await self._client.stop_chat(self.session_id)).stopping

    async def delete(self) -> None:
        """End the chat and erase it."""
        await self._client.delete_chat(self.session_id)
