"""The newest commands and what they came to. Never what they said: no arguments, no answers, no texts of photos."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from safelight.bridge.delivery import Kind
from safelight.errors import BridgeError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ("KEPT_COMMANDS", "Trace", "TracedCommand")

KEPT_COMMANDS: Final = 256
PHOTO_LISTS: Final = ("photo_ids", "changes")
"""Arguments that name a photo in each item; the only thing that a trace tells of them is how many."""


class TracedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that has ended."""

    at: float
    """When it was asked for, in POSIX seconds."""
    name: str
    kind: Kind
    outcome: str
    """``ok``, the code of its error, or ``cancelled`` when nobody waited any longer."""
    queued_ms: float
    """Until a poll took it, or until it ended when none did."""
    running_ms: float
    """From there to its end: both ways on the wire and Lightroom's own time."""
    photos: int


class Trace:
    """Bounded; the oldest goes first. ``clock`` gives steady seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._ended: deque[TracedCommand] = deque(maxlen=KEPT_COMMANDS)
        self._taken_at: dict[str, float | None] = {}

    @contextmanager
    def follow(self, command_id: str, name: str, kind: Kind, arguments: dict[str, Any]) -> Generator[None]:
        """Note the command that runs in the block when it ends, in whatever way."""
        at, asked = time.time(), self._clock()
        self._taken_at[command_id] = None
        outcome = "failed"
        try:
            yield
            outcome = "ok"
        except BridgeError as error:
            outcome = error.tool_code
            raise
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        finally:
            ended = self._clock()
            taken = self._taken_at.pop(command_id) or ended
            self._ended.append(
                TracedCommand(
                    at=at,
                    name=name,
                    kind=kind,
                    outcome=outcome,
                    queued_ms=_milliseconds(taken - asked),
                    running_ms=_milliseconds(ended - taken),
                    photos=_photos(arguments),
                )
            )

    def taken(self, command_id: str) -> None:
        """A poll has taken it; only the first time counts."""
        if self._taken_at.get(command_id, 0.0) is None:
            self._taken_at[command_id] = self._clock()

    def newest(self) -> tuple[TracedCommand, ...]:
        """Newest first."""
        return tuple(reversed(self._ended))


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)


def _photos(arguments: dict[str, Any]) -> int:
    for name in PHOTO_LISTS:
        if isinstance(items := arguments.get(name), list):
            return len(cast("list[Any]", items))
    return int("photo_id" in arguments)
