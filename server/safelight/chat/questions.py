"""Open questions of a chat or of the inbox: asked by the gate, answered once by a person, or ended by the service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

import msgspec

from safelight.chat.question_texts import (
    STOPPED,
    UNRECORDED,
    WITHDRAWN,
    always_text,
    denied,
    nobody_answered,
    nobody_at_the_page,
    time_is_over,
)
from safelight.errors import Conflict, InvalidBody, NotFound
from safelight.gate.principal import Allowed, Denied, Question, Reply
from safelight.wire.models import (
    AlwaysRule,
    Approval,
    ApprovalAnswer,
    ApprovalAnswered,
    ApprovalNeededEvent,
    ApprovalOutcome,
    ApprovalResolvedEvent,
    Decision,
)

if TYPE_CHECKING:
    from safelight.chat.limits import ChatLimits
    from safelight.chat.log import EventLog, Write

__all__ = ("IN_THIS_CATALOG", "Answerer", "Kept", "Questions")

Answerer: TypeAlias = Literal["page", "agent", "client", "service"]

T = TypeVar("T")

Kept: TypeAlias = Callable[[T], "Write"]
"""From the answer to a request, the write that keeps it, so that the same request again is given the same answer."""

_ALL: Final[tuple[Decision, ...]] = ("once", "chat", "always", "deny")
IN_THIS_CATALOG: Final = "in this catalog, in later chats too"
"""Where a rule of a chat's permissions holds."""

_MOST_SETTLED = 1_000


class _End(msgspec.Struct, frozen=True, kw_only=True):
    """How a question ends. ``decided`` are the arguments that may run now, None when nothing may."""

    outcome: ApprovalOutcome
    by: Answerer
    reply: Reply
    decided: dict[str, Any] | None = None
    note: str | None = None


class _Open(msgspec.Struct):
    approval: Approval
    question: Question
    write_rule: Callable[[], Awaitable[None]]
    since: float
    """By the event loop's clock, which no change of the computer's time moves."""
    end: asyncio.Future[_End]


async def _no_rule() -> None:
    """Nothing is written where there are no permissions."""


