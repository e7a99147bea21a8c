"""A model on this computer: tool calling by constrained decoding instead of a tool-call format."""

from __future__ import annotations

import json
import secrets
from contextlib import AbstractAsyncContextManager, aclosing
from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.conversation.parts import AssistantTurn, Finish, ToolCall, Usage, UserMessage
from safelight.conversation.photos import LOCAL_PHOTOS
from safelight.engines.engine import Job, LocalEngine, PromptMessage, Reading, Written
from safelight.models.answer import Answer, AnswerParser
from safelight.models.chat_model import Piece, ToolOffer, TurnDone, TurnReading, TurnRequest, TurnWarning
from safelight.models.local_prompt import system_text, turns
from safelight.models.practised import practised
from safelight.models.router import Router, narrowed
from safelight.models.schemas import answer_of, argument_schemas, reply_schema
from safelight.models.small import SMALL_TOKENS, with_examples

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from safelight.models.local_examples import Pattern

__all__ = ("LocalChatModel",)

_KEPT_OFFERS: Final = 8


class LocalChatModel:
    """Implements ``ChatModel`` over an engine that is borrowed for each turn.

    ``small`` adds what a model under about a billion parameters needs: worked examples of the few tools that it is
    offered (``practised``), and the choice of the way to answer by likelihood (``router``).
    """

    def __init__(
        self,
        model_id: str,
        borrow: Callable[[], AbstractAsyncContextManager[LocalEngine]],
        *,
        context_window: int,
        small: bool,
    ) -> None:
        self.model_id = model_id
        self.context_window = context_window
        self.photos_kept = LOCAL_PHOTOS
        self._borrow = borrow
        self._small = small
        self._offers: dict[bytes, _Offer] = {}

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
        need not. Raises ``ModelError``."""
        offer, _ = self._offer(tools)
        begins = (
            PromptMessage(role="system", content=system_text(system, offer.usable)),
            PromptMessage(role="user", content="Hello"),
        )
        async with self._borrow() as engine:
            if self._small:
                await offer.router.choose(engine, "Hello")
            async with aclosing(
                engine.generate(Job(messages=begins, schema=offer.reply, max_tokens=1, stable=1))
            ) as answer:
                async for _ in answer:
                    pass

    def _offer(self, tools: tuple[ToolOffer, ...]) -> tuple[_Offer, bool]:
        key = msgspec.json.encode(tools)
        known = self._offers.pop(key, None)
        offer = self._offers[key] = known or _Offer(practised(tools) if self._small else tools)
        while len(self._offers) > _KEPT_OFFERS:
            del self._offers[next(iter(self._offers))]
        return offer, known is None

    async def _job(self, engine: LocalEngine, offer: _Offer, request: TurnRequest) -> Job:
        schema = offer.answer if request.may_call else offer.reply
        if self._small:
            pattern = await self._pattern(engine, offer, request)
            if pattern is not None and request.may_call and isinstance(request.history[-1], UserMessage):
                schema = offer.only(pattern)
            history = with_examples(request.history, pattern)
        else:
            history = turns(request.history)
        system = PromptMessage(role="system", content=system_text(request.system, offer.usable))
        return Job(
            messages=(system, *history),
            schema=schema,
            max_tokens=min(request.max_tokens, SMALL_TOKENS) if self._small else request.max_tokens,
            sampling=request.sampling,
            stable=1,
        )

    async def _pattern(self, engine: LocalEngine, offer: _Offer, request: TurnRequest) -> Pattern | None:
        """The way to answer: chosen anew for a message, kept while its calls are answered."""
        last = request.history[-1] if request.history else None
        if isinstance(last, UserMessage):
            return await offer.router.choose(engine, last.text)
        calls = [call for part in request.history if isinstance(part, AssistantTurn) for call in part.calls]
        return offer.router.of(calls[-1]) if calls else None


class _Offer:
    """All that follows from a list of tools, worked out once."""

    def __init__(self, tools: tuple[ToolOffer, ...]) -> None:
        self._arguments, self.set_aside = argument_schemas(tools)
        self.usable = tuple(tool for tool in tools if tool.name in self._arguments)
        self.answer = _text(answer_of(self._arguments))
        self.reply = _text(reply_schema())
        self.router = Router(self.usable)

    def only(self, pattern: Pattern) -> str:
        """The answer schema that leaves nothing but ``pattern``."""
        if pattern.tool is None:
            return self.reply
        arguments = narrowed(self._arguments[pattern.tool], pattern)
        return _text(answer_of({pattern.tool: arguments}, may_reply=False))


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
