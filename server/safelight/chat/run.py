"""A run: model turns and calls for one message, as the loop wants them, until it ends."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.chat.calls import Calls
from safelight.chat.heard import heard, heard_text
from safelight.chat.stopping import StopSignal
from safelight.conversation.loop import AnswerCalls, LoopState, TakeTurn, next_step
from safelight.conversation.parts import AssistantTurn, ToolCall
from safelight.errors import ModelError
from safelight.models.chat_model import ToolOffer, TurnDone, TurnPiece, TurnReading, TurnWarning
from safelight.wire.models import AssistantTurnEvent, ErrorEvent, Event, UsageEvent, WarningEvent

if TYPE_CHECKING:
    from safelight.chat.services import ChatServices
    from safelight.chat.session import ChatSession
    from safelight.conversation.loop import StoppedBy

__all__ = ("Run", "RunEnd")

_UNFINISHED: Final = "The model's answer ended before it was complete. Send the message again."
_CUT_ANSWER: Final = "The answer was cut at the token limit. Ask the model to go on, or for a shorter answer."


class RunEnd(msgspec.Struct, frozen=True):
    """How a run ended; ``error`` is logged by the session."""

    error: ErrorEvent | None = None


class Run:
    """One run of a session. ``stop`` ends it within a moment, whatever it waits for; a tool that runs is let finish."""

    def __init__(self, session: ChatSession, services: ChatServices) -> None:
        self.gives_back = False
        """The queue is to be given back, since somebody stopped the run."""
        self._stop = StopSignal()
        self.calls = Calls(session, services, self._stop)
        self._session = session
        self._services = services

    @property
    def stopped_by(self) -> StoppedBy | None:
        """Who stopped the run, None while nobody has."""
        return self._stop.by

    def stop(self, by: StoppedBy) -> None:
        self._stop.set(by)
        self.calls.stop()

    async def go(self) -> RunEnd:
        """Work until there is an answer, the run is stopped, or a model fails."""
        offered = await self._stop.unless_set(self._services.toolbox.offers(), "list tools")
        offers = self._allowed_offers(offered or ())
        state = LoopState()
        while True:
            step = next_step(state if self.stopped_by is None else state.after_stop(self.stopped_by))
            if isinstance(step, TakeTurn):
                try:
                    done = await self._take_turn(offers, may_call=step.may_call)
                except ModelError as error:
                    return RunEnd(ErrorEvent(seq=0, code=error.code, message=error.message))
                if done is None:
                    return RunEnd()
                state = state.after_turn(done.turn, cut_off=done.incomplete_call is not None)
            elif isinstance(step, AnswerCalls):
                state = state.after_calls(step, await self.calls.answer(step))
            else:
                if step.text:
                    await self._session.say(
                        AssistantTurn(text=step.text), [AssistantTurnEvent(seq=0, reasoning="", text=step.text)]
                    )
                return RunEnd()

    def _allowed_offers(self, offers: tuple[ToolOffer, ...]) -> tuple[ToolOffer, ...]:
        blocked = {name for name, rule in self._session.profile().rules.items() if rule == "block"}
        return tuple(offer for offer in offers if offer.name not in blocked)

    async def _take_turn(self, offers: tuple[ToolOffer, ...], *, may_call: bool) -> TurnDone | None:
        """One whole model turn, streamed, logged and said; None when it was stopped. A call that was cut stands as its
        last call, without arguments."""
        session = self._session
        session.log.begin_turn()
        try:
            done = await self._stop.unless_set(self._stream(offers, may_call=may_call), "model turn")
            if done is None:
                if self.stopped_by is not None:
                    return None
                raise ModelError(_UNFINISHED)
            turn = done.turn
            if done.incomplete_call is not None:
                cut = ToolCall(call_id=f"call_{secrets.token_hex(8)}", tool=done.incomplete_call, arguments={})
                turn = msgspec.structs.replace(turn, calls=(*turn.calls, cut))
            usage = done.usage
            events: list[Event] = [
                AssistantTurnEvent(seq=0, reasoning=turn.reasoning, text=turn.text),
                UsageEvent(
                    seq=0,
                    prompt_tokens=usage.prompt_tokens,
                    completion_tokens=usage.completion_tokens,
                    cached_tokens=usage.cached_tokens,
                    context_window=usage.context_window,
                ),
            ]
            if done.finish == "length" and not turn.calls:
                events.append(WarningEvent(seq=0, message=_CUT_ANSWER))
            await session.say(turn, events)
            return msgspec.structs.replace(done, turn=turn)
        finally:
            session.log.end_turn()

    async def _stream(self, offers: tuple[ToolOffer, ...], *, may_call: bool) -> TurnDone | None:
        """The model is asked for anew each turn, so that no chat keeps one loaded. A model that goes on after a stop is
        not heard."""
        session, log = self._session, self._session.log
        model = self._services.models.resolve(session.record.model, session.record.wishes)
        turn = session.prompting.turn(model, session.history, offers, may_call=may_call)
        done: TurnDone | None = None
        async with contextlib.aclosing(turn) as pieces:
            async for piece in pieces:
                if self.stopped_by is not None:
                    break
                match piece:
                    case TurnPiece(kind, text):
                        log.stream(kind, heard_text(text))
                    case TurnReading(done=read, total=total):
                        log.say_prefill(read, total)
                    case TurnWarning(message):
                        await log.append(WarningEvent(seq=0, message=heard_text(message)))
                    case TurnDone():
                        done = heard(piece, session.call_ids())
        return done
