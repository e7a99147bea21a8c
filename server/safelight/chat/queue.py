"""The messages that wait behind the run that is going on, oldest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from safelight.errors import Conflict, NotFound
from safelight.wire.models import QueuedEvent, ReturnedMessage, UnqueuedEvent

if TYPE_CHECKING:
    from safelight.chat.log import EventLog, KeptAnswer

__all__ = ("MOST_WAITING", "MessageQueue", "Waiting")

MOST_WAITING: Final = 20


class Waiting(msgspec.Struct, frozen=True):
    """A message in the queue."""

    message_id: str
    text: str


class MessageQueue:
    """At most twenty messages, each of which ends as delivered, removed or returned. Whoever changes the queue holds
    the chat's door meanwhile, so an edit and a delivery never meet."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._waiting: list[Waiting] = []

    @property
    def first(self) -> Waiting | None:
        return self._waiting[0] if self._waiting else None

    async def add(self, message: Waiting, answer: KeptAnswer | None = None) -> int:
        """Let a message wait. Returns the number of its event. ``Conflict`` ``queue_full`` when no more can wait."""
        if len(self._waiting) >= MOST_WAITING:
            text = f"{MOST_WAITING} messages wait already. Wait for an answer, take one out, or stop the run."
            raise Conflict(text, code="queue_full")
        event = QueuedEvent(seq=0, message_id=message.message_id, text=message.text)
        (seq,) = await self._log.append_all([event], answer=answer)
        self._waiting.append(message)
        return seq

    async def edit(self, message: Waiting) -> int:
        """Put another text in the place of the message with this id. ``NotFound`` where it waits no more."""
        place = self._place_of(message.message_id)
        seq = await self._log.append(QueuedEvent(seq=0, message_id=message.message_id, text=message.text))
        self._waiting[place] = message
        return seq

    async def remove(self, message_id: str) -> None:
        """Take a message out. ``NotFound`` where it waits no more."""
        place = self._place_of(message_id)
        await self._log.append(UnqueuedEvent(seq=0, message_id=message_id, reason="removed"))
        del self._waiting[place]

    def delivered(self) -> None:
        """The first message waits no more: the log tells that it was delivered."""
        del self._waiting[0]

    async def give_back(self) -> list[ReturnedMessage]:
        """Take all out, undelivered."""
        taken = list(self._waiting)
        if taken:
            await self._log.append_all(
                [UnqueuedEvent(seq=0, message_id=message.message_id, reason="returned") for message in taken]
            )
        self._waiting.clear()
        return [ReturnedMessage(message_id=message.message_id, text=message.text) for message in taken]

    def _place_of(self, message_id: str) -> int:
        for place, waiting in enumerate(self._waiting):
            if waiting.message_id == message_id:
                return place
        raise NotFound("This message is not waiting any more.")
