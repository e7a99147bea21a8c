"""Tells a client that asked for it how far its call is."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

__all__ = ("MOST_WAIT_S", "ProgressReport")

logger = logging.getLogger(__name__)

MOST_WAIT_S: Final = 1.0
"""How long a client may take to accept one message. The work must not stand still for somebody who does not listen."""


class ProgressReport:
    """The gate's ``Progress`` of one call at an MCP session. What is told only grows. It never raises, but for being
    cancelled: a client that has gone, or takes nothing, is told nothing more."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session
        self._told = 0
        self._over = False

    async def __call__(self, done: int, total: int) -> None:
        if self._over or done <= self._told:
            return
        self._told = done
        try:
            async with asyncio.timeout(MOST_WAIT_S):
                # Says nothing where the client gave no token.
                await self._session.report_progress(done, total, f"{done} of {total} photos")
        except Exception:  # noqa: BLE001  # whatever is wrong with the listener, the work goes on
            logger.debug("The progress of a call reached nobody", exc_info=True)
            self._over = True
