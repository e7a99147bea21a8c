"""What the plug-in shows: dialogs, pages opened in the browser, lines of its log."""

from __future__ import annotations

from collections import deque
from typing import Literal

from msgspec import Struct

__all__ = ("Dialog", "Screen")

_KEPT = 1000


class Dialog(Struct, frozen=True):
    """``style`` is info, warning, critical, bezel or confirm."""

    style: str
    message: str
    info: str = ""

    @property
    def text(self) -> str:
        return f"{self.message} {self.info}".strip()


class Screen:
    """Records everything, bounded; answers questions with the ``answers`` given before, else with cancel."""

    def __init__(self) -> None:
        self.dialogs: deque[Dialog] = deque(maxlen=_KEPT)
        self.opened_urls: deque[str] = deque(maxlen=_KEPT)
        self.log: deque[tuple[str, str]] = deque(maxlen=_KEPT)
        self.answers: deque[Literal["ok", "cancel", "other"]] = deque()

    def show(self, style: str, message: str, info: str) -> None:
        self.dialogs.append(Dialog(style, message, info))

    def ask(self, message: str, info: str) -> str:
        self.dialogs.append(Dialog("confirm", message, info))
        return self.answers.popleft() if self.answers else "cancel"
