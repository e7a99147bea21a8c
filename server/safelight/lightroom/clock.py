"""Time for the simulated Lightroom: the computer's, or one that a test moves by hand."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ("LIGHTROOM_EPOCH", "Clock", "ManualClock", "SystemClock")

LIGHTROOM_EPOCH = 978_307_200.0
"""2001-01-01 UTC in POSIX seconds: Lightroom counts from there."""


class Clock(Protocol):
    """``now`` in POSIX seconds; ``is_manual`` says whether it stands still until it is moved."""

    @property
    def is_manual(self) -> bool: ...

    def now(self) -> float: ...


class SystemClock:
    """The computer's clock; never goes back."""

    is_manual = False

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._offset


class ManualClock:
    """Stands still; moved only by the scheduler when a test lets time pass."""

    is_manual = True

    def __init__(self, start: float = 1_750_000_000.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def move_to(self, when: float) -> None:
        self._now = max(self._now, when)
