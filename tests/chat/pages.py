"""Pages of a chat over HTTP: each folds the events that it gets, and remembers the state at every number."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import msgspec

from safelight.conversation.chat_state import ChatState, RunningText, fold
from safelight.wire.models import AssistantTurnEvent, DeltaEvent, Event, SnapshotEvent
from tests.live import Live

__all__ = ("Page", "streamed")


async def streamed(live: Live, session_id: str, after: int | str) -> AsyncGenerator[dict[str, Any]]:
    """The events of one connection as they stand on the line, until the service ends it."""
    url = f"/v1/chat/sessions/{session_id}/events"
    async with live.http.stream("GET", url, params={"after": str(after)}) as answer:
        rest = b""
        async for chunk in answer.aiter_raw():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.startswith(b"data: "):
                    yield msgspec.json.decode(line[6:])


class Page:
    """What one page knows. ``joins_in_mid_turn`` counts the snapshots with text that it got."""

    def __init__(self, live: Live, session_id: str) -> None:
        self.state = ChatState()
        self.at: dict[int, ChatState] = {}
        self.joins_in_mid_turn = 0
        self._live = live
        self._session_id = session_id

    def reload(self) -> None:
        """Begin anew, as a page that is opened again does."""
        self.state = ChatState()

    async def follow(self) -> AsyncGenerator[Event]:
        """One connection, from the last event that the page has on."""
        async with contextlib.aclosing(streamed(self._live, self._session_id, self.state.head)) as events:
            async for told in events:
                event = msgspec.convert(told, Event)
                self._take(event)
                yield event

    def _take(self, event: Event) -> None:
        before, self.state = self.state, fold(self.state, event)
        assert self.state.missing is None
        match event:
            case SnapshotEvent():
                self.joins_in_mid_turn += bool(event.offset)
            case DeltaEvent():
                running = self.state.running
                assert running is not None
                assert running.offset >= event.offset + len(event.text), "a piece came that does not join on"
            case AssistantTurnEvent() if before.running is not None:
                running = before.running
                whole = RunningText(event.reasoning, event.text, len(event.reasoning) + len(event.text))
                assert running in (whole, RunningText()), "the running text was not whole"
            case _:
                pass
        if self.state.head > before.head:
            self.at[self.state.head] = msgspec.structs.replace(self.state, running=None)
