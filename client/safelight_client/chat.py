"""One chat as an object."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from safelight_client import models
from safelight_client._answers import Decision, as_answer
from safelight_client._events import seq_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from safelight_client._client import SafelightClient
    from safelight_client._events import StreamedEvent

__all__ = ("Chat",)


class Chat:
    """An open chat. ``sends_to`` says who receives the conversation when it leaves this computer, where known.

    Whatever does something carries an ``idempotency_key``, made up anew unless the caller gives one: a request that
    got no answer is sent again, and happens once.
    """

    def __init__(self, client: SafelightClient, session_id: str, *, sends_to: str | None = None) -> None:
        self._client = client
        self.session_id = session_id
        self.sends_to = sends_to

    def __repr__(self) -> str:
        return f"Chat({self.session_id!r})"

    async def send(self, text: str, *, idempotency_key: str | None = None) -> models.MessageAccepted:
        """Send a message; while the chat is busy it waits in the queue. Raises ``Conflict`` when that is full."""
        message = models.NewMessage(text=text)
        return await self._client.send_message(self.session_id, message, idempotency_key=idempotency_key)

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
        self,
        call_id: str,
        decision: Decision,
        note: str | None = None,
        arguments: dict[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> models.ApprovalAnswered:
        """Answer a question. Raises ``Conflict`` or ``NotFound`` when it waits no longer."""
        body = as_answer(decision, note, arguments)
        return await self._client.answer_approval(self.session_id, call_id, body, idempotency_key=idempotency_key)

    async def stop(self, *, idempotency_key: str | None = None) -> models.Stopping:
        """Stop what the chat is doing. Tells whether anything was running, and gives the messages back that waited in
        the queue: they were not delivered."""
        return await self._client.stop_chat(self.session_id, idempotency_key=idempotency_key)

    async def undo(self, change_id: str, *, idempotency_key: str | None = None) -> models.UndoReport:
        """Take a change back, as far as nothing was changed since. Raises ``Conflict`` where nothing can be."""
        return await self._client.undo_change(change_id, idempotency_key=idempotency_key)

    async def needs_connections(self) -> list[models.Provider]:
        """The AI servers that the chat was given and a restart has taken from its memory."""
        return (await self._client.get_chat(self.session_id)).needs_connections

    async def put_connections(self, connections: Sequence[models.Connection]) -> models.Chat:
        """Give the chat its AI servers and keys again; they take the place of those it has."""
        update = models.ConnectionsUpdate(connections=[*connections])
        return await self._client.put_connections(self.session_id, update)

    async def delete(self) -> None:
        """End the chat and erase it."""
        await self._client.delete_chat(self.session_id)
