"""Thumbnails of the simulated Lightroom: rendered in a thread of their own, handed to Lua's callbacks, or withheld."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from safelight.lightroom.photo import Photo, PictureSource
    from safelight.lightroom.scheduler import Scheduler

__all__ = ("ThumbnailMode", "Thumbnails")

ThumbnailMode = Literal["ok", "twice", "error", "error first", "never"]
"""How requests are answered: once, twice, with an error, with an error and then the picture, or not at all. Lightroom
does all of these.
"""

_log = logging.getLogger(__name__)

_Finish = Callable[[Callable[[], None]], None]


class Thumbnails:
    """``deliver(number, jpeg, reason)`` calls back into Lua; it says whether the plug-in still held the request."""

    def __init__(self, scheduler: Scheduler, pictures: PictureSource) -> None:
        self._scheduler = scheduler
        self._pictures = pictures
        self._queue: SimpleQueue[tuple[int, Photo, int, _Finish] | None] = SimpleQueue()
        self._mode: ThumbnailMode = "ok"
        self._seconds = 0.0
        self.deliver: Callable[[int, bytes | None, bytes | None], bool] = lambda number, jpeg, reason: False
        self.dropped = 0
        threading.Thread(target=self._run, name="lightroom-thumbnails", daemon=True).start()

    def answer(self, mode: ThumbnailMode, seconds: float) -> None:
        """How requests are answered from now on, and how many seconds late."""
        self._mode, self._seconds = mode, seconds

    def request(self, number: int, photo: Photo, size: int) -> None:
        if self._mode in ("ok", "twice"):
            self._render(number, photo, size)
        elif self._mode == "error":
            self._scheduler.after(0, lambda: self._fail(number))
        elif self._mode == "error first":
            self._scheduler.after(0, lambda: self._fail_then_render(number, photo, size))

    def close(self) -> None:
        self._queue.put(None)

    def _render(self, number: int, photo: Photo, size: int) -> None:
        self._queue.put((number, photo, size, self._scheduler.outside()))

    def _fail(self, number: int) -> None:
        self._deliver(number, None, b"the preview could not be made")

    def _fail_then_render(self, number: int, photo: Photo, size: int) -> None:
        # Rendering begins only now: two ways to Lua at once could hand the picture over before the error.
        self._fail(number)
        self._render(number, photo, size)

    def _run(self) -> None:
        while (work := self._queue.get()) is not None:
            number, photo, size, finish = work
            jpeg: bytes | None = None
            reason: bytes | None = None
            try:
                jpeg = self._pictures.jpeg(photo, size)
            except Exception as error:  # noqa: BLE001 - becomes the reason that the plug-in is given
                _log.exception("no preview of %s", photo.path)
                reason = str(error).encode()
            finish(lambda number=number, jpeg=jpeg, reason=reason: self._arrived(number, jpeg, reason))

    def _arrived(self, number: int, jpeg: bytes | None, reason: bytes | None) -> None:
        if self._seconds:
            self._scheduler.after(self._seconds, lambda: self._deliver(number, jpeg, reason))
        else:
            self._deliver(number, jpeg, reason)

    def _deliver(self, number: int, jpeg: bytes | None, reason: bytes | None) -> None:
        for _ in range(2 if self._mode == "twice" else 1):
            if not self.deliver(number, jpeg, reason):
                self.dropped += 1
