"""Finds out what a message means by the model's own likelihoods.

A small model that writes its answer freely copies the examples' commonest call, whatever was asked. Asked the other
way round it knows better: for each way of a question (``ways``, ``filters``, ``values``) a fixed text names its meaning
and some messages, and the way under which the model finds the person's message most likely wins. No code looks at the
message. A question is asked where its answer is needed, since each costs time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.models.filters import FILTERS
from safelight.models.local_examples import PATTERNS
from safelight.models.steps import Plan
from safelight.models.values import VALUES
from safelight.models.ways import ACTS, TARGETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.engines.engine import LocalEngine
    from safelight.models.chat_model import ToolOffer
    from safelight.models.local_examples import Pattern
    from safelight.models.ways import Way

__all__ = ("Router",)

_KEPT: Final = 64
_NUMBERS: Final = frozenset({"stars", "fewest_stars"})


class Router:
    """The ways that fit the offered tools. What was answered for a message is kept, so that what follows a result is
    chosen by the same scores."""

    def __init__(self, tools: Sequence[ToolOffer]) -> None:
        offered = {tool.name for tool in tools}
        self._acts = [act for act in ACTS if all(_is_offered(name, offered) for name in act.steps or ("text",))]
        self._targets = [one for one in TARGETS if "search_photos" in offered or one.name != "described"]
        self._answers: dict[tuple[str, str], Way] = {}
        self.can_call = any(PATTERNS[name].tool for act in self._acts for name in act.steps or ("text",))

    async def plan(self, engine: LocalEngine, message: str) -> Plan:
        """What ``message`` most likely means."""
        act = await self._meant(engine, "act", self._acts, message)
        target = await self._meant(engine, "target", self._targets, message) if act.on_photos else None
        plan = Plan(act, target.name if target else None, None)
        if not plan.searches:
            return plan
        chosen = await self._meant(engine, "filter", FILTERS, message)
        return Plan(act, plan.target, chosen.name)

    async def values(self, engine: LocalEngine, pattern: Pattern, message: str) -> dict[str, Any]:
        """The arguments of a call that the message says with one of few values."""
        values: dict[str, Any] = {}
        for name, question in pattern.valued.items():
            chosen = await self._value(engine, question, message)
            values[name] = int(chosen.name) if question in _NUMBERS else chosen.name
        return values | pattern.constant

    async def language(self, engine: LocalEngine, message: str) -> int:
        """Which of a pattern's replies is in the message's language."""
        return VALUES["language"].index(await self._value(engine, "language", message))

    async def warm(self, engine: LocalEngine) -> None:
        """Reads all that messages are compared with, so that the first one need not wait for it."""
        for ways in (self._acts, self._targets, FILTERS, *VALUES.values()):
            await engine.likelihoods(tuple(way.opening for way in ways), "Hello")

    async def _meant(self, engine: LocalEngine, question: str, ways: Sequence[Way], message: str) -> Way:
        """The first word counts half: it tells how the listed messages begin as much as what they mean."""
        if (known := self._answers.get((question, message))) is not None:
            return known
        openings = tuple(way.opening for way in ways)
        scores = await engine.likelihoods(openings, _line(message))
        first, _, rest = message.strip().partition(" ")
        if rest:
            begun = await engine.likelihoods(openings, first)
            scores = tuple(whole - part / 2 for whole, part in zip(scores, begun, strict=True))
        return self._keep(question, message, ways, scores)

    async def _value(self, engine: LocalEngine, question: str, message: str) -> Way:
        """The messages listed for each value begin alike."""
        if (known := self._answers.get((question, message))) is not None:
            return known
        ways = VALUES[question]
        scores = await engine.likelihoods(tuple(way.opening for way in ways), _line(message))
        return self._keep(question, message, ways, scores)

    def _keep(self, question: str, message: str, ways: Sequence[Way], scores: Sequence[float]) -> Way:
        best = max(range(len(scores)), key=lambda at: scores[at] + ways[at].odds)
        answer = self._answers[question, message] = ways[best]
        while len(self._answers) > _KEPT:
            del self._answers[next(iter(self._answers))]
        return answer


def _line(message: str) -> str:
    """The message as one of the listed ones. Its end is scored too: others would go on with a second condition."""
    return " ".join(message.split()) + "\n"


def _is_offered(pattern: str, offered: set[str]) -> bool:
    tool = PATTERNS[pattern].tool
    return tool is None or tool in offered
