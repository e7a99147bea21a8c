"""Conversations are kept for a number of days after their last event, then erased."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from safelight.chat.chats import Chats
    from safelight.chat.store import ChatStore

__all__ = ("erase_kept", "erase_old_daily")

logger = logging.getLogger(__name__)

_DAY_S: Final = 86_400.0


async def erase_old_daily(chats: Chats, keep_days: int, closing: asyncio.Event) -> None:
    """Erase what is older, now and once a day until ``closing``. Chats that somebody uses wait for the next time."""
    while not closing.is_set():
        try:
            await chats.erase_older(datetime.now(UTC) - timedelta(days=keep_days))
        except (sqlite3.Error, OSError) as error:  # e.g. a full disk: tomorrow there may be room
            logger.warning("Old conversations could not be erased: %s", error)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DAY_S):
                await closing.wait()


async def erase_kept(store: ChatStore) -> None:
    """Erase all that an earlier setting has kept, now that nothing is to be kept."""
    try:
        await store.erase_all()
    except (sqlite3.Error, OSError) as error:
        logger.warning("Earlier conversations could not be erased: %s. Start Safelight again.", error)
