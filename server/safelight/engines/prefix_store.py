"""The folder of states that begin every prompt, so that neither a new chat nor a restart reads them anew."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import queue
import threading
import time
from array import array
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.engines.prefix_file import PART, UnusablePrefix, prefix_size, read_prefix, write_prefix

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ("PrefixStore",)

_ENDING: Final = ".prefix"
_CLOSING_S: Final = 2.0
_LEFT_OVER_S: Final = 3_600.0

_log = logging.getLogger(__name__)


class _Write(msgspec.Struct, frozen=True):
    tokens: list[int]
    state: memoryview


class PrefixStore:
    """States of one model as one engine computes them, which ``identity`` stands for. All files of the folder together
    take at most ``limit`` bytes; those that were not used for longest go first. Never raises for a file: what cannot
    be read or written is only logged."""

    def __init__(self, folder: Path, identity: bytes, limit: int) -> None:
        self._folder = folder
        self._identity = identity
        self._limit = limit
        self._closing = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._waiting: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self._last: _Write | None = None
        self._writer = threading.Thread(target=self._write_all, name="prefix writer", daemon=True)
        self._writer.start()

    def get(self, tokens: Sequence[int]) -> bytes | memoryview | None:
        """The state after ``tokens``, if it was kept. A file that cannot be used is removed."""
        last = self._last
        if last is not None and last.tokens == list(tokens):
            return last.state
        key, path = self._place(tokens)
        try:
            state = read_prefix(path, key, tokens)
            os.utime(path)
        except FileNotFoundError:
            return None
        except (UnusablePrefix, OSError) as error:
            _log.warning("A kept prefix is not used, and removed: %s (%s)", path, error)
            self.discard(tokens)
            return None
        return state

    def wants(self, tokens: Sequence[int], size: int) -> bool:
        """Whether a state of ``size`` bytes should be kept now: it is missing, it fits, and nothing else is just being
        written."""
        return self._idle.is_set() and size <= self._limit and not self._place(tokens)[1].exists()

    def keep(self, tokens: Sequence[int], state: memoryview) -> None:
        """Writes ``state`` in the background."""
        self._last = _Write(list(tokens), state)
        self._idle.clear()
        self._waiting.put(self._last)

    def discard(self, tokens: Sequence[int]) -> None:
        """Removes a state that cannot be used."""
        with contextlib.suppress(OSError):
            self._place(tokens)[1].unlink()

    def settled(self, seconds: float) -> bool:
        """Waits until nothing is being written any more; False when it takes longer."""
        return self._idle.wait(seconds)

    def close(self) -> None:
        """Gives up what is not written yet."""
        self._closing.set()
        self._waiting.put(None)
        self._writer.join(_CLOSING_S)

    def _place(self, tokens: Sequence[int]) -> tuple[bytes, Path]:
        key = hashlib.sha256(self._identity + array("i", tokens).tobytes()).digest()
        return key, self._folder / f"{key.hex()[:40]}{_ENDING}"

    def _write_all(self) -> None:
        while (one := self._waiting.get()) is not None:
            try:
                self._write(one)
            except OSError as error:
                _log.warning("What begins every prompt could not be kept: %s", error)
            finally:
                self._last = None
                self._idle.set()

    def _write(self, one: _Write) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._make_room(prefix_size(one.tokens, one.state))
        key, path = self._place(one.tokens)
        write_prefix(path, key, one.tokens, one.state, lambda: not self._closing.is_set())

    def _make_room(self, size: int) -> None:
        kept: list[tuple[float, int, Path]] = []
        for file in self._folder.iterdir():
            facts = file.stat()
            if file.suffix == _ENDING:
                kept.append((facts.st_mtime, facts.st_size, file))
            elif file.suffix == PART and facts.st_mtime < time.time() - _LEFT_OVER_S:
                file.unlink()  # from a write that was cut
        total = size + sum(bytes_ for _, bytes_, _ in kept)
        for _, bytes_, file in sorted(kept):
            if total <= self._limit:
                break
            file.unlink()
            total -= bytes_
