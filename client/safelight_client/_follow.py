"""One endless stream of events made of as many connections as it takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Literal, TypeAlias

from safelight_client._backoff import LONGEST_PAUSE_S, Backoff
from safelight_client._errors import AnswerUnreadable, ServiceFailed, ServiceUnreachable, StreamBroken
from safelight_client._events import StreamedEvent, UnknownEvent, seq_of
from safelight_client.models import HelloEvent, ResyncEvent

__all__ = ("follow_stream",)

Connect: TypeAlias = Callable[[int], AsyncGenerator[StreamedEvent, None]]
_Next: TypeAlias = Literal["go_on", "again", "from_start", "end"]


class _Place:
    """Which numbered events the reader has."""

    def __init__(self, after: int) -> None:
        self.last = after
        self._erased = 0

    def takes(self, event: StreamedEvent) -> bool:
        """Whether the event is handed on; one that the reader has is not. Raises ``StreamBroken`` on a gap, but for
        events that are no longer kept."""
        if isinstance(event, HelloEvent) and event.first:
            self._erased = event.first - 1
            self.last = max(self.last, self._erased)
        seq = seq_of(event)
        if seq is None:
            return True
        if seq <= self.last:
            return False
        if seq > self.last + 1:
            raise StreamBroken(f"The event stream skipped the events {self.last + 1} to {seq - 1}.")
        self.last = seq
        return True

    def back_to_start(self) -> None:
        if self.last <= self._erased:
            raise StreamBroken("The service has no place in its event log for this reader.")
        self.last = 0


async def follow_stream(
    connect: Connect,
    after: int,
    *,
    patience_s: float | None,
    backoff: Backoff | None = None,
    pause: Callable[[float], Awaitable[object]] = asyncio.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncGenerator[StreamedEvent, None]:
    """Every numbered event after ``after`` that is kept, once and in order, and the live ones as they come.

    Connects again after a cut, a silence, a gap and a failing service; ends when the chat has ended. After a resync
    that leads back to the start, which is handed on, the numbers begin at 1 again.

    Raises:
        ServiceRefused: the service will not serve this stream (``Forbidden``: wrong token, or the chat has ended).
        ServiceUnreachable, StreamBroken, AnswerUnreadable, ServiceFailed: nothing came for ``patience_s`` seconds.
    """
    place = _Place(after)
    backoff = backoff or Backoff()
    heard_at = clock()
    while True:
        began_at = clock()
        then: _Next = "go_on"
        heard = False
        failure: ServiceUnreachable | StreamBroken | AnswerUnreadable | ServiceFailed
        failure = StreamBroken("The service ended the event stream.")
        try:
            async with aclosing(connect(place.last)) as stream:
                async for event in stream:
                    if not place.takes(event):
                        continue
                    then = _what_next(event)
                    heard = heard or not (then != "go_on" or isinstance(event, HelloEvent))
                    yield event
                    if then != "go_on":
                        break
        except (ServiceUnreachable, StreamBroken, AnswerUnreadable, ServiceFailed) as error:
            failure = error
        if then == "end":
            return
        if then == "from_start":
            place.back_to_start()
            continue
        if heard or clock() - began_at >= LONGEST_PAUSE_S:
            backoff.went_well()
            heard_at = clock()
            if then == "again":
                continue
        wait = backoff.next_pause()
        if patience_s is not None and clock() + wait - heard_at > patience_s:
            raise failure
        await pause(wait)


def _what_next(event: StreamedEvent) -> _Next:
    if isinstance(event, ResyncEvent):
        reasons: dict[str, _Next] = {"ended": "end", "bad_after": "from_start", "future_after": "from_start"}
        return reasons.get(event.reason, "again")
    if isinstance(event, UnknownEvent) and event.type == "resync":
        return "again"
    return "go_on"
