"""A file of permissions: written whole, read with suspicion, and never replaced before it has been kept aside.

Where the file cannot be used, strict settings hold until new ones are saved, also after a restart.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import secrets
import stat
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from safelight.wire.models import Mode, Rule

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("DEFAULT_BULK_LIMIT", "Found", "Settings", "keep_aside", "read", "save")

logger = logging.getLogger(__name__)

DEFAULT_BULK_LIMIT: Final = 200

_MOST_BYTES: Final = 4_000_000
"""Twice what a request may hold that sets them."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is saved. Rules for tools that are no more are kept: they may come back, and mean nothing till then."""

    mode: Mode = "auto_read"
    rules: dict[str, Rule] = {}
    bulk_limit: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = DEFAULT_BULK_LIMIT


STRICT: Final = Settings(mode="ask_all")


class Found(msgspec.Struct, frozen=True):
    """What holds by the file. ``problem`` says in a sentence why that is not what was saved."""

    settings: Settings
    problem: str | None = None


def read(file: Path) -> Found | None:
    """What the file says; None where there is none and never was a damaged one. Never raises."""
    try:
        data = _bytes_of(file)
    except FileNotFoundError:
        aside = _kept_aside(file)
        return None if aside is None else _strict(f"The saved permissions were damaged and are kept as {aside}.")
    except OSError as error:
        return _strict(f"The saved permissions cannot be read ({error.strerror}).")
    try:
        return Found(msgspec.json.decode(data, type=Settings))
    except (msgspec.MsgspecError, RecursionError, ValueError):
        aside = keep_aside(file)
        kept = "could not be kept aside" if aside is None else f"are kept as {aside}"
        return _strict(f"The saved permissions are damaged and {kept}.")


def save(file: Path, settings: Settings) -> None:
    """Write all of it or nothing. Raises ``OSError``; then the file is as it was."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    data = msgspec.json.format(msgspec.json.encode(settings), indent=2)
    try:
        with fresh.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def keep_aside(file: Path) -> str | None:
    """Give whatever is in the file's place another name. Returns that, None where it could not be done."""
    aside = file.with_name(f"{file.name}.damaged-{secrets.token_hex(4)}")
    try:
        file.rename(aside)
    except OSError:
        return None
    return aside.name


def _bytes_of(file: Path) -> bytes:
    """A plain file's content. A pipe or a device would never end, and a link leads who knows where."""
    if not stat.S_ISREG(file.lstat().st_mode):
        raise OSError(errno.EINVAL, "it is not a plain file")
    with file.open("rb") as stream:
        data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise OSError(errno.EFBIG, "it is too large")
    return data


def _kept_aside(file: Path) -> str | None:
    try:
        return next((found.name for found in file.parent.glob(f"{file.name}.damaged-*")), None)
    except OSError:
        return None


def _strict(what: str) -> Found:
    problem = f"{what} Every call asks, and no rule holds, until new settings are saved."
    logger.warning(problem)
    return Found(STRICT, problem)
