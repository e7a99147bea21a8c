"""A model on this computer: tool calling by constrained decoding instead of a tool-call format."""

from __future__ import annotations

import json
import secrets
import weakref
from contextlib import AbstractAsyncContextManager, aclosing
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.conversation.parts import AssistantTurn, Finish, ToolCall, Usage
from safelight.conversation.photos import LOCAL_PHOTOS, without_pictures
from safelight.engines.engine import Job, LocalEngine, PromptMessage, Reading, Written
from safelight.models.answer import Answer, AnswerParser
from safelight.models.chat_model import Piece, ToolOffer, TurnDone, TurnReading, TurnRequest, TurnWarning
from safelight.models.local_prompt import system_text, turns
from safelight.models.practised import practised
from safelight.models.routed import Routed
from safelight.models.schemas import answer_of, argument_schemas, reply_schema
from safelight.models.small import SMALL_TOKENS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

__all__ = ("LocalChatModel",)

_KEPT_OFFERS: Final = 8


class LocalChatModel:
    """Implements ``ChatModel`` over an engine that is borrowed for each turn.

    ``small`` adds what a model under about a billion parameters needs: worked examples of the few tools that it is
    offered (``practised``), and the choice of what to do by likelihood (``router``). ``copy_words`` is the one rule
    that reads the message's words (``copied``). One that ``sees`` is shown the newest pictures. ``refused`` says why
    the engine's grammar backend cannot hold a schema, None where it can.
    """

    def __init__(
        self,
        model_id: str,
        borrow: Callable[[], AbstractAsyncContextManager[LocalEngine]],
        *,
        context_window: int,
        small: bool,
        sees: bool = False,
        copy_words: bool = True,
        refused: Callable[[dict[str, Any]], str | None] | None = None,
    ) -> None:
        self.model_id = model_id
        self.context_window = context_window
        self.photos_kept = LOCAL_PHOTOS if sees else 0
        self._borrow = borrow
        self._small = small
        self._copy_words = copy_words
        self._refused = refused
        self._offers: dict[bytes, _Offer] = {}
        self._prepared: tuple[weakref.ref[LocalEngine], tuple[PromptMessage, ...]] | None = None

    async def turn(self, request: TurnRequest) -> AsyncGenerator[Piece, None]:
        """One answer under the grammar; see ``ChatModel``. Tools that no grammar can hold are set aside with a
        warning, in the first turn of a chat and when the list changes."""
        offer, new = self._offer(request.tools)
        if new or not any(isinstance(part, AssistantTurn) for part in request.history):
            for tool, reason in offer.set_aside.items():
                yield TurnWarning(message=f"The tool {tool} cannot be offered to this model: {reason}.")
        async with self._borrow() as engine:
            job = await self._job(engine, offer, request)
            parser = AnswerParser()
            async with aclosing(engine.generate(job)) as answer:
                async for piece in answer:
                    if isinstance(piece, Written):
                        self.context_window = piece.context_window
                        yield _done(parser.finish(), piece)
                    elif isinstance(piece, Reading):
                        yield TurnReading(piece.done, piece.total)
                    else:
                        for part in parser.feed(piece):
                            yield part

    async def prepare(self, system: str, tools: tuple[ToolOffer, ...]) -> None:
        """Loads the model and reads what every turn with ``system`` and ``tools`` begins with, so that the first turn
        need not; nothing where it was done before with the engine that is loaded. Raises ``ModelError``."""
        offer, _ = self._offer(tools)
        begins = (
            PromptMessage(role="system", content=system_text(system, offer.usable)),
            PromptMessage(role="user", content="Hello"),
        )
        async with self._borrow() as engine:
            if self._prepared is not None and self._prepared[0]() is engine and self._prepared[1] == begins:
                return
            if self._routes(offer):
                await offer.routed.warm(engine)
            async with aclosing(
                engine.generate(Job(messages=begins, schema=offer.reply, max_tokens=1, stable=1))
            ) as answer:
                async for _ in answer:
                    pass
            self._prepared = (weakref.ref(engine), begins)

    def _offer(self, tools: tuple[ToolOffer, ...]) -> tuple[_Offer, bool]:
        key = b"".join(map(_key, tools))
        known = self._offers.pop(key, None)
        offer = self._offers[key] = known or self._new_offer(tools)
        while len(self._offers) > _KEPT_OFFERS:
            del self._offers[next(iter(self._offers))]
        return offer, known is None

    def _new_offer(self, tools: tuple[ToolOffer, ...]) -> _Offer:
        return _Offer(practised(tools) if self._small else tools, tools, self._refused)

    async def _job(self, engine: LocalEngine, offer: _Offer, request: TurnRequest) -> Job:
        shown = request.history if engine.sees else without_pictures(request.history)
        schema = offer.answer if request.may_call else offer.reply
        history = turns(shown)
        if self._routes(offer):
            routed = await offer.routed.next(engine, shown, may_call=request.may_call, copy_words=self._copy_words)
            if routed is not None:
                history, schema = routed.messages, _text(routed.schema)
        system = PromptMessage(role="system", content=system_text(request.system, offer.usable))
        return Job(
            messages=(system, *history),
            schema=schema,
            max_tokens=min(request.max_tokens, SMALL_TOKENS) if self._small else request.max_tokens,
            sampling=request.sampling,
            stable=1,
        )

    def _routes(self, offer: _Offer) -> bool:
        return self._small and offer.routed.can_call


class _Offer:
    """All that follows from a list of tools, worked out once."""

    def __init__(
        self,
        tools: tuple[ToolOffer, ...],
        made_from: tuple[ToolOffer, ...],
        refused: Callable[[dict[str, Any]], str | None] | None,
    ) -> None:
        self.made_from = made_from
        self._arguments, self.set_aside = argument_schemas(tools)
        if refused is not None:
            for name, schema in list(self._arguments.items()):
                if (reason := refused(answer_of({name: schema}, may_reply=False))) is not None:
                    self.set_aside[name] = reason
                    del self._arguments[name]
        first = {tool.name: tool for tool in reversed(tools)}
        self.usable = tuple(first[name] for name in self._arguments)
        self.answer = _text(answer_of(self._arguments))
        self.reply = _text(reply_schema())
        self.routed = Routed(self.usable, self._arguments)


def _key(tool: ToolOffer) -> bytes:
    """What tells a tool from others. One that JSON cannot hold is told by itself: the offer made of it holds it."""
    try:
        return msgspec.json.encode(tool)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return str(id(tool)).encode()


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def _done(answer: Answer, written: Written) -> TurnDone:
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop" if answer.complete else "length"
    if answer.call is not None:
        call_id = f"call_{secrets.token_hex(8)}"
        calls = (ToolCall(call_id=call_id, tool=answer.call.tool, arguments=answer.call.arguments),)
        finish = "calls"
    return TurnDone(
        turn=AssistantTurn(reasoning=answer.analysis, text=answer.reply, calls=calls),
        finish=finish,
        usage=Usage(
            prompt_tokens=written.prompt_tokens,
            completion_tokens=written.completion_tokens,
            cached_tokens=written.cached_tokens,
            context_window=written.context_window,
        ),
        incomplete_call=answer.cut_call,
    )
