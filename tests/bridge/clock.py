"""Time that stands still until a test moves it."""

from __future__ import annotations

__all__ = ("Clock",)


class Clock:
    """Seconds; call it to read them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
