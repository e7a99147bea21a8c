"""What a small model does next: the steps that follow from what a message means, and how far they have been taken
(pure). Nothing here looks at the message's words."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.models.local_examples import PATTERNS, Pattern
from safelight.models.ways import Way

__all__ = ("Plan", "Step", "Taken", "last_pattern", "next_step", "patterns_of", "taken")

_SET: Final = re.compile(r'"set_id":"([^"]+)"')
_CHANGE: Final = re.compile(r'"change_id":"([^"]+)"')
_NONE_FOUND: Final = re.compile(r'"count":0\b')


class Plan(msgspec.Struct, frozen=True):
    """What a message means. ``target`` and ``filter`` name ways of their questions, where these had to be asked."""

    act: Way
    target: str | None
    filter: str | None

    @property
    def searches(self) -> bool:
        """Whether photos have to be looked for first."""
        return not self.act.steps or self.target == "described"


class Step(msgspec.Struct, frozen=True):
    """One call: its pattern, and the arguments that are known already."""

    pattern: Pattern
    fixed: dict[str, Any] = {}


class Taken(msgspec.Struct, frozen=True):
    """The last call and its result since the person's last message."""

    count: int
    call: ToolCall
    result: ToolResult


def taken(history: History) -> Taken | None:
    """How far the work on the last message is; None before its first result."""
    results = [result for part in _since_asked(history) if isinstance(part, ToolResults) for result in part.results]
    calls = [call for part in _since_asked(history) if isinstance(part, AssistantTurn) for call in part.calls]
    return Taken(len(results), calls[-1], results[-1]) if results and calls else None


def next_step(plan: Plan, history: History) -> Step | None:
    """The call that comes next; None when it is time to reply: none is wanted, all is done, the last call failed,
    nothing was found, or there is nothing to take back."""
    done = taken(history)
    patterns = patterns_of(plan)
    if done is not None and (done.result.outcome != "success" or _NONE_FOUND.search(done.result.text)):
        return None
    at = done.count if done else 0
    if at >= len(patterns):
        return None
    pattern = patterns[at]
    if pattern.tool is None:
        return None
    if pattern.tool == "undo_change":
        change = _newest(_CHANGE, history)
        return Step(pattern, {"change_id": change}) if change else None
    if "set" in pattern.arguments:
        return Step(pattern, {"set": _photos(plan, history)})
    return Step(pattern)


def last_pattern(plan: Plan, history: History) -> Pattern:
    """The pattern of the last call, or else of the first that there is."""
    done = taken(history)
    patterns = patterns_of(plan)
    return patterns[min(max(done.count - 1, 0), len(patterns) - 1)] if done else patterns[0]


def patterns_of(plan: Plan) -> tuple[Pattern, ...]:
    """All calls of a plan, or the reply, in their order."""
    first = (plan.filter,) if plan.filter else ()
    return tuple(PATTERNS[name] for name in (*first, *plan.act.steps))


def _photos(plan: Plan, history: History) -> str:
    """The set that is meant: the one just found, an earlier one, or what Lightroom shows."""
    if plan.target == "view":
        return "view"
    since = _since_asked(history) if plan.target == "described" else history
    found = None if plan.target == "selection" else _newest(_SET, since)
    return found or "selection"


def _newest(what: re.Pattern[str], history: History) -> str | None:
    for part in reversed(history):
        if isinstance(part, ToolResults):
            for result in reversed(part.results):
                if result.outcome == "success" and (found := what.findall(result.text)):
                    return found[-1]
    return None


def _since_asked(history: History) -> History:
    last = max((i for i, part in enumerate(history) if isinstance(part, UserMessage)), default=-1)
    return history[last + 1 :]
