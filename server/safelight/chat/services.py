"""What every chat shares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from safelight.chat.limits import ChatLimits

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from safelight.chat.store import ChatStore
    from safelight.chat.toolbox import Toolbox
    from safelight.gate.permissions import PermissionBook
    from safelight.models.chat_model import ModelSource

__all__ = ("ChatServices",)


@dataclass(frozen=True, kw_only=True)
class ChatServices:
    """The store, the models, the tools and the permissions; ``now`` is the local time with its zone."""

    store: ChatStore
    models: ModelSource
    toolbox: Toolbox
    permissions: PermissionBook
    now: Callable[[], datetime]
    limits: ChatLimits = field(default_factory=ChatLimits)
