"""The prompt of a small model: worked exchanges stand right before the person's last message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from safelight.conversation.parts import History, UserMessage
from safelight.engines.engine import PromptMessage
from safelight.models.local_prompt import call_text, reply_text, turns

if TYPE_CHECKING:
    from safelight.models.local_examples import Pattern

__all__ = ("SMALL_TOKENS", "with_examples")

SMALL_TOKENS: Final = 192
"""Tokens of an answer. A small model that writes more repeats itself."""

_RESULT_CHARS: Final = 100
_SHOWN: Final = 3


def with_examples(history: History, pattern: Pattern | None) -> list[PromptMessage]:
    """The conversation with the pattern's examples before its last user message, and results cut short.

    The facts of the moment stand before the examples: after the message they would be taken for a part of it.
    """
    last = max((i for i, part in enumerate(history) if isinstance(part, UserMessage)), default=None)
    if last is None:
        return turns(history, result_chars=_RESULT_CHARS)
    plain = tuple(UserMessage(text=part.text) if isinstance(part, UserMessage) else part for part in history)
    asked = history[last]
    facts = asked.context if isinstance(asked, UserMessage) else ""
    return [
        *turns(plain[:last], result_chars=_RESULT_CHARS),
        *(_noted(facts) if facts else ()),
        *(_examples(pattern) if pattern else ()),
        *turns(plain[last:], result_chars=_RESULT_CHARS),
    ]


def _noted(facts: str) -> tuple[PromptMessage, ...]:
    return (
        PromptMessage(role="user", content=facts),
        PromptMessage(role="assistant", content=reply_text("They tell me facts.", "Noted.")),
    )


def _examples(pattern: Pattern) -> list[PromptMessage]:
    messages: list[PromptMessage] = []
    for example in pattern.examples[-_SHOWN:]:
        messages.append(PromptMessage(role="user", content=example.message))
        analysis = example.analysis
        if pattern.tool:
            written = call_text(analysis, pattern.tool, example.arguments)
            messages.append(PromptMessage(role="assistant", content=written))
            messages.append(PromptMessage(role="user", content=f"Result of {pattern.tool}: {example.result}"))
            analysis = example.closing
        messages.append(PromptMessage(role="assistant", content=reply_text(analysis, example.reply)))
    return messages
