"""Standard input and output as lines of JSON, and as nothing else: what strays to standard output goes to standard
error."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from typing import Self

__all__ = ("LONGEST_LINE", "Wire")

LONGEST_LINE: Final = 8 << 20
"""Bytes of one message from the agent; what /mcp takes."""

_CHUNK: Final = 1 << 16


class Wire:
    """The agent's end of the two pipes. File descriptors, since buffers and text layers differ between systems."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        self._turn = asyncio.Lock()

    @classmethod
    def claimed(cls) -> Self:
        """The standard input and output of this program, from here to its end."""
        sys.stdout.flush()
        writing = os.dup(1)
        os.dup2(2, 1)
        return cls(0, writing)

    async def put(self, message: bytes) -> None:
        """Write one message. Raises ``OSError`` when the agent has gone."""
        async with self._turn:
            await asyncio.to_thread(_write_all, self._writing, message + b"\n")

    async def lines(self) -> AsyncGenerator[bytes]:
        """The agent's lines without their ends, until it closes the pipe; empty ones are left out. A line that is too
        long comes in pieces, which are no JSON."""
        chunks: asyncio.Queue[bytes] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def read() -> None:
            chunk = b"\n"
            while chunk:
                try:
                    chunk = os.read(self._reading, _CHUNK)
                except OSError:
                    chunk = b""
                if loop.is_closed():
                    return
                loop.call_soon_threadsafe(chunks.put_nowait, chunk)

        # No event loop of Windows reads such a pipe. A daemon, since nothing can end a read that waits.
        threading.Thread(target=read, name="standard input", daemon=True).start()
        rest = bytearray()
        while chunk := await chunks.get():
            rest += chunk
            if b"\n" in chunk:
                *whole, last = rest.split(b"\n")
                rest = last
                for line in whole:
                    if stripped := bytes(line).strip():
                        yield stripped
            if len(rest) > LONGEST_LINE:
                yield bytes(rest)
                rest.clear()
        if stripped := bytes(rest).strip():
            yield stripped


def _write_all(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
