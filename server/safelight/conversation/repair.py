"""Restores the rule of the history: each turn's calls are answered directly behind it, once, in order (pure)."""

from __future__ import annotations

from safelight.conversation.parts import AssistantTurn, History, Message, ToolCall, ToolResult, ToolResults

__all__ = ("INTERRUPTED", "interrupted", "repair")

INTERRUPTED = "This call was interrupted. It may or may not have happened; look before you repeat it."


def repair(history: History) -> History:
    """A history that every model API accepts. Idempotent; a history that holds the rule comes back unchanged, and what
    is right stays byte for byte, so that the prefix is stable. Results without a call are dropped; calls without a
    result get one that says ``interrupted``."""
    repaired: list[Message] = []
    position = 0
    while position < len(history):
        message = history[position]
        position += 1
        if isinstance(message, ToolResults):
            continue
        repaired.append(message)
        if not isinstance(message, AssistantTurn) or not message.calls:
            continue
        given: dict[str, ToolResult] = {}
        for later in history[position:]:
            if isinstance(later, AssistantTurn):
                break
            if isinstance(later, ToolResults):
                for result in later.results:
                    given.setdefault(result.call_id, result)
        repaired.append(
            ToolResults(results=tuple(given.get(call.call_id) or interrupted(call) for call in message.calls))
        )
    return tuple(repaired)


def interrupted(call: ToolCall) -> ToolResult:
    """The result of a call of which nobody knows what became."""
    return ToolResult(call_id=call.call_id, tool=call.tool, outcome="interrupted", text=INTERRUPTED)
