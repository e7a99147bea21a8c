"""Server-sent events out of bytes, however the bytes are cut."""

from __future__ import annotations

from typing import Final

import msgspec

from safelight_client._errors import StreamBroken

__all__ = ("Frame", "SseParser")

MAX_FRAME_BYTES: Final = 32 * 1024 * 1024
"""A frame that is larger is refused, so that a wrong server costs bounded memory."""

_BOM: Final = b"\xef\xbb\xbf"


class Frame(msgspec.Struct, frozen=True):
    """One dispatched event. ``last_id`` is the newest id on the stream, this frame's or an earlier one's."""

    event: str
    data: bytes
    last_id: str


class SseParser:
    """Takes pieces of a stream and gives back the frames that they complete; what is unfinished at the end is lost.

    Lines end at CR, LF or CRLF and nowhere else: JSON may hold U+2028 and U+0085 as they are.
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._skip_lf = False
        self._first_line = True
        self._line_size = 0
        self._data: list[bytes] = []
        self._data_size = 0
        self._event = ""
        self._last_id = ""

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that end in this piece. Raises ``StreamBroken`` on a frame beyond all measure."""
        if self._skip_lf and chunk:
            self._skip_lf = False
            chunk = chunk.removeprefix(b"\n")
        if chunk.endswith(b"\r"):
            self._skip_lf = True
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        frames: list[Frame] = []
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._line.append(piece)
            line = b"".join(self._line)
            self._line.clear()
            self._take(line, frames)
            self._line_size = 0
        if rest:
            self._line.append(rest)
            self._line_size += len(rest)
        if self._line_size + self._data_size > MAX_FRAME_BYTES:
            raise StreamBroken("The event stream carries something that is too large to be an event.")
        return frames

    def _take(self, line: bytes, frames: list[Frame]) -> None:
        if self._first_line:
            self._first_line = False
            line = line.removeprefix(_BOM)
        if not line:
            if self._data:
                frames.append(Frame(self._event or "message", b"\n".join(self._data), self._last_id))
                self._data = []
                self._data_size = 0
            self._event = ""
            return
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
            self._data_size += len(value) + 1
        elif name == b"event":
            self._event = value.decode(errors="replace")
        elif name == b"id" and b"\0" not in value:
            self._last_id = value.decode(errors="replace")
