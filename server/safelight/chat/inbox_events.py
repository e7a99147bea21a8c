"""The events that end calls in the inbox (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from safelight.bridge.text import clean
from safelight.chat.results import as_change_event, as_done_event
from safelight.chat.toolbox import SWITCHES, CallOutcome
from safelight.conversation.parts import ToolCall
from safelight.gate.gate import Failed, Ran
from safelight.wire.models import ApprovalResolvedEvent, ToolSkippedEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from safelight.gate.gate import Passage
    from safelight.gate.principal import Question
    from safelight.wire.models import Event

__all__ = ("CallHead", "closing_events", "ending_events")


class CallHead(msgspec.Struct, frozen=True):
    """What has to be known of an event to tell which calls are open."""

    type: str
    seq: int
    call_id: str = ""


def closing_events(events: Iterable[CallHead]) -> list[Event]:
    """What a log must get after a restart: its open questions as restarted; the open calls as skipped, those that ran
    already as interrupted."""
    questions: dict[str, None] = {}
    calls: dict[str, bool] = {}
    for event in events:
        call_id = event.call_id
        match event.type:
            case "tool_call":
                calls[call_id] = False
            case "approval_needed":
                questions[call_id] = None
            case "approval_resolved":
                questions.pop(call_id, None)
            case "tool_running" if call_id in calls:
                calls[call_id] = True
            case "tool_done" | "tool_skipped":
                calls.pop(call_id, None)
            case _:
                pass
    closing: list[Event] = [
        ApprovalResolvedEvent(seq=0, call_id=call_id, outcome="restarted", by="service", arguments=None, note=None)
        for call_id in questions
    ]
    return closing + [_cut_off(call_id, begun=begun) for call_id, begun in calls.items()]


def ending_events(question: Question, passage: Passage | None, ran_with: dict[str, Any] | None) -> list[Event]:
    """What a call came to: done, with the change that it made; skipped; or cut off, when there is no passage.
    ``ran_with`` are the arguments that it ran with, None where it did not begin to."""
    if passage is None:
        return [_cut_off(question.call_id, begun=ran_with is not None)]
    arguments = question.arguments if ran_with is None else ran_with
    call = ToolCall(call_id=question.call_id, tool=question.tool, arguments=arguments)
    if isinstance(passage, Ran):
        content = clean(passage.answer.content)
        text = msgspec.json.encode(content).decode()
        outcome = CallOutcome(ok=passage.answer.ok, text=text, content=content, images=passage.answer.images)
        change = as_change_event(call, outcome)
        return [as_done_event(call, outcome), *([] if change is None else [change])]
    if isinstance(passage, Failed) and (switch := SWITCHES.get(passage.code)) is not None:
        return [ToolSkippedEvent(seq=0, call_id=question.call_id, reason=switch)]
    if isinstance(passage, Failed):
        return [as_done_event(call, CallOutcome(ok=False, text=passage.text))]
    return [ToolSkippedEvent(seq=0, call_id=question.call_id, reason=passage.why)]


def _cut_off(call_id: str, *, begun: bool) -> Event:
    return ToolSkippedEvent(seq=0, call_id=call_id, reason="interrupted" if begun else "stopped")
