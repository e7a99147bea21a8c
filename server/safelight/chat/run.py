"""A run: model turns for one message until there is an answer, at most twelve."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from safelight.chat.heard import heard, heard_text
from safelight.chat.results import as_call_result, as_change_event, as_done_event, as_tool_result
from safelight.conversation.loop_guard import LoopGuard
from safelight.conversation.parts import ToolCall, ToolResult, ToolResults
from safelight.errors import ModelError
from safelight.models.chat_model import ToolOffer, TurnDone, TurnPiece, TurnRequest, TurnWarning
from safelight.wire.models import (
    AssistantTurnEvent,
    ErrorEvent,
    Event,
    ToolCallEvent,
    ToolSkippedEvent,
    UsageEvent,
    WarningEvent,
)

if TYPE_CHECKING:
    from safelight.chat.services import ChatServices
    from safelight.chat.session import ChatSession

__all__ = ("MAX_STEPS", "Run", "RunEnd")

MAX_STEPS: Final = 12

SkipReason = Literal["not_allowed", "stopped", "repeated_call", "turned_off", "interrupted", "incomplete"]

_INCOMPLETE: Final = (
    "The answer was cut at the token limit before the arguments were complete, so nothing ran. Use shorter arguments."
)
_STOPPED: Final = "The user stopped before this call. It did not run."


class RunEnd(msgspec.Struct, frozen=True):
    """How a run ended; ``error`` is logged by the session."""

    error: ErrorEvent | None = None


class Run:
    """One run of a session. ``stop`` takes effect at the model's next token; a tool that runs is let finish."""

    def __init__(self, session: ChatSession, services: ChatServices) -> None:
        self.stopped = False
        self._session = session
        self._services = services
        self._guard = LoopGuard()
        self._turn_task: asyncio.Task[TurnDone | None] | None = None

    def stop(self) -> None:
        self.stopped = True
        if self._turn_task is not None:
            self._turn_task.cancel()

    async def go(self) -> RunEnd:
        """Work until there is an answer, the run is stopped, or a model fails."""
        offers = self._allowed_offers(await self._services.toolbox.offers())
        for step in range(1, MAX_STEPS + 1):
            try:
                done = await self._take_turn(offers, may_call=step < MAX_STEPS)
            except ModelError as error:
                return RunEnd(ErrorEvent(seq=0, code=error.code, message=error.message))
            if done is None:
                return RunEnd()
            calls = done.turn.calls
            if not calls:
                return RunEnd()
            cut_off = calls[-1] if done.incomplete_call is not None else None
            results = [await self._answer(call, incomplete=call is cut_off) for call in calls]
            await self._session.say(ToolResults(results=tuple(results)))
            if self.stopped:
                return RunEnd()
        return RunEnd()

    def _allowed_offers(self, offers: tuple[ToolOffer, ...]) -> tuple[ToolOffer, ...]:
        blocked = {name for name, rule in self._session.profile().rules.items() if rule == "block"}
        return tuple(offer for offer in offers if offer.name not in blocked)

    # --- the model's turn -------------------------------------------------------------------------------------

    async def _take_turn(self, offers: tuple[ToolOffer, ...], *, may_call: bool) -> TurnDone | None:
        """One whole model turn, streamed, logged and said; None when it was stopped."""
        if self.stopped:
            return None
        session = self._session
        session.log.begin_turn()
        try:
            request = session.prompting.request(session.history, offers, may_call=may_call)
            self._turn_task = asyncio.create_task(self._stream(request), name="model turn")
            await asyncio.wait({self._turn_task})
            failed = None if self._turn_task.cancelled() else self._turn_task.exception()
            if self.stopped or self._turn_task.cancelled():
                return None
            if failed is not None:
                raise failed
            done = self._turn_task.result()
            if done is None:
                raise ModelError("The model's answer ended before it was complete. Send the message again.")
            turn = done.turn
            if done.incomplete_call is not None:
                cut = ToolCall(call_id=f"call_{secrets.token_hex(8)}", tool=done.incomplete_call, arguments={})
                turn = msgspec.structs.replace(turn, calls=(*turn.calls, cut))
            usage = done.usage
            await session.say(
                turn,
                [
                    AssistantTurnEvent(seq=0, reasoning=turn.reasoning, text=turn.text),
                    UsageEvent(
                        seq=0,
                        prompt_tokens=usage.prompt_tokens,
                        completion_tokens=usage.completion_tokens,
                        cached_tokens=usage.cached_tokens,
                        context_window=usage.context_window,
                    ),
                ],
            )
            return msgspec.structs.replace(done, turn=turn)
        finally:
            self._turn_task = None
            session.log.end_turn()

    async def _stream(self, request: TurnRequest) -> TurnDone | None:
        log = self._session.log
        model = self._services.models.resolve(self._session.record.model)
        done: TurnDone | None = None
        async with contextlib.aclosing(model.turn(request)) as pieces:
            async for piece in pieces:
                match piece:
                    case TurnPiece(kind, text):
                        log.stream(kind, heard_text(text))
                    case TurnWarning(message):
                        await log.append(WarningEvent(seq=0, message=heard_text(message)))
                    case TurnDone():
                        done = heard(piece)
        return done

    # --- calls ------------------------------------------------------------------------------------------------

    async def _answer(self, call: ToolCall, *, incomplete: bool) -> ToolResult:
        """Announce a call, see it through, and give its one result."""
        session, toolbox = self._session, self._services.toolbox
        title, tool_class = toolbox.title_and_class(call.tool)
        photos = None if incomplete or self.stopped else await toolbox.count(call.tool, call.arguments)
        announced = ToolCallEvent(
            seq=0,
            call_id=call.call_id,
            tool=call.tool,
            title=title,
            class_=tool_class,
            arguments=call.arguments,
            photos=photos,
        )
        await session.log.append(announced)
        if incomplete:
            return await self._skip(call, "incomplete", _INCOMPLETE)
        if self.stopped:
            return await self._skip(call, "stopped", _STOPPED)
        if self._guard.seen(call.tool, call.arguments):
            return await self._skip(call, "repeated_call", LoopGuard.refusal(call.tool))
        self._guard = self._guard.with_call(call.tool, call.arguments)
        outcome = await toolbox.call(session.record.session_id, call.call_id, call.tool, call.arguments)
        if outcome.skipped is not None:
            return await self._skip(call, outcome.skipped, outcome.text)
        keep = self._services.store.keeping(session.record.session_id, as_call_result(call, outcome))
        changed = as_change_event(call, outcome)
        events: list[Event] = [as_done_event(call, outcome), *([] if changed is None else [changed])]
        await session.log.append_all(events, keep)
        return as_tool_result(call, outcome)

    async def _skip(self, call: ToolCall, reason: SkipReason, text: str) -> ToolResult:
        await self._session.log.append(ToolSkippedEvent(seq=0, call_id=call.call_id, reason=reason))
        outcome = "denied" if reason == "not_allowed" else "interrupted" if reason == "stopped" else "skipped"
        return ToolResult(call_id=call.call_id, tool=call.tool, outcome=outcome, text=text)
