"""The calls of a run on their way: announced in order, decided and run side by side, answered in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from safelight.chat.results import as_call_result, as_change_event, as_done_event, as_tool_result
from safelight.chat.stopping import StopSignal, let_go
from safelight.conversation.loop import NOT_RUN_STOPPED, AnswerCalls, RefuseCall, RunCall
from safelight.conversation.parts import Outcome, ToolCall, ToolResult
from safelight.conversation.repair import INTERRUPTED
from safelight.wire.models import Event, ToolCallEvent, ToolSkippedEvent

if TYPE_CHECKING:
    from collections.abc import Generator

    from safelight.chat.services import ChatServices
    from safelight.chat.session import ChatSession
    from safelight.chat.toolbox import CallOutcome

__all__ = ("Calls", "SkipReason")

logger = logging.getLogger(__name__)

SkipReason: TypeAlias = Literal[
    "not_allowed",
    "stopped",
    "repeated_call",
    "turned_off",
    "read_only",
    "agents_off",
    "last_step",
    "interrupted",
    "incomplete",
]

_OUTCOMES: dict[SkipReason, Outcome] = {
    "not_allowed": "denied",
    "turned_off": "denied",
    "read_only": "denied",
    "agents_off": "denied",
    "stopped": "interrupted",
    "interrupted": "interrupted",
}
"""What a skipped call counts as in the conversation; ``skipped`` where nothing else is said."""


class _OnItsWay:
    """One call between its announcement and its end."""

    def __init__(self, call: ToolCall, *, reads: bool) -> None:
        self.call = call
        self.ran = call
        """As it runs: with the arguments that were decided, and what they mean written down."""
        self.reads = reads
        self.phase: Literal["deciding", "asked", "running", "ended"] = "deciding"
        self.aside = asyncio.Event()
        """Set while later calls need not wait for this one."""
        self.cut = asyncio.Event()
        """Set when the call must not run any more."""

    def enter(self, phase: Literal["deciding", "asked", "running", "ended"]) -> None:
        self.phase = phase
        if phase in ("asked", "ended"):
            self.aside.set()
        else:
            self.aside.clear()


class Calls:
    """The calls of one run, and what the gate is told of them.

    Reads start at once. A call that is no read starts when each earlier one of its turn that is no read has ended or
    waits for an answer, and goes on likewise after its own answer: so those that are free keep their order, while
    several questions may stand open together.
    """

    def __init__(self, session: ChatSession, services: ChatServices, stop: StopSignal) -> None:
        self._session = session
        self._services = services
        self._stop = stop
        self._turn: dict[str, _OnItsWay] = {}

    async def answer(self, step: AnswerCalls) -> tuple[ToolResult, ...]:
        """See each call of a turn through. Gives their results in the order of the calls, and says them as one."""
        photos = await self._stop.unless_set(self._count(step), "count photos") or [None] * len(step.answers)
        announced = [self._announced(answer.call, count) for answer, count in zip(step.answers, photos, strict=True)]
        refused = [answer for answer in step.answers if isinstance(answer, RefuseCall)]
        skipped = [ToolSkippedEvent(seq=0, call_id=one.call.call_id, reason=one.reason) for one in refused]
        self._turn = {
            answer.call.call_id: _OnItsWay(answer.call, reads=self._reads(answer.call))
            for answer in step.answers
            if isinstance(answer, RunCall)
        }
        await self._session.log.append_all([*announced, *skipped])
        seen_through = {
            call_id: asyncio.create_task(self._see_through(mine), name=f"call of {mine.call.tool}")
            for call_id, mine in self._turn.items()
        }
        if seen_through:
            await asyncio.wait(seen_through.values())
        results = tuple(
            seen_through[answer.call.call_id].result()
            if isinstance(answer, RunCall)
            else _not_run(answer.call, answer.reason, answer.text)
            for answer in step.answers
        )
        await self._session.say(self._session.prompting.recorded(self._session.history, results))
        return results

    def stop(self) -> None:
        """The run was stopped: what does not run yet shall not. Questions are ended by whoever stopped the run."""
        for mine in self._turn.values():
            if mine.phase == "deciding":
                mine.cut.set()

    # --- what the gate tells ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def asking(self, call_id: str) -> Generator[None]:
        """While a question about the call stands open."""
        mine = self._turn[call_id]
        mine.enter("asked")
        try:
            yield
        finally:
            mine.enter("deciding")
            if self._stop.is_set:
                mine.cut.set()

    def may_go_on(self, call_id: str) -> bool:
        """Whether the call is one of this turn and may still run."""
        mine = self._turn.get(call_id)
        return mine is not None and mine.phase == "deciding" and not self._stop.is_set

    async def turn_of(self, call_id: str) -> None:
        """Wait until the call's turn among those that are no reads has come."""
        await self._in_order(self._turn[call_id])

    def runs(self, call_id: str, arguments: dict[str, Any]) -> bool:
        """The call is about to run, with these arguments; from here on it is let finish. False when it must not."""
        if not self.may_go_on(call_id):
            return False
        mine = self._turn[call_id]
        mine.ran = msgspec.structs.replace(mine.call, arguments=arguments)
        mine.enter("running")
        return True

    # --- one call ---------------------------------------------------------------------------------------------

    async def _see_through(self, mine: _OnItsWay) -> ToolResult:
        call = mine.call
        try:
            outcome = await self._outcome(mine)
            if outcome is None:
                return await self._skip(call, "stopped", NOT_RUN_STOPPED[self._stop.by or "user"])
            if outcome.skipped is not None:
                return await self._skip(call, outcome.skipped, outcome.text)
            return await self._keep(mine, outcome)
        except Exception:  # every call has a result, whatever its way met
            logger.exception("The call of %s was lost", call.tool)
            return await self._skip(call, "interrupted", INTERRUPTED)
        finally:
            mine.enter("ended")

    async def _outcome(self, mine: _OnItsWay) -> CallOutcome | None:
        """What the gate lets the call come to; None when it was stopped before it ran."""
        if self._stop.is_set:
            return None
        task = asyncio.create_task(self._through_the_gate(mine), name=f"call of {mine.call.tool}")
        cut = asyncio.create_task(mine.cut.wait())
        await asyncio.wait({task, cut}, return_when=asyncio.FIRST_COMPLETED)
        cut.cancel()
        if task.done():
            return task.result()
        await let_go(task)
        return None

    async def _through_the_gate(self, mine: _OnItsWay) -> CallOutcome:
        await self._in_order(mine)
        call = mine.call
        return await self._services.toolbox.call(
            self._session.record.session_id, call.call_id, call.tool, call.arguments
        )

    async def _in_order(self, mine: _OnItsWay) -> None:
        while not mine.reads and (earlier := self._in_the_way(mine)) is not None:
            await earlier.aside.wait()

    def _in_the_way(self, mine: _OnItsWay) -> _OnItsWay | None:
        for other in self._turn.values():
            if other is mine:
                return None
            if not other.reads and not other.aside.is_set():
                return other
        return None

    async def _keep(self, mine: _OnItsWay, outcome: CallOutcome) -> ToolResult:
        call = mine.call
        keep = self._services.store.keeping(self._session.record.session_id, as_call_result(call, outcome))
        changed = as_change_event(mine.ran, outcome)
        events: list[Event] = [as_done_event(call, outcome), *([] if changed is None else [changed])]
        await self._session.log.append_all(events, keep)
        job_id = (outcome.content or {}).get("job_id")
        if isinstance(job_id, str):
            self._session.follow_job(job_id)
        return as_tool_result(call, outcome)

    async def _skip(self, call: ToolCall, reason: SkipReason, text: str) -> ToolResult:
        await self._session.log.append(ToolSkippedEvent(seq=0, call_id=call.call_id, reason=reason))
        return _not_run(call, reason, text)

    # --- for showing ------------------------------------------------------------------------------------------

    async def _count(self, step: AnswerCalls) -> list[int | None]:
        async def photos_of(answer: RunCall | RefuseCall) -> int | None:
            if isinstance(answer, RefuseCall):
                return None
            return await self._services.toolbox.count(answer.call.tool, answer.call.arguments)

        return await asyncio.gather(*(photos_of(answer) for answer in step.answers))

    def _announced(self, call: ToolCall, photos: int | None) -> ToolCallEvent:
        title, tool_class = self._services.toolbox.title_and_class(call.tool)
        return ToolCallEvent(
            seq=0,
            call_id=call.call_id,
            tool=call.tool,
            title=title,
            class_=tool_class,
            arguments=call.arguments,
            photos=photos,
        )

    def _reads(self, call: ToolCall) -> bool:
        return self._services.toolbox.title_and_class(call.tool)[1] == "read"


def _not_run(call: ToolCall, reason: SkipReason, text: str) -> ToolResult:
    return ToolResult(call_id=call.call_id, tool=call.tool, outcome=_OUTCOMES.get(reason, "skipped"), text=text)
