"""The inbox: what agents from outside ask, with a log of its own that whoever can answer reads."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.chat.inbox_events import CallHead, closing_events, ending_events
from safelight.chat.log import EventLog
from safelight.chat.log_days import forget_days, head_before, known_head, note_day
from safelight.chat.questions import Questions
from safelight.gate.principal import Denied
from safelight.wire.models import ToolCallEvent, ToolRunningEvent, WarningEvent

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from safelight.catalog.database import Database
    from safelight.chat.limits import ChatLimits
    from safelight.chat.questions import Answerer, Kept
    from safelight.gate.gate import Passage
    from safelight.gate.permissions import AgentPermissions
    from safelight.gate.principal import Question, Reply
    from safelight.wire.models import Approval, ApprovalAnswer, ApprovalAnswered, Decision, Event

__all__ = ("INBOX", "MOST_KEPT", "MOST_OPEN", "Inbox")

INBOX: Final = "inbox"
"""The id of the log, where a chat has its session's."""

MOST_KEPT: Final = 10_000
"""Newest events that are kept. What is older is erased as more come."""

MOST_OPEN: Final = 50
"""Questions that may wait at a time: an agent that asks without end must not bury the others."""

_NEVER_S: Final = 3.2e8
"""Ten years. Who is there is looked at here, since a form that an agent's program shows counts too."""

_DECISIONS: Final[tuple[Decision, ...]] = ("once", "always", "deny")
_RULE_HOLDS: Final = "for all agents from outside, in every catalog"
_ENDING: Final = (
    "Safelight is being stopped, so this call did not run. Nothing was changed. Call again once it is back."
)
_FULL: Final = (
    "This call needs the user's permission, and too many questions wait for an answer already. Nothing was changed. "
    "Ask your user to answer those first: in Lightroom, Library > Plug-in Extras > Questions from Other Agents, or "
    "on a terminal with `safelight chat --inbox`."
)


