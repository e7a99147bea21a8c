"""The events that end whatever a cut-off run left open (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from safelight.conversation.chat_state import open_calls, open_questions
from safelight.wire.models import (
    ApprovalResolvedEvent,
    BusyEvent,
    Event,
    StoppedEvent,
    ToolSkippedEvent,
    UnqueuedEvent,
)

if TYPE_CHECKING:
    from safelight.conversation.chat_state import ChatState

__all__ = ("closing_events",)


def closing_events(state: ChatState) -> list[Event]:
    """What a log must get after a restart, not yet numbered (``seq`` 0): questions as restarted, calls as interrupted,
    waiting messages given back, then stopped and busy false. Empty when nothing is open; folding it leaves nothing
    open."""
    questions = [entry.call.call_id for entry in open_questions(state)]
    calls = [entry.call.call_id for entry in open_calls(state)]
    closing: list[Event] = []
    closing += [
        ApprovalResolvedEvent(seq=0, call_id=call_id, outcome="restarted", by="service", arguments=None, note=None)
        for call_id in questions
    ]
    closing += [ToolSkippedEvent(seq=0, call_id=call_id, reason="interrupted") for call_id in calls]
    closing += [UnqueuedEvent(seq=0, message_id=queued.message_id, reason="returned") for queued in state.queue]
    if state.busy:
        closing += [StoppedEvent(seq=0, reason="restart"), BusyEvent(seq=0, busy=False)]
    return closing
