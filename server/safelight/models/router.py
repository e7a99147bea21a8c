"""Chooses how a small model answers, by the model's own likelihoods.

A small model that writes its answer freely copies the examples' commonest call, whatever was asked. Asked the other
way round it knows better: for each way to answer (``Pattern``) a fixed text names its meaning and some messages, and
the way under which the model finds the person's message most likely wins. No code looks at the message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from safelight.models.local_examples import PATTERNS, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.conversation.parts import ToolCall
    from safelight.engines.engine import LocalEngine
    from safelight.models.chat_model import ToolOffer

__all__ = ("Router", "narrowed")


class Router:
    """The ways to answer that fit the offered tools."""

    def __init__(self, tools: Sequence[ToolOffer]) -> None:
        offered = {tool.name for tool in tools}
        shown = {pattern.tool for pattern in PATTERNS}
        self._patterns = [pattern for pattern in PATTERNS if pattern.tool is None or pattern.tool in offered]
        self._patterns += [
            Pattern(tool=tool.name, meaning=tool.description, examples=()) for tool in tools if tool.name not in shown
        ]
        self._openings = tuple(_opening(pattern) for pattern in self._patterns)

    async def choose(self, engine: LocalEngine, message: str) -> Pattern:
        """The pattern under which the model finds ``message`` most likely."""
        scores = await engine.likelihoods(self._openings, message)
        return self._patterns[max(range(len(scores)), key=scores.__getitem__)]

    def of(self, call: ToolCall) -> Pattern | None:
        """The pattern that a call followed: the one with its arguments, or else the first with its tool."""
        same_tool = [pattern for pattern in self._patterns if pattern.tool == call.tool]
        exact = [pattern for pattern in same_tool if pattern.arguments == call.arguments.keys()]
        return next(iter(exact + same_tool), None)


def narrowed(arguments: dict[str, Any], pattern: Pattern) -> dict[str, Any]:
    """A tool's arguments, in normal form, with exactly the pattern's properties; unchanged where they do not fit."""
    if not pattern.examples:
        return arguments
    for branch in cast("list[dict[str, Any]]", arguments.get("anyOf", [arguments])):
        properties: dict[str, Any] = branch.get("properties", {})
        wanted = pattern.arguments
        if wanted <= properties.keys() and wanted.issuperset(branch.get("required", [])):
            kept = {name: schema for name, schema in properties.items() if name in wanted}
            return {**branch, "properties": kept, "required": list(kept)}
    return arguments


def _opening(pattern: Pattern) -> str:
    lines = [f"Messages that mean: {pattern.meaning}", *(f"- {example.message}" for example in pattern.examples)]
    return "\n".join(lines) + "\n-"
