"""Where things are and how the service was started."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

__all__ = ("DATA_DIR_VARIABLE", "DEFAULT_PORT", "MOST_DAYS", "Routing", "Settings", "default_data_dir")

Routing: TypeAlias = Literal["auto", "always", "never"]
"""Which models on this computer choose by likelihood what to do: those under a billion parameters, all, or none."""

DEFAULT_PORT: Final = 47_810
MOST_DAYS: Final = 36_500
"""That conversations can be kept for; 0 does not keep them."""

DATA_DIR_VARIABLE: Final = "SAFELIGHT_DATA_DIR"


def default_data_dir() -> Path:
    """The user's data folder for Safelight, or what the environment variable names."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_data_path("safelight", appauthor=False)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How this process was started. ``port`` 0 takes a free one."""

    data_dir: Path
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    model: str | None = None
    dev: bool = False
    keep_days: int | None = None
    """In place of what the settings file says; None leaves it to that."""
    models_dir: Path | None = None
    """Where models are looked for, in place of the data folder."""
    routing: Routing = "auto"
    copy_words: bool = True
    """A small model copies texts, names and dates from the message. False leaves them to it, to measure it."""

    @property
    def agent_token_file(self) -> Path:
        return self.data_dir / "agent-token"

    @property
    def runtime_file(self) -> Path:
        return self.data_dir / "runtime.json"

    @property
    def settings_file(self) -> Path:
        return self.data_dir / "settings.json"

    @property
    def lock_file(self) -> Path:
        return self.data_dir / "safelight.lock"

    @property
    def database_file(self) -> Path:
        return self.data_dir / "safelight.db"