class Questions:
    """Every question that stands in the log ends with exactly one ``approval_resolved`` event, whatever happens.

    ``decisions`` are the answers that this place offers. ``rule_holds`` says in words where the rule holds that the
    answer ``always`` writes.
    """

    def __init__(
        self,
        log: EventLog,
        limits: ChatLimits,
        *,
        decisions: Sequence[Decision] = _ALL,
        rule_holds: str = IN_THIS_CATALOG,
    ) -> None:
        self._log = log
        self._limits = limits
        self._decisions = tuple(decisions)
        self._rule_holds = rule_holds
        self._open: dict[str, _Open] = {}
        self._settled: dict[str, None] = {}

    async def ask(
        self, question: Question, write_rule: Callable[[], Awaitable[None]] = _no_rule
    ) -> tuple[ApprovalOutcome, Reply]:
        """Log the question and wait for its end. Returns how it ended and what that means for the call. A caller who is
        cancelled takes the question back: it ends as stopped. ``write_rule`` writes the rule of ``always``, before that
        answer is acknowledged."""
        call_id = question.call_id
        loop = asyncio.get_running_loop()
        waiting = _Open(self._as_approval(question), question, write_rule, loop.time(), loop.create_future())
        self._open[call_id] = waiting
        self._settled.pop(call_id, None)
        try:
            await self._log.append(_as_event(waiting.approval))
            end = await self._ended(call_id, waiting)
        except asyncio.CancelledError:
            await self._settle(call_id, _stopped(WITHDRAWN))
            raise
        except BaseException:
            self._open.pop(call_id, None)
            raise
        return end.outcome, end.reply

    def open(self) -> list[Approval]:
        """The questions that wait, oldest first."""
        return [waiting.approval for waiting in self._open.values()]

    async def answer(
        self, call_id: str, answer: ApprovalAnswer, by: Answerer, kept: Kept[ApprovalAnswered] | None = None
    ) -> ApprovalAnswered:
        """Settle a question, and after ``chat`` and ``always`` the others that this answer covers.

        Before anything is settled: ``NotFound`` for one that never was, ``Conflict`` for one that is settled
        (``already_settled``) or that cannot be answered so (``decision_not_offered``), ``InvalidBody`` for arguments
        that the tool does not take.
        """
        waiting = self._open.get(call_id)
        if waiting is None:
            if call_id in self._settled or await self._log.has_resolved(call_id):
                raise Conflict("This question has been settled already.", code="already_settled")
            raise NotFound("There is no open question with this id.")
        decision = answer.decision
        if decision not in waiting.approval.decisions:
            offered = ", ".join(waiting.approval.decisions)
            text = f'This question cannot be answered with "{decision}". Answer with one of: {offered}.'
            raise Conflict(text, code="decision_not_offered")
        end = _answered(waiting.question, answer, by)
        answered = ApprovalAnswered(call_id=call_id, outcome=decision)
        await self._settle(call_id, end, kept and kept(answered))
        if decision in ("chat", "always"):
            await self._settle_covered(waiting.question.tool, decision, by)
        return answered

    async def stop_all(self, text: str = STOPPED) -> None:
        """The run was stopped: every open question ends as stopped, with ``text`` for the model."""
        while self._open:
            await self._settle(next(iter(self._open)), _stopped(text))

    async def stop(self, call_id: str) -> None:
        """Whoever called has gone: the question ends as stopped. Nothing for one that has ended."""
        await self._settle(call_id, _stopped(WITHDRAWN))

    async def expire(self, call_id: str, note: str, text: str) -> None:
        """Nobody will answer: the question ends as expired, with ``note`` for the record and ``text`` for the model.
        Nothing for one that has ended."""
        reply = Denied(why="not_allowed", text=text)
        await self._settle(call_id, _End(outcome="expired", by="service", reply=reply, note=note))

    async def _settle_covered(self, tool: str, decision: Literal["chat", "always"], by: Answerer) -> None:
        """The other questions that would not be asked any more. One about more photos than the limit still is."""
        for call_id, waiting in list(self._open.items()):
            question = waiting.question
            if question.tool == tool and not _is_bulk(question) and call_id in self._open:
                end = _End(outcome=decision, by=by, reply=Allowed(), decided=question.arguments)
                await self._settle(call_id, end)

    async def _ended(self, call_id: str, waiting: _Open) -> _End:
        """Wait for the end, and bring it about when the time is over."""
        while not waiting.end.done():
            due_in, why = self._time_left(waiting)
            if due_in <= 0:
                await self.expire(call_id, why, nobody_answered(why))
                break
            await asyncio.wait({waiting.end}, timeout=due_in)
        return await waiting.end

    def _time_left(self, waiting: _Open) -> tuple[float, str]:
        """Seconds until the question may be over, and why it would be. While somebody reads the log it is looked at
        again after the time that it may be unattended: not before can it have been for so long."""
        asked_for = asyncio.get_running_loop().time() - waiting.since
        limits = self._limits
        unattended = limits.unattended_s - min(asked_for, self._log.unattended_s())
        if limits.approval_expiry_s is not None and limits.approval_expiry_s - asked_for < unattended:
            return limits.approval_expiry_s - asked_for, time_is_over(limits.approval_expiry_s)
        return unattended, nobody_at_the_page(limits.unattended_s)

    async def _settle(self, call_id: str, end: _End, also: Write | None = None) -> None:
        """Log the end, write the rule of ``always``, then let the call go on; nothing for a question that has ended. It
        is closed from the first step on, so that a second answer cannot come between; where its end cannot be logged
        the call does not run."""
        waiting = self._open.pop(call_id, None)
        if waiting is None:
            return
        self._settled[call_id] = None
        while len(self._settled) > _MOST_SETTLED:
            del self._settled[next(iter(self._settled))]
        event = ApprovalResolvedEvent(
            seq=0, call_id=call_id, outcome=end.outcome, by=end.by, arguments=end.decided, note=end.note
        )
        recorded = _stopped(UNRECORDED)
        try:
            await self._log.append_all([event], also)
            recorded = end
            if end.outcome == "always":
                await waiting.write_rule()
        finally:
            if not waiting.end.done():
                waiting.end.set_result(recorded)

    def _as_approval(self, question: Question) -> Approval:
        kind = question.reason.kind
        decisions: list[Decision] = [d for d in self._decisions if d != "always" or kind != "bulk"]
        always = AlwaysRule(tool=question.tool, rule="allow", text=always_text(question, self._rule_holds))
        asked = datetime.now(UTC)
        expiry_s = self._limits.approval_expiry_s
        return Approval(
            call_id=question.call_id,
            tool=question.tool,
            title=question.title,
            class_=question.tool_class,
            arguments=question.arguments,
            photos=question.photos,
            reason=question.reason,
            preview=question.preview,
            decisions=decisions,
            always=always if "always" in decisions else None,
            asked=asked,
            expires=msgspec.UNSET if expiry_s is None else asked + timedelta(seconds=expiry_s),
        )


def _as_event(approval: Approval) -> ApprovalNeededEvent:
    return ApprovalNeededEvent(
        seq=0,
        call_id=approval.call_id,
        reason=approval.reason,
        preview=approval.preview,
        decisions=approval.decisions,
        always=approval.always,
        expires=approval.expires,
    )


def _answered(question: Question, answer: ApprovalAnswer, by: Answerer) -> _End:
    if answer.decision == "deny":
        note = "" if answer.note is msgspec.UNSET else answer.note.strip()
        reply = Denied(why="not_allowed", text=denied(note))
        return _End(outcome="deny", by=by, reply=reply, note=note or None)
    changed = None if answer.arguments is msgspec.UNSET else answer.arguments
    if changed is not None and (problem := question.wrong(changed)):
        raise InvalidBody(f"These arguments do not fit the tool: {problem}", field="arguments")
    decided = question.arguments if changed is None else changed
    return _End(outcome=answer.decision, by=by, reply=Allowed(arguments=changed), decided=decided)


def _stopped(text: str) -> _End:
    return _End(outcome="stopped", by="service", reply=Denied(why="stopped", text=text))


def _is_bulk(question: Question) -> bool:
    """Whether it is about more photos than the limit, whatever else it asks for."""
    over = question.tool_class == "destructive" and 0 < question.bulk_limit < (question.photos or 0)
    return over or question.reason.kind == "bulk"
