"""How long chats are kept, questions wait, and models stay loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from safelight.chat.kept_settings import read_settings

if TYPE_CHECKING:
    from safelight.settings import Settings

__all__ = ("ChatLimits", "limits_of")


@dataclass(frozen=True, kw_only=True)
class ChatLimits:
    """What the user may set, with its defaults, and what tests shorten."""

    keep_days: int = 30
    """Days after its last event that a conversation is kept; 0 keeps none beyond the end of the service."""

    approval_expiry_s: float | None = None
    """Seconds after which a question ends as expired; None never."""

    model_idle_s: float | None = 600.0
    """Seconds after which a model on this computer that nobody has used frees its memory; None never."""

    unattended_s: float = 600.0
    """A question of a chat that no page has been attached to for so long ends as expired."""

    inbox_grace_s: float = 30.0
    """A question in the inbox is refused after so long without anybody there who could answer."""


def limits_of(settings: Settings) -> ChatLimits:
    """What the settings file says, and the command line in its place. Raises ``StartRefused`` for a damaged file."""
    kept = read_settings(settings.settings_file)
    keep_days = kept.keep_days if settings.keep_days is None else settings.keep_days
    return ChatLimits(keep_days=keep_days, approval_expiry_s=kept.approval_expiry_s, model_idle_s=kept.model_idle_s)
