"""Who answers a question: the person at the terminal, or an option given beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from safelight_client import Decision, models

if TYPE_CHECKING:
    from collections.abc import Collection

    from safelight.cli.terminal import Keyboard, Terminal

__all__ = (
    "Answer",
    "AnswersAll",
    "AsksPerson",
    "Answerer",
    "NOBODY",
    "SAID_NO",
    "SAID_YES",
    "decision_for",
    "offered_for",
)

MOST_TRIES: Final = 5

_LETTERS: Final[dict[str, Decision]] = {"o": "once", "c": "chat", "a": "always", "d": "deny"}
_CHOICES: Final[dict[Decision, str]] = {
    "once": "[o]nce",
    "chat": "in this [c]hat",
    "always": "[a]lways",
    "deny": "[d]on't",
}


class Answer(msgspec.Struct, frozen=True):
    """A decision, with what the model should know about a denial."""

    decision: Decision
    note: str | None = None


SAID_YES: Final = Answer("once")
SAID_NO: Final = Answer("deny", "The user started this chat with --no: every question is answered with no.")
NOBODY: Final = Answer("deny", "Nobody could be asked: this chat has no terminal. The user has not seen the call.")


class Answerer(Protocol):
    """Answers questions, one at a time."""

    async def answer(self, asked: models.ApprovalNeededEvent) -> Answer: ...


class AnswersAll:
    """Gives every question the same answer."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    async def answer(self, asked: models.ApprovalNeededEvent) -> Answer:
        del asked
        return self._answer


class AsksPerson:
    """Asks at the terminal. An end of input, or nothing understandable in five tries, is a no."""

    def __init__(self, terminal: Terminal, keyboard: Keyboard) -> None:
        self._terminal = terminal
        self._keyboard = keyboard

    async def answer(self, asked: models.ApprovalNeededEvent) -> Answer:
        offered = offered_for(asked)
        choices = ", ".join(_CHOICES[decision] for decision in _CHOICES if decision in offered)
        for _ in range(MOST_TRIES):
            self._terminal.prompt(f"Allow it? {choices}: ")
            line = await self._keyboard.line()
            if line is None:
                self._terminal.line("")
                return NOBODY
            decision = decision_for(line, offered)
            if decision == "deny":
                return Answer("deny", await self._note())
            if decision is not None:
                return Answer(decision)
        return Answer("deny", "The user did not answer clearly.")

    async def _note(self) -> str | None:
        self._terminal.prompt("What should the model know? (Enter for nothing) ")
        note = (await self._keyboard.line() or "").strip()
        return note[:2000] or None


def offered_for(asked: models.ApprovalNeededEvent) -> list[Decision]:
    """The answers that a question takes. Logs of before do not say: then all, but for always where many photos ask."""
    if asked.decisions is not msgspec.UNSET:
        return asked.decisions
    return [decision for decision in _CHOICES if decision != "always" or asked.reason.kind != "bulk"]


def decision_for(typed: str, offered: Collection[Decision]) -> Decision | None:
    """The decision that a typed word stands for; none for anything unclear, and for one that is not offered.

    An empty line is unclear: Enter alone allows nothing.
    """
    word = typed.strip().lower()
    for letter, decision in _LETTERS.items():
        if word in {letter, decision} and decision in offered:
            return decision
    return "deny" if word in {"don't", "dont", "no", "n"} else None