class Inbox:
    """One for the whole service; what a call at /mcp asks, and how it went on. A call that asks nothing leaves no trace
    here."""

    def __init__(self, database: Database, permissions: AgentPermissions, limits: ChatLimits) -> None:
        self._database = database
        self._permissions = permissions
        self._grace_s = limits.inbox_grace_s
        self._limits = replace(limits, unattended_s=_NEVER_S)
        self._calls: dict[str, Question] = {}
        self._running: dict[str, dict[str, Any]] = {}
        self._closing = False
        self._take_up(head=0, first=1)

    def _take_up(self, head: int, first: int) -> None:
        self.log = EventLog(self._database, INBOX, head, first=first, most_kept=MOST_KEPT)
        self._questions = Questions(self.log, self._limits, decisions=_DECISIONS, rule_holds=_RULE_HOLDS)

    async def load(self) -> None:
        """Go on with the log of before, once, before anything else. What was left open there is over."""
        heads = await self._database.run(_call_heads)
        if heads:
            self._take_up(heads[-1].seq, heads[0].seq)
        elif head := await self._database.run(lambda connection: known_head(connection, INBOX)):
            self._take_up(head, head + 1)
        if closing := closing_events(heads):
            await self.log.append_all(closing)

    def open(self) -> list[Approval]:
        """The questions that wait, each with the agent that calls, oldest first."""
        return [
            msgspec.structs.replace(approval, by=question.by)
            for approval in self._questions.open()
            if (question := self._calls.get(approval.call_id)) is not None
        ]

    async def answer(
        self, call_id: str, answer: ApprovalAnswer, by: Answerer, kept: Kept[ApprovalAnswered] | None = None
    ) -> ApprovalAnswered:
        """Answer a question; raises what ``Questions.answer`` raises. What is answered is ``kept`` in the same step."""
        return await self._questions.answer(call_id, answer, by, kept)

    async def erase_older(self, when: datetime) -> None:
        """Erase what was there before the day of ``when``. An event counts as made on the day on which this was called
        next, so that none goes too early."""
        day, today, head = when.date(), datetime.now(UTC).date(), self.log.head

        def note(connection: sqlite3.Connection) -> int:
            note_day(connection, INBOX, today, head)
            return head_before(connection, INBOX, day)

        def forget(connection: sqlite3.Connection) -> None:
            forget_days(connection, INBOX, min(day, today))

        old = await self._database.run(note)
        await self.log.erase_before(old + 1, forget)

    async def close(self) -> None:
        """Ask nothing more, end what waits, end every reader."""
        self._closing = True
        await self._questions.stop_all(_ENDING)
        self.log.close()

    # --- what the agents' principal does here -------------------------------------------------------------------

    async def announce(self, question: Question) -> Denied | None:
        """Log the call, unless it has asked before. Refuses while too many questions wait, and at the service's end."""
        if self._closing:
            return Denied(why="stopped", text=_ENDING)
        if len(self._questions.open()) >= MOST_OPEN:
            return Denied(why="not_allowed", text=_FULL)
        known = question.call_id in self._calls
        self._calls[question.call_id] = question
        if not known:
            await self.log.append(_as_call(question))
        return None

    async def ask(self, question: Question) -> Reply:
        """Put the question and wait for its end. The answer "always" writes its rule. Cancelled, it ends as stopped."""
        _, reply = await self._questions.ask(question, partial(self._allow_always, question))
        return reply

    async def answer_for_client(self, call_id: str, answer: ApprovalAnswer) -> None:
        """The answer of the person at the agent's own program."""
        await self._questions.answer(call_id, answer, "client")

    async def unattended(self) -> str:
        """Returns the reason once nobody has been reading for the grace time, counted from now at the earliest."""
        began = time.monotonic()
        # While somebody reads it is looked at again after the grace time: not before can it have passed.
        while (  # noqa: ASYNC110  # time alone decides; no event tells of it
            left := self._grace_s - min(self.log.unattended_s(), time.monotonic() - began)
        ) > 0:
            await asyncio.sleep(left)
        return f"nobody had the inbox open for {self._grace_s:g} seconds"

    async def expire(self, call_id: str, note: str, text: str) -> None:
        """End a question that nobody will answer."""
        await self._questions.expire(call_id, note, text)

    async def withdraw(self, call_id: str) -> None:
        """Whoever called has gone: the question ends as stopped."""
        await self._questions.stop(call_id)

    async def running(self, call_id: str, arguments: dict[str, Any]) -> Denied | None:
        """Log that a call runs that had to ask, and with which arguments. Refuses once the service ends."""
        if call_id in self._calls and not self._closing:
            self._running[call_id] = arguments
            await self.log.append(ToolRunningEvent(seq=0, call_id=call_id, arguments=arguments))
        return Denied(why="stopped", text=_ENDING) if self._closing else None

    async def ended(self, call_id: str, passage: Passage | None) -> None:
        """Log what became of a call that had to ask, behind the end of its question; None where it was cut off."""
        question, ran_with = self._calls.pop(call_id, None), self._running.pop(call_id, None)
        await self._questions.stop(call_id)
        if question is not None:
            await self.log.append_all(ending_events(question, passage, ran_with))

    async def _allow_always(self, question: Question) -> None:
        try:
            await asyncio.to_thread(self._permissions.always, question.tool)
        except OSError as error:
            text = f"The rule for {question.title} could not be saved ({error.strerror}); it was allowed this once."
            await self.log.append(WarningEvent(seq=0, message=text))


def _as_call(question: Question) -> Event:
    return ToolCallEvent(
        seq=0,
        call_id=question.call_id,
        tool=question.tool,
        title=question.title,
        class_=question.tool_class,
        arguments=question.arguments,
        photos=question.photos,
        by=question.by,
    )


def _call_heads(connection: sqlite3.Connection) -> Sequence[CallHead]:
    rows: Any = connection.execute("SELECT body FROM events WHERE session_id = ? ORDER BY seq", (INBOX,))
    return [msgspec.json.decode(body, type=CallHead) for (body,) in rows]
