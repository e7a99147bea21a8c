"""Fits a history to a model's window: first old results give up what they hold, then the oldest exchanges go (pure).

An exchange is a message of the person with all that follows it up to the next. In a repaired history every cut between
two exchanges lies between complete tool loops.
"""

from __future__ import annotations

from typing import Final

import msgspec

from safelight.conversation.estimate import tokens_of
from safelight.conversation.parts import History, Message, ToolResult, ToolResults, UserMessage

__all__ = ("GIVEN_UP", "LEFT_OUT", "Fitted", "GivenUp", "fit", "last_exchange")

GIVEN_UP: Final = "(This result was taken out to save room. Call the tool again if you need it.)"
LEFT_OUT: Final = "(The earlier part of this conversation was left out to save room.)"

_NOTE: Final = UserMessage(text=LEFT_OUT)
_LOW_WATER: Final = 0.75
"""So much of the room is left filled, so that the next turns need not cut again and their prefix stays the same."""

_ENOUGH: Final = 0.9
"""Where emptied results leave more of the room filled than this, exchanges go as well: too soon it would be full."""


class GivenUp(msgspec.Struct, frozen=True):
    """What a conversation has given up for good, as places in its repaired history: the results before ``results`` are
    emptied, the messages before ``messages`` are left out."""

    results: int = 0
    messages: int = 0


class Fitted(msgspec.Struct, frozen=True):
    """A history as it is sent, its estimated tokens, and what it has given up by now."""

    history: History
    tokens: int
    given_up: GivenUp


def fit(history: History, room: int, given_up: GivenUp) -> Fitted:
    """The repaired history in ``room`` tokens, if that is possible without touching the last exchange. What was given
    up stays so; when more must go, it goes down to a low-water mark. Time is linear in the length."""
    gone = given_up.messages
    front = [_emptied(message) for message in history[gone : given_up.results]]
    costs = list(map(tokens_of, (*front, *history[gone + len(front) :])))
    total = sum(costs) + (tokens_of(_NOTE) if gone else 0)
    cut = 0
    if total > room:
        last = last_exchange(history) - gone
        low = int(room * _LOW_WATER)
        while total > low and len(front) < last:
            place = len(front)
            whole = history[gone + place]
            front.append(emptied := _emptied(whole))
            if emptied is not whole:
                total -= costs[place]
                costs[place] = tokens_of(emptied)
                total += costs[place]
        if total > room * _ENOUGH and last > 0:
            total += 0 if gone else tokens_of(_NOTE)
            while total > low and cut < last:
                beyond = _next_exchange(history, gone + cut) - gone
                total -= sum(costs[cut:beyond])
                cut = beyond
    kept = (*front[cut:], *history[gone + len(front) :])
    if gone + cut:
        kept = (_NOTE, *kept)
    return Fitted(kept, total, GivenUp(results=gone + len(front), messages=gone + cut))


def last_exchange(history: History) -> int:
    """The place of the last message of the person; 0 where there is none."""
    for place in range(len(history) - 1, -1, -1):
        if isinstance(history[place], UserMessage):
            return place
    return 0


def _next_exchange(history: History, place: int) -> int:
    place += 1
    while place < len(history) and not isinstance(history[place], UserMessage):
        place += 1
    return place


def _emptied(message: Message) -> Message:
    if not isinstance(message, ToolResults):
        return message
    emptied = tuple([_without_content(result) for result in message.results])
    return message if emptied == message.results else ToolResults(results=emptied)


def _without_content(result: ToolResult) -> ToolResult:
    if not result.images and len(result.text) <= len(GIVEN_UP):
        return result
    return ToolResult(call_id=result.call_id, tool=result.tool, outcome=result.outcome, text=GIVEN_UP)
