"""What a restart leaves of a run that was going on: everything closed, nothing repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

from safelight.chat.results import from_call_result
from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResult, ToolResults
from safelight.conversation.prompt import STOPPED
from safelight.conversation.repair import interrupted
from safelight.wire.models import (
    ApprovalNeededEvent,
    ApprovalResolvedEvent,
    BusyEvent,
    Event,
    QueuedEvent,
    StoppedEvent,
    ToolCallEvent,
    ToolDoneEvent,
    ToolSkippedEvent,
    UnqueuedEvent,
)

if TYPE_CHECKING:
    from safelight.chat.session import ChatSession
    from safelight.chat.store import ChatStore

__all__ = ("closing_events", "close_cut_off_run")


_NOT_RUN: Final = "This call did not run."


async def close_cut_off_run(session: ChatSession, store: ChatStore) -> None:
    """Complete the conversation and log what closes the run. Does nothing to a chat that was idle, and mostly finds
    that out from its newest event alone."""
    newest = [msgspec.json.decode(body, type=Event) for body in await session.log.read(session.log.head - 1)]
    if not newest or (isinstance(newest[-1], BusyEvent) and not newest[-1].busy):
        return
    events = [msgspec.json.decode(body, type=Event) for body in await session.log.read(0)]
    closing = closing_events(events)
    if not closing:
        return
    last = session.history[-1] if session.history else None
    if isinstance(last, AssistantTurn) and last.calls:
        skipped = {event.call_id for event in events if isinstance(event, ToolSkippedEvent)}
        results = [await _result(store, session.record.session_id, call, skipped) for call in last.calls]
        last = ToolResults(results=tuple(results))
        await session.say(last)
    if isinstance(last, AssistantTurn):
        await session.log.append_all(closing)
    else:
        await session.say(AssistantTurn(text=STOPPED), closing)


async def _result(store: ChatStore, session_id: str, call: ToolCall, skipped: set[str]) -> ToolResult:
    """What became of a call: one that ended before the cut has its result, of any other nobody knows."""
    kept = await store.result(session_id, call.call_id)
    if kept is not None:
        return from_call_result(kept)
    if call.call_id in skipped:
        return ToolResult(call_id=call.call_id, tool=call.tool, outcome="skipped", text=_NOT_RUN)
    return interrupted(call)


def closing_events(events: list[Event]) -> list[Event]:
    """The events that end whatever a log leaves open (pure): questions as restarted, calls as interrupted, queued
    messages taken out, then stopped and busy false."""
    questions: dict[str, None] = {}
    calls: dict[str, None] = {}
    queued: dict[str, None] = {}
    busy = False
    for event in events:
        match event:
            case ApprovalNeededEvent():
                questions[event.call_id] = None
            case ApprovalResolvedEvent():
                questions.pop(event.call_id, None)
            case ToolCallEvent():
                calls[event.call_id] = None
            case ToolDoneEvent() | ToolSkippedEvent():
                calls.pop(event.call_id, None)
            case QueuedEvent():
                queued[event.message_id] = None
            case UnqueuedEvent():
                queued.pop(event.message_id, None)
            case BusyEvent():
                busy = event.busy
            case _:
                pass
    closing: list[Event] = []
    closing += [
        ApprovalResolvedEvent(seq=0, call_id=call_id, outcome="restarted", by="service", arguments=None, note=None)
        for call_id in questions
    ]
    closing += [ToolSkippedEvent(seq=0, call_id=call_id, reason="interrupted") for call_id in calls]
    closing += [UnqueuedEvent(seq=0, message_id=message_id) for message_id in queued]
    if busy:
        closing += [StoppedEvent(seq=0, reason="restart"), BusyEvent(seq=0, busy=False)]
    return closing
