"""What every chat shares."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from safelight.chat.facts import Glance, no_glance
from safelight.chat.limits import ChatLimits
from safelight.jobs.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from safelight.chat.store import ChatStore
    from safelight.chat.toolbox import Toolbox
    from safelight.gate.permissions import PermissionBook
    from safelight.models.chat_model import ModelSource

__all__ = ("ChatServices",)


@dataclass(frozen=True, kw_only=True)
class ChatServices:
    """The store, the models, the tools, the permissions and the jobs; ``now`` is the local time with its zone."""

    store: ChatStore
    models: ModelSource
    toolbox: Toolbox
    permissions: PermissionBook
    now: Callable[[], datetime]
    jobs: Jobs = field(default_factory=Jobs)
    limits: ChatLimits = field(default_factory=ChatLimits)
    glance: Callable[[], Awaitable[Glance]] = no_glance
    """What a moment shows of Lightroom, soon and without failing."""
