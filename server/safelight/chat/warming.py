"""Gets a chat's model ready while the person is still typing."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from safelight.conversation.prompt import SYSTEM
from safelight.errors import SafelightError

if TYPE_CHECKING:
    from safelight.chat.services import ChatServices
    from safelight.models.chat_model import EngineWishes

__all__ = ("Warming",)

logger = logging.getLogger(__name__)


class Warming:
    """Runs at most one preparation at a time. A model that is loaded and prepared has nothing to do then; one that was
    unloaded meanwhile is loaded again."""

    def __init__(self, services: ChatServices) -> None:
        self._services = services
        self._task: asyncio.Task[None] | None = None

    def start(self, model_id: str, wishes: EngineWishes) -> None:
        """Begin in the background. A failure is the first turn's to tell."""
        if self._task is not None and not self._task.done():
            return
        self._task = asyncio.create_task(self._prepare(model_id, wishes), name="prepare model")

    async def close(self) -> None:
        """Leave off."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _prepare(self, model_id: str, wishes: EngineWishes) -> None:
        try:
            model = self._services.models.resolve(model_id, wishes)
            await model.prepare(SYSTEM, await self._services.toolbox.offers())
        except SafelightError as error:
            logger.info("The model could not be prepared: %s", error.message)
