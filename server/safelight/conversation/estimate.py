"""What a conversation costs in tokens, guessed before a model has counted it (pure)."""

from __future__ import annotations

from typing import Final

import msgspec

from safelight.conversation.parts import AssistantTurn, History, Message, ToolResults, UserMessage

__all__ = ("CHARS_A_TOKEN", "PHOTO_TOKENS", "UNKNOWN_FIXED", "Costs", "estimate", "tokens_of")

CHARS_A_TOKEN: Final = 3
PHOTO_TOKENS: Final = 600
UNKNOWN_FIXED: Final = 4_000
"""What instructions and tools are taken for before a model has counted them."""

_encode = msgspec.json.Encoder().encode


def tokens_of(message: Message) -> int:
    """Tokens of one message. A picture costs the same whatever its size: its bytes are never counted as text."""
    photos = 0
    if isinstance(message, UserMessage):
        chars = len(message.text) + len(message.context)
    elif isinstance(message, ToolResults):
        chars = 0
        for result in message.results:
            chars += len(result.text)
            photos += len(result.images)
    else:
        chars = len(message.reasoning) + len(message.text)
        if message.calls:
            chars += _chars_of_calls(message)
    return (chars + CHARS_A_TOKEN - 1) // CHARS_A_TOKEN + photos * PHOTO_TOKENS


def estimate(history: History) -> int:
    """Tokens of a whole history."""
    return sum(map(tokens_of, history))


class Costs:
    """What instructions and tools cost a model, learned from what it counted. One for each chat."""

    def __init__(self) -> None:
        self._fixed: dict[object, int] = {}

    def measured(self, key: object) -> int | None:
        """The fixed cost of a model with certain tools, where a turn has revealed it."""
        return self._fixed.get(key)

    def fixed(self, key: object) -> int:
        """The same, or what it is taken for."""
        return self._fixed.get(key, UNKNOWN_FIXED)

    def learn(self, key: object, prompt_tokens: int, estimated: int) -> None:
        """A turn whose history was estimated cost so much in all. Only the first turn of each ``key`` counts: later the
        error of the estimate grows with the conversation. A model that counts nothing teaches nothing."""
        if prompt_tokens > 0:
            self._fixed.setdefault(key, max(0, prompt_tokens - estimated))


def _chars_of_calls(turn: AssistantTurn) -> int:
    return sum(len(call.tool) + len(_encode(call.arguments).decode()) for call in turn.calls)
