"""The prompt of a small model: worked examples stand right before the person's last message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from safelight.conversation.parts import History, UserMessage
from safelight.engines.engine import PromptMessage
from safelight.models.local_prompt import call_text, reply_text, turns

if TYPE_CHECKING:
    from safelight.models.local_examples import Example, Pattern

__all__ = ("SMALL_TOKENS", "with_examples", "with_results")

SMALL_TOKENS: Final = 192
"""Tokens of an answer. A small model that writes more repeats itself."""

_RESULT_CHARS: Final = 100
_READ_CHARS: Final = 1_000


def with_examples(history: History, pattern: Pattern) -> list[PromptMessage]:
    """The conversation up to its last user message, with the pattern's examples before that.

    A small model decides each call as if it were the first: calls and results since that message would be copied, and
    so would the facts of the moment. Examples stand only where there is something to write after them.
    """
    plain = tuple(UserMessage(text=part.text) if isinstance(part, UserMessage) else part for part in history)
    last = max(i for i, part in enumerate(plain) if isinstance(part, UserMessage))
    examples = pattern.examples if pattern.copied or pattern.tool is None else ()
    return [
        *turns(plain[:last], result_chars=_RESULT_CHARS),
        *(message for example in examples for message in _worked(pattern, example)),
        *turns(plain[last : last + 1]),
    ]


def with_results(history: History) -> list[PromptMessage]:
    """The whole conversation, for a reply about a result that has to be read."""
    plain = tuple(UserMessage(text=part.text) if isinstance(part, UserMessage) else part for part in history)
    return turns(plain, result_chars=_READ_CHARS)


def _worked(pattern: Pattern, example: Example) -> tuple[PromptMessage, PromptMessage]:
    if pattern.tool is None:
        answer = reply_text(pattern.analysis, example.reply)
    else:
        answer = call_text(pattern.analysis, pattern.tool, example.arguments)
    return PromptMessage(role="user", content=example.message), PromptMessage(role="assistant", content=answer)
