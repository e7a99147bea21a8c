"""What the Lua doubles around the catalog call: paths, files, preferences, time, the log."""

from __future__ import annotations

import base64
import hashlib
import logging
import ntpath
import posixpath
import re
import sys
from typing import TYPE_CHECKING, Any, Literal

from safelight.lightroom.clock import LIGHTROOM_EPOCH, Clock
from safelight.lightroom.lua_value import text
from safelight.lightroom.metadata import LightroomRefusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from safelight.lightroom.screen import Screen

__all__ = ("Preferences", "System", "SystemCalls", "this_system")

System = Literal["MAC", "WIN", "LINUX"]
"""Lightroom runs on the first two; the third is for a simulated one, which then gives neither MAC_ENV nor WIN_ENV."""

Preferences = dict[str, str | int | float | bool]

_log = logging.getLogger("safelight.lightroom.plugin")

_LEVELS = {"trace": logging.DEBUG, "debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING}


def this_system() -> System:
    return {"darwin": "MAC", "win32": "WIN"}.get(sys.platform, "LINUX")  # type: ignore[return-value]  # one of the three


def _translations(file: Path) -> dict[str, str]:
    """Key -> text of a plug-in's dictionary for a language: a line each, in double quotes, as Lightroom reads them."""
    if not file.is_file():
        return {}
    found = (re.fullmatch(r'"([^="]+)=(.*)"', line) for line in file.read_text("utf-8").splitlines())
    return {match[1]: match[2] for match in found if match}


class SystemCalls:
    """Paths follow the rules of ``system``, whatever system this runs on."""

    REFUSABLE = (
        "path_child path_parent path_leaf path_extension path_without_extension path_is_absolute standard_path "
        "md5 encode_base64 truncate lower_case"
    )
    PLAIN = "current_time get_pref set_pref log system_name plugin_path plugin_source translation"

    def __init__(
        self,
        *,
        clock: Clock,
        screen: Screen,
        prefs: Preferences,
        system: System,
        home: str,
        plugin: Path,
        language: str,
        transform: Callable[[str, str], str],
    ) -> None:
        self._clock = clock
        self._screen = screen
        self._prefs = prefs
        self._system: System = system
        self._home = home
        self._plugin = plugin
        self._transform = transform
        self._translations = _translations(plugin / f"TranslatedStrings_{language}.txt")
        self.clock_error = 0.0
        """By how many seconds the computer's clock has been set since the start."""
        self._paths = ntpath if system == "WIN" else posixpath

    def system_name(self) -> bytes:
        return self._system.encode()

    # --- paths ---------------------------------------------------------------------------------------------------

    def path_child(self, path: bytes, name: bytes) -> bytes:
        return self._paths.join(text(path), text(name)).encode()

    def path_parent(self, path: bytes) -> bytes | None:
        parent = self._paths.dirname(text(path))
        return None if parent in ("", text(path)) else parent.encode()

    def path_leaf(self, path: bytes) -> bytes:
        return self._paths.basename(text(path)).encode()

    def path_extension(self, path: bytes) -> bytes:
        return self._paths.splitext(text(path))[1].removeprefix(".").encode()

    def path_without_extension(self, path: bytes) -> bytes:
        return self._paths.splitext(text(path))[0].encode()

    def path_is_absolute(self, path: bytes) -> bool:
        return self._paths.isabs(text(path))

    def standard_path(self, name: bytes) -> bytes:
        if name != b"home":
            raise LightroomRefusal(f"getStandardFilePath: no standard path {text(name)!r} in the simulated Lightroom")
        return self._home.encode()

    def plugin_path(self) -> bytes:
        return str(self._plugin).encode()

    def plugin_source(self, file: bytes) -> bytes | None:
        path = self._plugin / text(file)
        if not path.is_file():
            return None
        return self._transform(text(file), path.read_text("utf-8")).encode()

    def translation(self, key: bytes) -> bytes | None:
        translated = self._translations.get(text(key))
        return None if translated is None else translated.encode()

    # --- text ----------------------------------------------------------------------------------------------------

    def md5(self, data: bytes) -> bytes:
        return hashlib.md5(data, usedforsecurity=False).hexdigest().encode()

    def encode_base64(self, data: bytes) -> bytes:
        return base64.b64encode(data)

    def truncate(self, data: bytes, most: float) -> bytes:
        return data[: int(most)].decode("utf-8", "ignore").encode()

    def lower_case(self, data: bytes) -> bytes:
        return data.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")

    # --- time, preferences, log --------------------------------------------------------------------------------

    def current_time(self) -> float:
        return self._clock.now() + self.clock_error - LIGHTROOM_EPOCH

    def get_pref(self, name: bytes) -> Any:
        value = self._prefs.get(text(name))
        return value.encode() if isinstance(value, str) else value

    def set_pref(self, name: bytes, value: Any) -> None:
        if value is None:
            self._prefs.pop(text(name), None)
        else:
            self._prefs[text(name)] = text(value) if isinstance(value, bytes) else value

    def log(self, name: bytes, level: bytes, message: bytes) -> None:
        self._screen.log.append((text(level), text(message)))
        _log.log(_LEVELS.get(text(level), logging.ERROR), "%s: %s", text(name), text(message))
