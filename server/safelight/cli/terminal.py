"""The terminal: the answer on standard output, what is said about it on standard error, and what the person types."""

from __future__ import annotations

import asyncio
import sys
import threading
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Literal, TextIO, TypeAlias

from safelight.cli.words import safe

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ("Keyboard", "Terminal", "shows_dim")

_Voice: TypeAlias = Literal["answer", "thinking"]


def shows_dim(*, is_tty: bool, environ: Mapping[str, str], platform: str) -> bool:
    """Whether text may be written dim: on a terminal that knows how, unless the person wants no colours."""
    if not is_tty or environ.get("NO_COLOR") or environ.get("TERM") == "dumb":
        return False
    return platform != "win32" or any(name in environ for name in ("WT_SESSION", "TERM", "ANSICON"))


class Terminal:
    """Keeps streamed text and lines apart, whichever of the two streams they go to."""

    def __init__(self, out: TextIO, err: TextIO, *, dim: bool) -> None:
        self._out = out
        self._err = err
        self._dim = dim
        self._open: _Voice | None = None
        for stream in (out, err):
            # A console that lacks a letter shows another one; it does not end the chat.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    def answer(self, text: str) -> None:
        """Streamed text of the answer."""
        self._stream("answer", self._out, safe(text))

    def thinking(self, text: str) -> None:
        """Streamed reasoning."""
        begins = "" if self._open == "thinking" else "Thinking: "
        shown = f"{begins}{safe(text)}"
        self._stream("thinking", self._err, f"\x1b[2m{shown}\x1b[22m" if self._dim else shown)

    def line(self, text: str) -> None:
        """A whole line about the chat. The caller has made foreign text in it safe."""
        self.close_line()
        self._err.write(f"{text}\n")
        self._err.flush()

    def prompt(self, text: str) -> None:
        """A line that waits for what the person types."""
        self.close_line()
        self._err.write(text)
        self._err.flush()

    def close_line(self) -> None:
        """End the line that is being streamed, if any."""
        if self._open is not None:
            stream = self._out if self._open == "answer" else self._err
            stream.write("\n")
            stream.flush()
            self._open = None

    def _stream(self, voice: _Voice, stream: TextIO, text: str) -> None:
        if not text:
            return
        if self._open not in {None, voice}:
            self.close_line()
        stream.write(text)
        stream.flush()
        self._open = voice


class Keyboard:
    """Lines that the person types. Waiting for one can be cancelled; what was typed meanwhile is thrown away.

    The reading thread is a daemon with a file object of its own: a thread that is blocked in ``sys.stdin`` would hold
    up, or break, the end of the program.
    """

    def __init__(self, stdin: TextIO | None = None) -> None:
        self._stdin = stdin or sys.stdin
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._ended = False
        self._started = False

    async def line(self) -> str | None:
        """The next line typed from now on, without its end; none when there will be no more."""
        if not self._started:
            self._started = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="keyboard", daemon=True).start()
        while not self._lines.empty():
            self._ended = self._lines.get_nowait() is None or self._ended
        if self._ended:
            return None
        line = await self._lines.get()
        self._ended = line is None
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # The loop is closed when the chat is over; then nobody waits for the line.
        with suppress(RuntimeError):
            # A terminal that is closed gives an error instead of an end.
            with suppress(OSError, ValueError), self._own_stream() as stream:
                for line in iter(stream.readline, ""):
                    loop.call_soon_threadsafe(self._lines.put_nowait, line.rstrip("\r\n"))
            loop.call_soon_threadsafe(self._lines.put_nowait, None)

    def _own_stream(self) -> IO[str]:
        return open(self._stdin.fileno(), encoding=self._stdin.encoding, errors="replace", closefd=False)  # noqa: PTH123
