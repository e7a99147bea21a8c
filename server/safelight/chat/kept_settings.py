"""``settings.json`` of the data folder: what the user set about conversations and their models."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from safelight.errors import StartRefused
from safelight.settings import MOST_DAYS

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ("KeptSettings", "read_settings", "write_settings")

Days: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_DAYS)]
Seconds: TypeAlias = Annotated[float, Meta(ge=1, le=31_536_000)]

_MOST_BYTES: Final = 65_536


class KeptSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many days a conversation is kept after its last event (0 keeps none beyond the end of the service), after how
    many seconds a question ends by itself, and after how many unused ones a model on this computer frees its memory
    (None never)."""

    keep_days: Days = 30
    approval_expiry_s: Seconds | None = None
    model_idle_s: Seconds | None = 600.0


def read_settings(path: Path) -> KeptSettings:
    """What the file says; the defaults where there is none.

    Raises ``StartRefused`` for a damaged file: the defaults might erase conversations that were to be kept, or keep
    some that were not to be, so that only its owner can say what it was to mean.
    """
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(_MOST_BYTES), type=KeptSettings)
    except FileNotFoundError:
        return KeptSettings()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        text = (
            f"The settings in {path} cannot be read ({error}). Correct the file, or delete it to keep conversations "
            f"for {KeptSettings().keep_days} days; it is not guessed, since conversations might be lost by that."
        )
        raise StartRefused(text) from None


def write_settings(path: Path, settings: KeptSettings) -> None:
    """Replace the file in one step. Raises ``OSError``."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        with fresh.open("xb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
