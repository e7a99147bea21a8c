"""What a run does next, given what it did so far (pure): take a turn, answer calls, or end.

A run works on one message. It takes at most twelve model turns; the last one may make no call, nor may a turn after
three refused calls. Whatever a turn calls, each call is answered exactly once, in the order of the calls.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from safelight.conversation.loop_guard import LoopGuard
from safelight.conversation.parts import AssistantTurn, ToolCall, ToolResult

__all__ = (
    "MAX_STEPS",
    "MOST_REFUSALS",
    "NOT_RUN_STOPPED",
    "Answer",
    "AnswerCalls",
    "End",
    "LoopState",
    "RefuseCall",
    "RefusedAs",
    "RunCall",
    "Step",
    "StoppedBy",
    "TakeTurn",
    "next_step",
)

MAX_STEPS: Final = 12
MOST_REFUSALS: Final = 3
"""Calls refused as repeated or incomplete, after which the model must answer."""

RefusedAs: TypeAlias = Literal["repeated_call", "incomplete", "last_step", "stopped"]

StoppedBy: TypeAlias = Literal["user", "service"]

NOT_RUN_STOPPED: Final[dict[StoppedBy, str]] = {
    "user": "The user stopped before this call. It did not run.",
    "service": "Safelight itself was ended before this call. It did not run. The user has not said no.",
}
_INCOMPLETE: Final = (
    "The call was cut at the token limit, or its arguments are no JSON, so nothing ran. Use shorter arguments."
)
_LAST_STEP: Final = "No more calls can be made for this message, so this one did not run."
_OUT_OF_STEPS: Final = (
    '(Safelight ended this after {steps} steps without an answer. Write "go on" to continue from here.)'
)
_REPEATED: Final = (
    "(Safelight ended this, because the model kept making calls that could not run. Ask again in other words.)"
)
_EMPTY: Final = "(The model gave an empty answer. Ask again, or in other words.)"


class TakeTurn(msgspec.Struct, frozen=True, tag="turn"):
    """The model takes a turn; without ``may_call`` it must answer."""

    may_call: bool


class RunCall(msgspec.Struct, frozen=True, tag="run"):
    """The call goes to the gate."""

    call: ToolCall


class RefuseCall(msgspec.Struct, frozen=True, tag="refuse"):
    """The call does not run; ``text`` is for the model."""

    call: ToolCall
    reason: RefusedAs
    text: str


Answer: TypeAlias = RunCall | RefuseCall


class AnswerCalls(msgspec.Struct, frozen=True, tag="calls"):
    """Each call of the last turn, in its order."""

    answers: tuple[Answer, ...]


class End(msgspec.Struct, frozen=True, tag="end"):
    """The run is over. ``text`` is to be said in the model's place, where it left nothing to read."""

    why: Literal["answer", "stopped", "out_of_steps"]
    text: str = ""


Step: TypeAlias = TakeTurn | AnswerCalls | End


class LoopState(msgspec.Struct, frozen=True, kw_only=True):
    """A run so far. The methods give the state after something happened."""

    steps: int = 0
    """Turns that were taken."""
    refusals: int = 0
    guard: LoopGuard = LoopGuard()
    stopped_by: StoppedBy | None = None
    last: AssistantTurn | None = None
    cut_off: bool = False
    """The last call of the last turn was cut at the token limit."""
    answered: bool = False
    """The calls of the last turn have their results."""
    may_call: bool = True
    """Whether the last turn was free to call."""

    def after_turn(self, turn: AssistantTurn, *, cut_off: bool = False) -> LoopState:
        """The model took the turn that ``next_step`` wanted; with ``cut_off`` its last call is incomplete."""
        return msgspec.structs.replace(
            self, steps=self.steps + 1, last=turn, cut_off=cut_off, answered=False, may_call=_may_call(self)
        )

    def after_calls(self, step: AnswerCalls, results: tuple[ToolResult, ...]) -> LoopState:
        """The calls were answered as ``step`` says, with these results in the same order."""
        guard, refusals = self.guard, self.refusals
        for answer, result in zip(step.answers, results, strict=True):
            if isinstance(answer, RunCall):
                call = answer.call
                guard = guard.with_call(call.tool, call.arguments).with_result(call, result)
            elif answer.reason in ("repeated_call", "incomplete"):
                refusals += 1
        return msgspec.structs.replace(self, guard=guard, refusals=refusals, answered=True)

    def after_stop(self, by: StoppedBy) -> LoopState:
        """The run was stopped: nothing new begins."""
        return msgspec.structs.replace(self, stopped_by=by)


def next_step(state: LoopState) -> Step:
    """What comes next. Calls that wait for their results come first, also in a run that was stopped."""
    last = state.last
    if last is not None and last.calls and not state.answered:
        return _answers(state, last.calls)
    if state.stopped_by is not None:
        return End("stopped")
    if last is None:
        return TakeTurn(may_call=True)
    if not last.calls:
        return End("answer", "" if last.text.strip() else _EMPTY)
    if not state.may_call:
        kept_repeating = state.steps < MAX_STEPS
        return End("out_of_steps", _REPEATED if kept_repeating else _OUT_OF_STEPS.format(steps=MAX_STEPS))
    return TakeTurn(may_call=_may_call(state))


def _may_call(state: LoopState) -> bool:
    """Whether the turn that comes next is free to call."""
    return state.steps + 1 < MAX_STEPS and state.refusals < MOST_REFUSALS


def _answers(state: LoopState, calls: tuple[ToolCall, ...]) -> AnswerCalls:
    answers: list[Answer] = []
    guard = state.guard
    for place, call in enumerate(calls):
        cut_off = state.cut_off and place == len(calls) - 1
        if (refused := _refused(state, guard, call, cut_off=cut_off)) is not None:
            answers.append(refused)
            continue
        guard = guard.with_call(call.tool, call.arguments)
        answers.append(RunCall(call))
    return AnswerCalls(tuple(answers))


def _refused(state: LoopState, guard: LoopGuard, call: ToolCall, *, cut_off: bool) -> RefuseCall | None:
    if cut_off:
        return RefuseCall(call, "incomplete", _INCOMPLETE)
    if state.stopped_by is not None:
        return RefuseCall(call, "stopped", NOT_RUN_STOPPED[state.stopped_by])
    if not state.may_call:
        return RefuseCall(call, "last_step", _LAST_STEP)
    if guard.seen(call.tool, call.arguments):
        return RefuseCall(call, "repeated_call", guard.refusal(call.tool, call.arguments))
    return None
