"""A service with a simulated Lightroom for the length of one command."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

import msgspec

from safelight.errors import StartRefused

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

__all__ = ("DemoReady", "demo_service")

PROGRAM: Final = (sys.executable, "-m", "safelight")

END_S: Final = 5.0
"""How long the service may take to end by itself."""


class DemoReady(msgspec.Struct, frozen=True):
    """The ready line of ``safelight demo``."""

    url: str
    agent_token_file: str


@contextmanager
def demo_service(options: Sequence[str], *, ready_s: float = 120.0) -> Generator[DemoReady]:
    """Run ``safelight demo`` on a free port in a temporary data folder; both are gone afterwards, whatever happens.

    Raises:
        StartRefused: it did not become ready; the message holds what it said last.
    """
    with tempfile.TemporaryDirectory(prefix="safelight-", ignore_cleanup_errors=True) as folder:
        data_dir = Path(folder, "data")
        data_dir.mkdir(mode=0o700)
        log = Path(folder, "demo.log")
        command = [*PROGRAM, "demo", "--port", "0", "--data-dir", str(data_dir), *options]
        with log.open("wb") as stderr:
            # A group of its own: Ctrl-C in the terminal must reach the chat alone, which stops the run first.
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=stderr,
                start_new_session=sys.platform != "win32",
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
            stdout = _Stdout(process)
            try:
                yield _ready(stdout, log, ready_s)
            finally:
                _end(process)
                stdout.join(END_S)


class _Stdout(threading.Thread):
    """Takes the first line of a program's standard output, and everything behind it, so that it never stands still."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        super().__init__(name="demo-stdout", daemon=True)
        self._process = process
        self._first: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.start()

    def first_line(self, timeout_s: float) -> bytes | None:
        """The line; empty when the program ended without one, none when the time is up."""
        with suppress(queue.Empty):
            return self._first.get(timeout=timeout_s)
        return None

    def run(self) -> None:
        with cast("IO[bytes]", self._process.stdout) as stdout:
            self._first.put(stdout.readline())
            for _ in stdout:
                pass


def _ready(stdout: _Stdout, log: Path, ready_s: float) -> DemoReady:
    line = stdout.first_line(ready_s)
    try:
        return msgspec.json.decode(line or b"", type=DemoReady)
    except (msgspec.DecodeError, UnicodeDecodeError):
        said = "; ".join(log.read_text(encoding="utf-8", errors="replace").split("\n")[-6:]).strip("; ")
        late = f"was not ready after {ready_s:g} seconds" if line is None else "did not start"
        raise StartRefused(f"The demonstration {late}. {said or 'It said nothing.'}") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        if sys.platform == "win32":
            process.kill()
        else:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
