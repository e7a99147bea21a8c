"""A chat's open questions: asked by the gate, answered once by the page, the agent token's holder or the service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import msgspec

from safelight.errors import Conflict, InvalidBody, NotFound
from safelight.gate.principal import Allowed, Denied, Question, Reply
from safelight.wire.models import (
    Approval,
    ApprovalAnswer,
    ApprovalAnswered,
    ApprovalNeededEvent,
    ApprovalOutcome,
    ApprovalResolvedEvent,
)

if TYPE_CHECKING:
    from safelight.chat.log import EventLog, Write

__all__ = ("Answerer", "Kept", "Questions")

Answerer: TypeAlias = Literal["page", "agent", "client", "service"]

T = TypeVar("T")

Kept: TypeAlias = Callable[[T], "Write"]
"""From the answer to a request, the write that keeps it, so that the same request again is given the same answer."""

_MOST_SETTLED = 1_000


class _Open(msgspec.Struct):
    question: Question
    reply: asyncio.Future[tuple[ApprovalOutcome, Reply]]


class Questions:
    """Every question ends with exactly one ``approval_resolved`` event."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._open: dict[str, _Open] = {}
        self._settled: dict[str, None] = {}

    async def ask(self, question: Question) -> tuple[ApprovalOutcome, Reply]:
        """Log the question and wait for its end. Returns how it ended and what that means for the call."""
        waiting = _Open(question, asyncio.get_running_loop().create_future())
        self._open[question.call_id] = waiting
        self._settled.pop(question.call_id, None)
        event = ApprovalNeededEvent(seq=0, call_id=question.call_id, reason=question.reason, preview=question.preview)
        try:
            await self._log.append(event)
        except BaseException:
            self._open.pop(question.call_id, None)
            raise
        return await waiting.reply

    def open(self) -> list[Approval]:
        """The questions that wait, oldest first."""
        return [_as_approval(waiting.question) for waiting in self._open.values()]

    async def answer(
        self, call_id: str, answer: ApprovalAnswer, by: Answerer, kept: Kept[ApprovalAnswered] | None = None
    ) -> ApprovalAnswered:
        """Settle a question. Before anything is settled: ``NotFound`` for one that never was, ``Conflict`` for one that
        is settled or that cannot be answered so, ``InvalidBody`` for arguments that the tool does not take."""
        waiting = self._open.get(call_id)
        if waiting is None:
            if call_id in self._settled:
                raise Conflict("This question has been settled already.")
            raise NotFound("There is no open question with this id.")
        if answer.decision == "always" and waiting.question.reason.kind == "bulk":
            raise Conflict("A question about many photos cannot be answered for always: the limit asks each time.")
        changed = None if answer.arguments is msgspec.UNSET else answer.arguments
        if changed is not None and (problem := waiting.question.wrong(changed)):
            raise InvalidBody(f"These arguments do not fit the tool: {problem}", field="arguments")
        note = ""
        if answer.decision == "deny":
            note = "" if answer.note is msgspec.UNSET else answer.note.strip()
            reply: Reply = Denied(why="not_allowed", text=_denied(note))
            runs = None
        else:
            reply = Allowed(arguments=changed)
            runs = waiting.question.arguments if changed is None else changed
        answered = ApprovalAnswered(call_id=call_id, outcome=answer.decision)
        await self._settle(call_id, answer.decision, by, reply, runs, note or None, kept and kept(answered))
        return answered

    async def stop_all(self) -> None:
        """The person stopped the run: every open question ends as stopped."""
        while self._open:
            call_id = next(iter(self._open))
            await self._settle(call_id, "stopped", "service", Denied(why="stopped", text=_STOPPED), None)

    async def _settle(
        self,
        call_id: str,
        outcome: ApprovalOutcome,
        by: Answerer,
        reply: Reply,
        runs: dict[str, Any] | None,
        note: str | None = None,
        also: Write | None = None,
    ) -> None:
        """Log the end, then let the call go on. The question is closed from the first step on, so that a second
        answer cannot come between; where its end cannot be logged the call does not run."""
        waiting = self._open.pop(call_id)
        self._settled[call_id] = None
        while len(self._settled) > _MOST_SETTLED:
            del self._settled[next(iter(self._settled))]
        event = ApprovalResolvedEvent(seq=0, call_id=call_id, outcome=outcome, by=by, arguments=runs, note=note)
        end: tuple[ApprovalOutcome, Reply] = ("stopped", Denied(why="stopped", text=_STOPPED))
        try:
            await self._log.append_all([event], also)
            end = (outcome, reply)
        finally:
            if not waiting.reply.done():
                waiting.reply.set_result(end)


_STOPPED = "The user stopped before this was allowed. It did not run."


def _denied(note: str) -> str:
    base = "The user did not allow this call. Nothing was changed. Do not repeat it."
    return f"{base} They said: {note}" if note else base


def _as_approval(question: Question) -> Approval:
    return Approval(
        call_id=question.call_id,
        tool=question.tool,
        title=question.title,
        class_=question.tool_class,
        arguments=question.arguments,
        photos=question.photos,
        reason=question.reason,
        preview=question.preview,
        decisions=["once", "chat", "always", "deny"],
        always=None,
        asked=datetime.now(UTC),
    )
