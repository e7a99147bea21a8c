"""What a picture's file says of itself, read before any decoder sees it (pure)."""

from __future__ import annotations

import struct
from typing import Final

__all__ = ("picture_size", "usable_picture")

_MOST_BYTES: Final = 16_000_000
_MOST_PIXELS: Final = 50_000_000
_MOST_SLENDER: Final = 30
"""How many times longer than wide. Vision models cut a picture into squares, and need at least one each way."""

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The JPEG markers that a frame's size follows."""

_BARE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""The JPEG markers that nothing follows."""


def usable_picture(data: bytes) -> bool:
    """Whether ``data`` looks like a whole JPEG or PNG file of reasonable size and proportions. Decoding may still
    fail."""
    size = picture_size(data) if len(data) <= _MOST_BYTES else None
    if size is None or not _is_whole(data):
        return False
    short, long = sorted(size)
    return short > 0 and short * long <= _MOST_PIXELS and long <= short * _MOST_SLENDER


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None for what is neither JPEG nor PNG, or cut off before it says so."""
    if data.startswith(_PNG):
        if len(data) < 24 or data[12:16] != b"IHDR":
            return None
        width, height = struct.unpack_from(">II", data, 16)
        return width, height
    frame = _jpeg_frame(data)
    if frame is None:
        return None
    height, width = struct.unpack_from(">HH", data, frame + 5)
    return width, height


def _is_whole(data: bytes) -> bool:
    """Whether a file that says its size has an end too: decoders make up what a JPEG lacks."""
    frame = _jpeg_frame(data)
    if frame is None:
        return b"IEND" in data[-16:]
    return -1 < data.find(b"\xff\xda", frame) < data.rfind(b"\xff\xd9")


def _jpeg_frame(data: bytes) -> int | None:
    """Where the marker stands that a JPEG file's size follows."""
    if not data.startswith(_JPEG):
        return None
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if marker in _FRAMES:
            return place
        if marker == 0xFF:  # a byte that only fills
            place += 1
        elif marker in _BARE:
            place += 2
        else:
            (length,) = struct.unpack_from(">H", data, place + 2)
            place += 2 + max(length, 2)
    return None
