"""What chats and agents from outside may do without asking.

For chats: per catalog, in ``chat_permissions.json`` beside the index. For agents from outside: one for all catalogs, in
``agent_permissions.json`` in the data folder.

Before a catalog is bound the settings live in memory and say so. Where a file cannot be used, every call asks until new
settings are saved.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.catalog.catalogs import catalog_folder
from safelight.gate.permission_file import DEFAULT_BULK_LIMIT, Found, Settings, keep_aside, read, save
from safelight.wire.models import Permissions, PermissionsUpdate

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("DEFAULT_BULK_LIMIT", "AgentPermissions", "PermissionBook")

logger = logging.getLogger(__name__)

_FILE: Final = "chat_permissions.json"
_AGENTS_FILE: Final = "agent_permissions.json"
_NOTHING_SAVED: Final = Found(Settings())


class PermissionBook:
    """The permissions of the open catalog. May be changed from any thread."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._file: Path | None = None
        self._now = _NOTHING_SAVED
        self._unsaved: str | None = None
        """Why what holds is not what the file says."""
        self._changing = threading.Lock()

    @property
    def place(self) -> Path | None:
        """Where the permissions of the open catalog are kept; None before one is open."""
        return self._file

    def bind(self, catalog_id: str) -> None:
        """A catalog is open now: its own file counts from here on. Settings made in memory before go into it only when
        it has none; where that fails they hold all the same, and are told to be unsaved."""
        file = catalog_folder(self._data_dir, catalog_id) / _FILE
        with self._changing:
            if self._file == file:
                return
            made_before = self._file is None and self._now != _NOTHING_SAVED
            self._file = file
            self._unsaved = None
            found = read(file)
            if found is None and made_before:
                try:
                    self._write(self._now.settings)
                except OSError as error:  # Lightroom, which has just said hello, is not to be sent away for this
                    logger.warning("The permissions could not be saved: %s", error.strerror)
                return
            self._now = found or _NOTHING_SAVED

    def current(self) -> Permissions:
        """The permissions now, whether they are saved, and what is wrong with those that were."""
        now, unsaved = self._now, self._unsaved
        return _told(now, saved=self._file is not None and unsaved is None, problem=unsaved or now.problem)

    def replace(self, update: PermissionsUpdate) -> Permissions:
        """Set all of them. Raises ``OSError`` when they cannot be saved; they hold all the same till Safelight ends."""
        with self._changing:
            self._write(Settings(mode=update.mode, rules=dict(update.rules), bulk_limit=update.bulk_limit))
            return self.current()

    def always(self, tool: str, place: Path | None) -> bool:
        """The person answered "always" to a question that was put when ``place`` was that of the permissions: exactly
        this rule is written. False, and nothing is, where another catalog is open now. Raises as ``replace`` does."""
        with self._changing:
            if self._file != place:
                return False
            now = self._now.settings
            self._write(msgspec.structs.replace(now, rules={**now.rules, tool: "allow"}))
            return True

    def _write(self, settings: Settings) -> None:
        before, self._now = self._now, Found(settings)
        if self._file is None:
            return
        try:
            _save_over(self._file, settings, before)
        except OSError as error:
            self._unsaved = f"These settings could not be saved ({error.strerror}). They hold until Safelight ends."
            raise
        self._unsaved = None


class AgentPermissions:
    """What every agent from outside may do at /mcp. May be changed from any thread."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / _AGENTS_FILE
        self._now = read(self._file) or _NOTHING_SAVED
        self._changing = threading.Lock()

    def current(self) -> Permissions:
        """The permissions now, and what is wrong with those that were saved."""
        return _told(self._now, saved=True, problem=self._now.problem)

    def replace(self, update: PermissionsUpdate) -> Permissions:
        """Set all of them; they hold from the next call on. Raises ``OSError`` when they cannot be saved; then the old
        ones hold."""
        with self._changing:
            self._write(Settings(mode=update.mode, rules=dict(update.rules), bulk_limit=update.bulk_limit))
            return self.current()

    def always(self, tool: str) -> None:
        """The person answered "always": exactly this rule is written. Raises as ``replace`` does."""
        with self._changing:
            now = self._now.settings
            self._write(msgspec.structs.replace(now, rules={**now.rules, tool: "allow"}))

    def _write(self, settings: Settings) -> None:
        _save_over(self._file, settings, self._now)
        self._now = Found(settings)


def _save_over(file: Path, settings: Settings, before: Found) -> None:
    if before.problem is not None:
        keep_aside(file)  # what could not be read is not to be lost
    save(file, settings)


def _told(now: Found, *, saved: bool, problem: str | None) -> Permissions:
    return Permissions(
        mode=now.settings.mode,
        rules=dict(now.settings.rules),
        bulk_limit=now.settings.bulk_limit,
        saved=saved,
        problem=msgspec.UNSET if problem is None else problem,
    )
