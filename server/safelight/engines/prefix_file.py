"""A file with the state of what a model has read: written whole or not at all, and checked before it is used."""

from __future__ import annotations

import os
import struct
import tempfile
import zlib
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Final

from safelight.errors import SafelightError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ("PART", "UnusablePrefix", "prefix_size", "read_prefix", "write_prefix")

PART: Final = ".part"
"""How the name of a file that is being written ends."""

_MAGIC: Final = b"SLPREFIX"
_VERSION: Final = 1
_HEADER: Final = struct.Struct("<8sII32sQI")
"""Magic, version, number of tokens, key, length of the state, CRC-32 of tokens and state."""

_PIECE: Final = 1 << 20
"""Bytes written in one go; in between, it is asked whether to go on."""


class UnusablePrefix(SafelightError):
    """The file is damaged, cut off, of another form or of another prompt."""


def prefix_size(tokens: Sequence[int], state: memoryview) -> int:
    """The bytes of the file."""
    return _HEADER.size + array("i", tokens).itemsize * len(tokens) + state.nbytes


def write_prefix(
    path: Path, key: bytes, tokens: Sequence[int], state: memoryview, keep_going: Callable[[], bool]
) -> bool:
    """Writes the file beside ``path`` and moves it there; only its owner may read it. False, and nothing is there, when
    ``keep_going`` ended it. Raises ``OSError``."""
    body = array("i", tokens).tobytes()
    check = zlib.crc32(state, zlib.crc32(body))
    header = _HEADER.pack(_MAGIC, _VERSION, len(tokens), key, state.nbytes, check)
    # mkstemp makes a file that only its owner may read.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=PART)
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(header + body)
            for first in range(0, state.nbytes, _PIECE):
                if not keep_going():
                    return False
                file.write(state[first : first + _PIECE])
        part.replace(path)
        return True
    finally:
        part.unlink(missing_ok=True)


def read_prefix(path: Path, key: bytes, tokens: Sequence[int]) -> bytes:
    """The state of exactly these tokens. Raises ``UnusablePrefix``, and ``OSError`` where there is no file."""
    with path.open("rb") as file:
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            raise UnusablePrefix("it is cut off")
        magic, version, count, found, length, check = _HEADER.unpack(header)
        if magic != _MAGIC or version != _VERSION:
            raise UnusablePrefix("it is of another form")
        body = array("i", tokens).tobytes()
        if found != key or count != len(tokens) or file.read(len(body)) != body:
            raise UnusablePrefix("it is of another prompt")
        if os.fstat(file.fileno()).st_size != _HEADER.size + len(body) + length:
            raise UnusablePrefix("its length is wrong")
        state = file.read(length)
    if zlib.crc32(state, zlib.crc32(body)) != check:
        raise UnusablePrefix("it is damaged")
    return state
