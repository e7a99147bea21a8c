"""Restores the rule of the history: each turn's calls are answered directly behind it, once, in order (pure)."""

from __future__ import annotations

from typing import Final

import msgspec

from safelight.conversation.parts import (
    AssistantTurn,
    History,
    Message,
    ToolCall,
    ToolResult,
    ToolResults,
    UserMessage,
)

__all__ = ("INTERRUPTED", "interrupted", "repair")

INTERRUPTED: Final = "This call was interrupted. It may or may not have happened; look before you repeat it."


def repair(history: History) -> History:
    """A history that every model API accepts, in time linear in its length.

    Each call has exactly one result right behind its turn; no result is without its call; no two calls of the history
    have the same id; no message is blank. Idempotent. What is right stays byte for byte, and what is made up (the text
    for a call without a result, the new id of a doubled one) follows from what stands before it alone, so that the
    prefix is stable.
    """
    said = [message for message in history if not _blank(message)]
    repaired: list[Message] = []
    known: set[str] = set()
    for place, message in enumerate(said):
        if isinstance(message, ToolResults):
            continue
        if isinstance(message, UserMessage) or not message.calls:
            repaired.append(message)
            continue
        following = said[place + 1] if place + 1 < len(said) else None
        results = following if isinstance(following, ToolResults) else None
        if results is None or not _answers(results, message.calls, known):
            message, results = _answered(message, _results_behind(said, place), known)
        known.update([call.call_id for call in message.calls])
        repaired += (message, results)
    return tuple(repaired)


def interrupted(call: ToolCall) -> ToolResult:
    """The result of a call of which nobody knows what became."""
    return ToolResult(call_id=call.call_id, tool=call.tool, outcome="interrupted", text=INTERRUPTED)


def _blank(message: Message) -> bool:
    """Whether a message says nothing; APIs refuse such."""
    if isinstance(message, ToolResults):
        return not message.results
    if message.text and not message.text.isspace():
        return False
    return not message.calls if isinstance(message, AssistantTurn) else not message.context.strip()


def _answers(results: ToolResults, calls: tuple[ToolCall, ...], known: set[str]) -> bool:
    """Whether these are the results of exactly these calls, whose ids nobody had before."""
    given = results.results
    if len(given) != len(calls) or (len(calls) > 1 and len({call.call_id for call in calls}) != len(calls)):
        return False
    for call, result in zip(calls, given, strict=True):
        if call.call_id != result.call_id or call.tool != result.tool or call.call_id in known:
            return False
    return True


def _results_behind(said: list[Message], place: int) -> list[ToolResult]:
    """What was given before the model's next turn: the only results that can be this turn's."""
    found: list[ToolResult] = []
    for position in range(place + 1, len(said)):
        later = said[position]
        if isinstance(later, AssistantTurn):
            break
        if isinstance(later, ToolResults):
            found += later.results
    return found


def _answered(turn: AssistantTurn, given: list[ToolResult], known: set[str]) -> tuple[AssistantTurn, ToolResults]:
    """The turn with ids of its own, and one result for each of its calls. Of several results for an id the first is the
    first call's of that id, the second the second's."""
    waiting: dict[str, list[ToolResult]] = {}
    for result in reversed(given):
        waiting.setdefault(result.call_id, []).append(result)
    taken = set(known)
    calls: list[ToolCall] = []
    results: list[ToolResult] = []
    for call in turn.calls:
        own = _own_id(call.call_id, taken)
        taken.add(own)
        mine = waiting.get(call.call_id)
        if own != call.call_id:
            call = msgspec.structs.replace(call, call_id=own)
        result = mine.pop() if mine else interrupted(call)
        if (result.call_id, result.tool) != (own, call.tool):
            result = msgspec.structs.replace(result, call_id=own, tool=call.tool)
        calls.append(call)
        results.append(result)
    if any(new is not old for new, old in zip(calls, turn.calls, strict=True)):
        turn = msgspec.structs.replace(turn, calls=tuple(calls))
    return turn, ToolResults(results=tuple(results))


def _own_id(call_id: str, taken: set[str]) -> str:
    own, number = call_id, 1
    while own in taken:
        number += 1
        own = f"{call_id}_{number}"
    return own
