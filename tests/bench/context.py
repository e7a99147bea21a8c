"""A long conversation made ready for the model's next turn: repaired, its pictures chosen, and fitted."""

from __future__ import annotations

import statistics
import time
from typing import Final

from safelight.conversation.fit import GivenUp, fit
from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.conversation.photos import keep_newest
from safelight.conversation.repair import repair
from tests.bench.measured import Measured, measured

__all__ = ("measure",)

EXCHANGES: Final = 500
REPEATS: Final = 25
ROOM: Final = 50_000


def measure() -> list[Measured]:
    """The turn that has to give up most of it, and a later one."""
    history = _conversation()
    assert len(history) == 2_000
    first: list[float] = []
    later: list[float] = []
    for _ in range(REPEATS):
        took, given_up = _ready(history, GivenUp())
        first.append(took)
        took, again = _ready(history, given_up)
        later.append(took)
        assert again == given_up
        assert given_up.messages == 0 < given_up.results
    name = "context: 2,000 messages repaired and fitted"
    return [
        measured(f"{name}, giving up results", statistics.median(first) * 1e3, "ms", target=5),
        measured(f"{name}, as before", statistics.median(later) * 1e3, "ms", target=5),
    ]


def _ready(history: History, given_up: GivenUp) -> tuple[float, GivenUp]:
    began = time.perf_counter()
    shown, _ = keep_newest(repair(history), 2)
    fitted = fit(shown, ROOM, given_up)
    return time.perf_counter() - began, fitted.given_up


def _conversation() -> History:
    messages: list[UserMessage | AssistantTurn | ToolResults] = []
    for number in range(EXCHANGES):
        call = ToolCall(call_id=f"call_{number}", tool="search_photos", arguments={"text": "boats", "rating_min": 3})
        result = ToolResult(call_id=call.call_id, tool=call.tool, outcome="success", text='{"set_id":"k7xm"}' * 100)
        messages += (
            UserMessage(text="Find the boats with three stars or more", context="Today is Monday, 2026-11-30."),
            AssistantTurn(reasoning="The person wants boats, so I look for them.", calls=(call,)),
            ToolResults(results=(result,)),
            AssistantTurn(text="I found 120 photos of boats."),
        )
    return tuple(messages)
