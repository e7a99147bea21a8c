"""Pauses between tries."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ("FIRST_PAUSE_S", "LONGEST_PAUSE_S", "Backoff")

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 10.0


class Backoff:
    """Pauses that double from 0.5 to 10 seconds, each shortened by chance by up to half, until something went well."""

    def __init__(self, chance: Callable[[], float] | None = None) -> None:
        self._chance = chance or random.SystemRandom().random
        self._failures = 0

    def went_well(self) -> None:
        self._failures = 0

    def next_pause(self) -> float:
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** min(self._failures, 10))
        self._failures += 1
        return pause * (1.0 - 0.5 * self._chance())
