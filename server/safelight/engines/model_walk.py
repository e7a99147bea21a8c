"""Looks through folders for files of models, in bounded time, whatever lies there."""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from safelight.engines.mlx_folder import CONFIG, TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

__all__ = ("Folder", "ModelFile", "Stamp", "Walk", "stamp_of")

Stamp: TypeAlias = tuple[int, int]
"""Time of change and size; ``(0, -1)`` of what is not there."""

_MISSING: Final[Stamp] = (0, -1)
_MOST_ENTRIES: Final = 50_000
_MOST_SECONDS: Final = 5.0


class ModelFile(msgspec.Struct, frozen=True):
    """A file that may be part of a model."""

    path: Path
    stamp: Stamp

    @property
    def size(self) -> int:
        return self.stamp[1]


class Folder(msgspec.Struct, frozen=True):
    """A folder and the files in it that may be parts of models, by name."""

    path: Path
    files: tuple[ModelFile, ...]


class Walk:
    """One look around. No folder is entered twice, also when links lead to it in a circle; what cannot be read is left
    out, and so is what is hidden or has a name that cannot be shown. ``stamps`` has all on which the outcome rests;
    ``cut`` says that there was more than could be looked through. Whoever sets ``stopped``, in any thread, ends it."""

    def __init__(
        self,
        *,
        entries: int = _MOST_ENTRIES,
        seconds: float = _MOST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stamps: dict[Path, Stamp] = {}
        self.cut = False
        self.stopped = False
        self._entries = entries
        self._clock = clock
        self._until = clock() + seconds
        self._entered: set[tuple[int, int] | Path] = set()

    def rests_on(self, path: Path) -> None:
        """Note a file or folder, there or not, whose change would change the outcome."""
        self.stamps[path] = stamp_of(path)

    def inner(self, folder: Path) -> list[Path]:
        """The folders right in this one."""
        self.rests_on(folder)
        return self._look(folder)[1]

    def folders(self, root: Path, depth: int) -> Generator[Folder, None, None]:
        """``root`` and the folders in it, at most ``depth`` below, the upper ones first."""
        waiting = deque([(root, depth)])
        while waiting and not (self.cut or self.stopped):
            path, left = waiting.popleft()
            if not self._enter(path):
                continue
            files, inner = self._look(path)
            if left:
                waiting.extend((folder, left - 1) for folder in inner)
            yield Folder(path, files)

    def _enter(self, path: Path) -> bool:
        try:
            found = path.stat()
        except (OSError, ValueError):
            self.stamps[path] = _MISSING
            return False
        self.stamps[path] = (found.st_mtime_ns, found.st_size)
        # some drives of Windows give no numbers
        key = (found.st_dev, found.st_ino) if found.st_ino else path.resolve()
        if not stat.S_ISDIR(found.st_mode) or key in self._entered:
            return False
        self._entered.add(key)
        return True

    def _look(self, path: Path) -> tuple[tuple[ModelFile, ...], list[Path]]:
        files: list[ModelFile] = []
        inner: list[Path] = []
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    self._entries -= 1
                    self.cut |= self._entries < 0 or self._clock() > self._until
                    if self.cut or self.stopped:
                        break
                    if entry.name.startswith(".") or not entry.name.isprintable():
                        continue
                    if _is_folder(entry):
                        inner.append(Path(entry.path))
                    elif _is_wanted(entry.name) and (stamp := stamp_of(Path(entry.path))) != _MISSING:
                        self.stamps[Path(entry.path)] = stamp
                        files.append(ModelFile(Path(entry.path), stamp))
        except OSError:
            return (), []
        return tuple(sorted(files, key=lambda file: _alphabet(file.path))), sorted(inner, key=_alphabet)


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file or folder, links followed."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return _MISSING
    return found.st_mtime_ns, found.st_size


def _alphabet(path: Path) -> tuple[str, str]:
    return path.name.casefold(), path.name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself, for one
        return False


def _is_wanted(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith((".gguf", ".safetensors")) or lowered in (CONFIG, TOKENIZER)
