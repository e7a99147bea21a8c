"""Whether a process that ended by itself is started again yet."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from safelight.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ("Restarts", "restarts_of")

_AT_ONCE: Final = 1
"""So many crashes in a row are forgiven without a pause."""

_FIRST_PAUSE: Final = 5.0
_LONGEST_PAUSE: Final = 300.0


class Restarts:
    """Counts crashes in a row. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._crashes = 0
        self._last = 0.0

    def crashed(self) -> None:
        """Notes that the process ended by itself."""
        self._crashes += 1
        self._last = self._clock()

    def answered(self) -> None:
        """Notes that the process did its work."""
        self._crashes = 0

    def check(self) -> None:
        """Raises ``ModelError`` while a pause lasts."""
        if self._crashes <= _AT_ONCE:
            return
        pause = min(_FIRST_PAUSE * 2 ** (self._crashes - _AT_ONCE - 1), _LONGEST_PAUSE)
        left = self._last + pause - self._clock()
        if left > 0:
            raise ModelError(
                f"The MLX process has ended by itself {self._crashes} times in a row. It can be started again in "
                f"{math.ceil(left)} seconds; if it goes on like this, choose another model."
            )


_by_folder: Final[dict[Path, Restarts]] = {}


def restarts_of(folder: Path) -> Restarts:
    """The crashes of the model in ``folder``. They outlive its engine, which a failure ends too."""
    return _by_folder.setdefault(folder, Restarts())
