"""Tells a client that asked for it how far its call is."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

__all__ = ("MOST_WAIT_S", "WAITING_S", "ProgressReport")

logger = logging.getLogger(__name__)

MOST_WAIT_S: Final = 1.0
"""How long a client may take to accept one message. The work must not stand still for somebody who does not listen."""

WAITING_S: Final = 5.0
"""Between two signs of a call that waits for permission. Clients give up after a minute of silence, at the earliest."""

_WAITING: Final = "Waiting for the user's permission"


class ProgressReport:
    """The gate's ``Progress`` of one call at an MCP session. What is told only grows. It never raises, but for being
    cancelled: a client that has gone, or takes nothing, is told nothing more."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._told = 0
        self._signs = 0
        self._over = False

    async def __call__(self, done: int, total: int) -> None:
        if done <= self._told:
            return
        self._told = done
        await self._tell(done, total, f"{done} of {total} photos")

    async def tell_waiting(self) -> None:
        """A sign every few seconds, each a little further on towards the first photo. Until it is cancelled, or nobody
        listens."""
        while not self._over and self._told == 0:
            self._signs += 1
            await self._tell(self._signs / (self._signs + 1), None, _WAITING)
            await asyncio.sleep(WAITING_S)

    async def _tell(self, done: float, total: int | None, message: str) -> None:
        if self._over:
            return
        try:
            async with asyncio.timeout(MOST_WAIT_S):
                # Says nothing where the client gave no token.
                await self._session.report_progress(done, total, message)
        except Exception:  # noqa: BLE001  # whatever is wrong with the listener, the work goes on
            logger.debug("The progress of a call reached nobody", exc_info=True)
            self._over = True
