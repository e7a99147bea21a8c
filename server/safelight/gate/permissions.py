"""What chats and agents from outside may do without asking.

For chats: per catalog, in ``chat_permissions.json`` beside the index. For agents from outside: one for all catalogs, in
``agent_permissions.json`` in the data folder.

Before a catalog is bound the settings live in memory and say so. A damaged file is kept aside under another name, and
the defaults hold.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import threading
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.catalog.catalogs import catalog_folder
from safelight.wire.models import Mode, Permissions, PermissionsUpdate, Rule

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("DEFAULT_BULK_LIMIT", "AgentPermissions", "PermissionBook")

logger = logging.getLogger(__name__)

DEFAULT_BULK_LIMIT: Final = 200
_FILE: Final = "chat_permissions.json"
_AGENTS_FILE: Final = "agent_permissions.json"


class _Saved(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    mode: Mode = "auto_read"
    rules: dict[str, Rule] = {}
    bulk_limit: int = DEFAULT_BULK_LIMIT


class PermissionBook:
    """The permissions of the open catalog. May be changed from any thread."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._file: Path | None = None
        self._current = _Saved()
        self._changing = threading.Lock()

    def bind(self, catalog_id: str) -> None:
        """A catalog is open now: its own file counts from here on. Settings made in memory before go into it only when
        it has none; where that fails they hold all the same, and it is logged."""
        file = catalog_folder(self._data_dir, catalog_id) / _FILE
        with self._changing:
            if self._file == file:
                return
            fresh_start = self._file is None
            self._file = file
            found = _read(file)
            if found is not None:
                self._current = found
            elif not fresh_start:
                self._current = _Saved()
            elif self._current != _Saved():
                try:
                    self._write()
                except OSError as error:  # Lightroom, which has just said hello, is not to be sent away for this
                    logger.warning("The permissions could not be saved: %s", error.strerror)

    def current(self) -> Permissions:
        """The permissions now, and whether they are saved."""
        now = self._current
        return Permissions(
            mode=now.mode, rules=dict(now.rules), bulk_limit=now.bulk_limit, saved=self._file is not None
        )

    def replace(self, update: PermissionsUpdate) -> Permissions:
        """Set all of them."""
        with self._changing:
            self._current = _Saved(mode=update.mode, rules=dict(update.rules), bulk_limit=update.bulk_limit)
            self._write()
            return self.current()

    def always(self, tool: str) -> None:
        """The person answered "always": exactly this rule is written."""
        with self._changing:
            now = self._current
            self._current = _Saved(mode=now.mode, rules={**now.rules, tool: "allow"}, bulk_limit=now.bulk_limit)
            self._write()

    def _write(self) -> None:
        if self._file is not None:
            _save(self._file, self._current)


class AgentPermissions:
    """What every agent from outside may do at /mcp. May be changed from any thread."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / _AGENTS_FILE
        self._current = _read(self._file) or _Saved()
        self._changing = threading.Lock()

    def current(self) -> Permissions:
        """The permissions now."""
        now = self._current
        return Permissions(mode=now.mode, rules=dict(now.rules), bulk_limit=now.bulk_limit, saved=True)

    def replace(self, update: PermissionsUpdate) -> Permissions:
        """Set all of them; they hold from the next call on. Raises ``OSError`` when they cannot be saved."""
        with self._changing:
            fresh = _Saved(mode=update.mode, rules=dict(update.rules), bulk_limit=update.bulk_limit)
            _save(self._file, fresh)
            self._current = fresh
            return self.current()


def _save(target: Path, permissions: _Saved) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f"{target.name}.{secrets.token_hex(4)}")
    data = msgspec.json.format(msgspec.json.encode(permissions), indent=2)
    with fresh.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(target)


def _read(file: Path) -> _Saved | None:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        logger.warning("The permissions file cannot be read (%s); the defaults hold.", error.strerror)
        return _Saved()
    try:
        return msgspec.json.decode(data, type=_Saved)
    except (msgspec.MsgspecError, RecursionError):
        aside = file.with_name(f"{file.name}.damaged-{secrets.token_hex(4)}")
        with contextlib.suppress(OSError):
            file.replace(aside)
        logger.warning("The permissions file was damaged and is kept as %s; the defaults hold.", aside.name)
        return None
