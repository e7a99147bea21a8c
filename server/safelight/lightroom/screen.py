"""What the plug-in shows: dialogs, bars of progress, pages opened in the browser, lines of its log."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from safelight.lightroom.lua_value import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.lightroom.panels import Panel

__all__ = ("Dialog", "Progress", "Screen")

_KEPT = 1000


class Dialog(Struct, frozen=True):
    """``style`` is info, warning, critical, bezel, confirm or modal; a modal one's ``info`` is all that it reads."""

    style: str
    message: str
    info: str = ""

    @property
    def text(self) -> str:
        return f"{self.message} {self.info}".strip()


class Progress:
    """One bar. ``portions`` is what it has shown, from 0 to 1; a person cancels it by setting ``is_canceled``."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.caption = ""
        self.portions: list[float] = []
        self.is_cancelable = False
        self.is_canceled = False
        self.is_done = False


class Screen:
    """Records everything, bounded. Questions are answered with the ``answers`` given before, modal dialogs by the
    ``visitors``, who get the open dialog; else with cancel.
    """

    REFUSABLE = ""
    PLAIN = (
        "dialog confirm open_url progress_start progress_portion progress_caption progress_cancelable "
        "progress_is_canceled progress_done"
    )

    def __init__(self) -> None:
        self.dialogs: deque[Dialog] = deque(maxlen=_KEPT)
        self.opened_urls: deque[str] = deque(maxlen=_KEPT)
        self.log: deque[tuple[str, str]] = deque(maxlen=_KEPT)
        self.answers: deque[Literal["ok", "cancel", "other"]] = deque()
        self.visitors: deque[Callable[[Panel], Literal["ok", "cancel"]]] = deque()
        self.progress: list[Progress] = []

    # --- dialogs and pages ---------------------------------------------------------------------------------------

    def dialog(self, style: bytes, message: bytes, info: bytes | None = None) -> None:
        self.dialogs.append(Dialog(text(style), text(message), "" if info is None else text(info)))

    def confirm(self, message: bytes, info: bytes | None = None) -> bytes:
        self.dialog(b"confirm", message, info)
        return (self.answers.popleft() if self.answers else "cancel").encode()

    def open_url(self, url: bytes) -> None:
        self.opened_urls.append(text(url))

    # --- progress ------------------------------------------------------------------------------------------------

    def progress_start(self, title: bytes) -> int:
        self.progress.append(Progress(text(title)))
        return len(self.progress) - 1

    def progress_portion(self, number: int, done: float, total: float | None = None) -> None:
        self.progress[number].portions.append(done / (total or 1))

    def progress_caption(self, number: int, caption: bytes) -> None:
        self.progress[number].caption = text(caption)

    def progress_cancelable(self, number: int, can: bool) -> None:  # noqa: FBT001 - called from Lua
        self.progress[number].is_cancelable = can

    def progress_is_canceled(self, number: int) -> bool:
        return self.progress[number].is_canceled

    def progress_done(self, number: int) -> None:
        self.progress[number].is_done = True
