"""What a conversation is taken to cost."""

from __future__ import annotations

import pytest

from safelight.conversation.estimate import UNKNOWN_FIXED, Costs, estimate, tokens_of
from safelight.conversation.parts import (
    AssistantTurn,
    Image,
    Message,
    ToolCall,
    ToolResult,
    ToolResults,
    UserMessage,
)
from tests.requirement import requirement


def result(text: str, *sizes: int) -> ToolResults:
    images = tuple(Image(mime_type="image/jpeg", data=b"x" * size) for size in sizes)
    return ToolResults(results=(ToolResult(call_id="c", tool="look", outcome="success", text=text, images=images),))


@requirement("context.fit")
@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (UserMessage(text="abc", context="def"), 2),
        (UserMessage(text="abcd"), 2),
        (UserMessage(text="日本語"), 1),
        (AssistantTurn(reasoning="abc", text="def"), 2),
        (AssistantTurn(calls=(ToolCall(call_id="c", tool="abc", arguments={"ü": 1}),)), 4),
        (result("abc"), 1),
        (result("abc", 10), 601),
        (result("abc", 10, 1_000_000), 1_201),
    ],
)
def test_three_characters_are_a_token_and_a_photo_is_six_hundred_whatever_its_size(
    message: Message, tokens: int
) -> None:
    """google-gemini/gemini-cli#17923: pictures were counted as characters."""
    assert tokens_of(message) == tokens
    assert estimate((message, message)) == 2 * tokens


@requirement("context.fit")
def test_the_first_turn_reveals_what_instructions_and_tools_cost() -> None:
    costs = Costs()
    assert (costs.measured("m"), costs.fixed("m")) == (None, UNKNOWN_FIXED)
    costs.learn("m", 0, 100)
    assert costs.measured("m") is None
    costs.learn("m", 2_500, 100)
    costs.learn("m", 9_000, 200)
    assert (costs.measured("m"), costs.fixed("m")) == (2_400, 2_400)
    assert costs.fixed("another model, or other tools") == UNKNOWN_FIXED


@requirement("context.fit")
def test_a_fixed_cost_is_never_below_nothing() -> None:
    costs = Costs()
    costs.learn("m", 100, 4_000)
    assert costs.measured("m") == 0
