"""What became of a message, as an exit status."""

from __future__ import annotations

from typing import Final

from safelight_client import StreamedEvent, models

__all__ = ("ANSWERED", "DENIED", "FAILED", "INTERRUPTED", "Outcome")

ANSWERED: Final = 0
FAILED: Final = 1
DENIED: Final = 3
INTERRUPTED: Final = 130

_NOT_RUN: Final = frozenset({"deny", "expired", "restarted", "model_changed"})


class Outcome:
    """Collects what a run's events say. A failure weighs more than a denial, a denial more than an answer."""

    def __init__(self) -> None:
        self._answered = False
        self._denied = False
        self._over = False
        self._failure: str | None = None

    def note(self, event: StreamedEvent) -> None:
        match event:
            case models.AssistantTurnEvent(text=text):
                self._answered = bool(text.strip())
            case models.ApprovalResolvedEvent(outcome=outcome) if outcome in _NOT_RUN:
                self._denied = True
            case models.ToolSkippedEvent(reason="not_allowed"):
                self._denied = True
            case models.ErrorEvent(message=message):
                self._failure = message
            case models.StoppedEvent(reason="restart"):
                self._failure = "The service was restarted; ask again."
            case models.StoppedEvent():
                self._failure = "The chat was stopped elsewhere."
            case models.BusyEvent(busy=busy):
                self._over = not busy
            case _:
                pass

    @property
    def failure(self) -> str | None:
        """Why there is no answer, in a sentence; none when there is one or a call was denied."""
        if self._failure is not None:
            return self._failure
        if not self._over:
            return "The chat was ended elsewhere."
        return None if self._denied or self._answered else "The model gave no answer."

    @property
    def exit_status(self) -> int:
        if self.failure is not None:
            return FAILED
        return DENIED if self._denied else ANSWERED
