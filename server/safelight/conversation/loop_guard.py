"""Sees a model that goes round in circles within one message, and tells it what it tried (pure)."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from safelight.conversation.normal_form import canonical, digest_of, normalised
from safelight.conversation.parts import Outcome, ToolCall, ToolResult

__all__ = ("LoopGuard", "Tried")

_SHOWN_ARGUMENTS: Final = 200
_SHOWN_END: Final = 200
_SHOWN_CIRCLE: Final = 5


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """A call that was made for this message. ``outcome`` is None while it has no result."""

    key: str
    tool: str
    arguments: str
    """As the model reads them again, shortened."""
    outcome: Outcome | None = None
    ended: str = ""
    """The beginning of what it came to, where that was no success."""


class LoopGuard(msgspec.Struct, frozen=True):
    """The calls made for one message, oldest first, by tool and arguments in normal form. An identical call is refused,
    whether the first one succeeded or not; so A, B, A, B ends at the second A."""

    tried: tuple[Tried, ...] = ()

    def seen(self, tool: str, arguments: dict[str, Any]) -> bool:
        """Whether this very call was made for this message before."""
        key = _key(tool, arguments)
        return any(tried.key == key for tried in self.tried)

    def with_call(self, tool: str, arguments: dict[str, Any]) -> LoopGuard:
        """The guard that also knows this call."""
        return LoopGuard(
            (*self.tried, Tried(key=_key(tool, arguments), tool=tool, arguments=_shortened(arguments))),
        )

    def with_result(self, call: ToolCall, result: ToolResult) -> LoopGuard:
        """The guard that also knows how a call ended that it knows of."""
        key = _key(call.tool, call.arguments)
        ended = "" if result.outcome == "success" else _cut(result.text, _SHOWN_END)
        return LoopGuard(
            tuple(
                msgspec.structs.replace(tried, outcome=result.outcome, ended=ended) if tried.key == key else tried
                for tried in self.tried
            )
        )

    def refusal(self, tool: str, arguments: dict[str, Any]) -> str:
        """What the model reads in place of the result of a call that was ``seen``: what was tried, how that ended, and
        what to do instead."""
        key = _key(tool, arguments)
        place = next(place for place, tried in enumerate(self.tried) if tried.key == key)
        tried = self.tried[place]
        since = [later.tool for later in self.tried[place + 1 :]]
        said = [f"You called {tool} with {tried.arguments} for this message already. {_how_it_ended(tried)}"]
        if since and tried.outcome is not None:
            said.append(f"After it you called {', '.join(since[-_SHOWN_CIRCLE:])}: you are going in circles.")
        said += ["It did not run again.", _instead(tried)]
        return " ".join(said)


def _key(tool: str, arguments: dict[str, Any]) -> str:
    return f"{tool} {digest_of(normalised(arguments))}"


def _shortened(arguments: dict[str, Any]) -> str:
    return _cut(canonical(arguments).decode(), _SHOWN_ARGUMENTS)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} ..."


def _how_it_ended(tried: Tried) -> str:
    match tried.outcome:
        case None:
            return "It stands in this same turn, and its result stands beside this one."
        case "success":
            return "It succeeded, and its result stands above."
        case "failed":
            return f"It failed: {tried.ended}"
        case "denied":
            return f"It was not allowed: {tried.ended}"
        case "interrupted" | "skipped":
            return f"It did not get through: {tried.ended}"


def _instead(tried: Tried) -> str:
    match tried.outcome:
        case None | "success":
            return "Use that result, call with other arguments, or answer the user."
        case "failed":
            return "Change what the error names, use another tool, or tell the user what went wrong."
        case "denied" | "interrupted" | "skipped":
            return "Do without it, and tell the user what was not done."
