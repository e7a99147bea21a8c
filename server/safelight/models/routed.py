"""A small model's next answer: what it reads and what it may write, from what the message means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from safelight.conversation.parts import UserMessage
from safelight.engines.engine import PromptMessage
from safelight.models.copied import call_schema, filled, replies_of, reply_of
from safelight.models.router import Router
from safelight.models.schemas import answer_of
from safelight.models.small import with_examples, with_results
from safelight.models.steps import Step, last_pattern, next_step, taken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from safelight.conversation.parts import History
    from safelight.engines.engine import LocalEngine
    from safelight.models.chat_model import ToolOffer
    from safelight.models.steps import Plan

__all__ = ("Routed",)


class Next(msgspec.Struct, frozen=True):
    """The messages behind the instructions, and the schema of the answer."""

    messages: list[PromptMessage]
    schema: dict[str, Any]


class Routed:
    """For one list of tools, whose ``arguments`` are in normal form."""

    def __init__(self, tools: Sequence[ToolOffer], arguments: Mapping[str, dict[str, Any]]) -> None:
        self._router = Router(tools)
        self._arguments = arguments

    @property
    def can_call(self) -> bool:
        """Whether there are worked examples of any of the tools."""
        return self._router.can_call

    async def warm(self, engine: LocalEngine) -> None:
        """See ``Router.warm``."""
        await self._router.warm(engine)

    async def next(self, engine: LocalEngine, history: History, *, may_call: bool, copy_words: bool) -> Next | None:
        """The next call under its tool's schema, or the reply when there is none to make; None where no person has
        said anything."""
        message = next((part.text for part in reversed(history) if isinstance(part, UserMessage)), None)
        if message is None:
            return None
        plan = await self._router.plan(engine, message)
        step = next_step(plan, history) if may_call else None
        if step is not None:
            values = await self._router.values(engine, step.pattern, message)
            made = self._call(Step(step.pattern, {**values, **step.fixed}), message, copy_words=copy_words)
            if made is not None:
                return Next(with_examples(history, step.pattern), made)
        return await self._reply(engine, plan, history, message)

    def _call(self, step: Step, message: str, *, copy_words: bool) -> dict[str, Any] | None:
        tool = str(step.pattern.tool)
        arguments = call_schema(self._arguments[tool], step, message, copy_words=copy_words)
        if arguments is None:
            return None
        return filled(answer_of({tool: arguments}, may_reply=False), step.pattern.analysis)

    async def _reply(self, engine: LocalEngine, plan: Plan, history: History, message: str) -> Next:
        pattern, done = last_pattern(plan, history), taken(history)
        texts = replies_of(pattern, done.result) if done else pattern.otherwise
        text = texts[await self._router.language(engine, message)] if texts else None
        reads = done is not None and text is None
        messages = with_results(history) if reads else with_examples(history, pattern)
        return Next(messages, reply_of(text, pattern.analysis))
