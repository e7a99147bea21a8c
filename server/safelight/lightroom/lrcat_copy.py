"""A copy of a Lightroom catalog file, to read in peace.

The catalog itself is never opened as a database: SQLite would leave files beside it, could wait for Lightroom's locks,
and, with other settings, could damage it. Copying needs no lock and works while Lightroom has the catalog open.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ("LrcatRefused", "opened_copy")

_SQLITE: Final = b"SQLite format 3\x00"
_ZIP: Final = b"PK\x03\x04"

_BESIDE: Final = ("-wal", "-journal")
"""What may hold changes that are not in the file yet, or how to take back half of one."""

_TRIES: Final = 5
_BETWEEN_TRIES_S: Final = 0.3


class LrcatRefused(Exception):
    """The file cannot be used; the message is a sentence that names it and says what to do."""


@contextmanager
def opened_copy(path: Path) -> Generator[sqlite3.Connection]:
    """A connection that only reads, to a copy of the catalog as it was last committed; both end with the block.

    Rows are ``sqlite3.Row``; text that is not UTF-8 is shown, not refused.

    Raises:
        LrcatRefused: there is no such file, it is no database, it cannot be copied, or a read finds it damaged.
    """
    _look_at(path)
    with tempfile.TemporaryDirectory(prefix="safelight-lrcat-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder, "copy.lrcat")
        _copy(path, copy)
        try:
            _take_in_changes(copy)
            with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as connection:
                connection.row_factory = sqlite3.Row
                connection.text_factory = _shown
                # Views and triggers of a stranger's file may call nothing.
                connection.execute("PRAGMA trusted_schema = OFF")
                connection.execute("PRAGMA cell_size_check = ON")
                yield connection
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # SQLite's own message may quote broken bytes of the file, which then are what cannot be told.
            reason = "it holds broken text" if isinstance(error, UnicodeDecodeError) else error
            said = f"{path} is damaged: {reason}. Open it in Lightroom, which can repair it, or take a backup of it."
            raise LrcatRefused(said) from None


def _shown(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


def _look_at(path: Path) -> None:
    if path.is_dir():
        raise LrcatRefused(f"{path} is a folder. Name the catalog file in it, which ends in .lrcat.")
    if not path.is_file():
        raise LrcatRefused(f"There is no file {path}.")
    try:
        with path.open("rb") as opened:
            start = opened.read(len(_SQLITE))
    except OSError as error:
        raise LrcatRefused(f"{path} cannot be read: {error.strerror}.") from None
    if not start:
        raise LrcatRefused(f"{path} is empty.")
    if start.startswith(_ZIP):
        raise LrcatRefused(f"{path} is a zip file, as Lightroom's backups are. Unpack it and name the .lrcat file.")
    if start != _SQLITE:
        raise LrcatRefused(f"{path} is not an SQLite file: it is no Lightroom catalog, or it is encrypted or damaged.")


def _copy(path: Path, copy: Path) -> None:
    """Copies the file with what belongs to it, until the file was the same before and after.

    The order and the second look make the copies fit together: what stands in the log is lost from it only after it was
    written into the file, and a half-written end of the log is left out by SQLite.
    """
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_BETWEEN_TRIES_S)
        try:
            before = _state(path)
            shutil.copyfile(path, copy)
            for ending in _BESIDE:
                _copy_if_there(Path(f"{path}{ending}"), Path(f"{copy}{ending}"))
            if _state(path) == before:
                return
        except OSError as error:
            raise LrcatRefused(
                f"{path} could not be copied: {error.strerror}. Close Lightroom and try again."
            ) from None
    raise LrcatRefused(f"Lightroom is writing to {path} all the time. Try again when it is done.")


def _copy_if_there(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError:
        target.unlink(missing_ok=True)


def _state(path: Path) -> tuple[int, int, int]:
    state = path.stat()
    return state.st_ino, state.st_size, state.st_mtime_ns


def _take_in_changes(copy: Path) -> None:
    """Brings what the log holds into the copy."""
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
