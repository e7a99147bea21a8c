"""Where a running service is found: the data folder, its runtime file and its agent token."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import msgspec

from safelight_client._errors import ServiceUnreachable
from safelight_client._secret import Secret

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ("Runtime", "data_folder", "default_data_dir", "read_runtime", "read_token")


class Runtime(msgspec.Struct, frozen=True):
    """What ``runtime.json`` says about the service that runs for a data folder."""

    url: str
    pid: int
    version: str
    agent_token_file: str


def default_data_dir() -> Path:
    """The data folder of this user: ``SAFELIGHT_DATA_DIR``, else where the system keeps such folders."""
    return Path(data_folder(sys.platform, os.environ, str(Path.home())))


def data_folder(platform: str, environ: Mapping[str, str], home: str) -> PurePath:
    """The data folder on the named system (``sys.platform``), with that system's paths: the one that the service takes.

    As platformdirs has it, an absolute ``XDG_DATA_HOME`` counts on macOS too.
    """
    flavour = PureWindowsPath if platform == "win32" else PurePosixPath
    chosen = environ.get("SAFELIGHT_DATA_DIR", "")
    if chosen:
        return flavour(chosen)
    if platform == "win32":
        local = environ.get("LOCALAPPDATA", "")
        return (flavour(local) if local else flavour(home, "AppData", "Local")) / "safelight"
    shared = flavour(environ.get("XDG_DATA_HOME", ""))
    if shared.is_absolute():
        return shared / "safelight"
    if platform == "darwin":
        return flavour(home, "Library", "Application Support", "safelight")
    return flavour(home, ".local", "share", "safelight")


def read_runtime(data_dir: str | os.PathLike[str] | None = None) -> Runtime:
    """The runtime file of a data folder. Raises ``ServiceUnreachable`` when no service has left one there."""
    folder = Path(data_dir) if data_dir is not None else default_data_dir()
    path = folder / "runtime.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=Runtime)
    except FileNotFoundError:
        raise ServiceUnreachable(f"No Safelight service runs for the data folder {folder}.") from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ServiceUnreachable(f"{path} cannot be read; start the service anew.") from error


def read_token(path: str | os.PathLike[str]) -> Secret:
    """The agent token from its file. Raises ``ServiceUnreachable`` when there is none."""
    try:
        return Secret(Path(path).read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        # Without the cause: an error about the file's text could show a part of it.
        raise ServiceUnreachable(f"The agent token cannot be read from {os.fspath(path)}.") from None
