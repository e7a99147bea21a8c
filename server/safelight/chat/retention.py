"""Conversations are kept for a number of days after their last event, the inbox's events likewise; then they are
erased."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.chat.store import ChatStore

__all__ = ("Keeper", "erase_kept", "erase_old_daily")

logger = logging.getLogger(__name__)

_DAY_S: Final = 86_400.0


class Keeper(Protocol):
    """Who keeps what people and agents said."""

    async def erase_older(self, when: datetime) -> None: ...


async def erase_old_daily(keepers: Sequence[Keeper], keep_days: int, closing: asyncio.Event) -> None:
    """Erase what is older, now and once a day until ``closing``. Chats that somebody uses wait for the next time."""
    while not closing.is_set():
        when = datetime.now(UTC) - timedelta(days=keep_days)
        for keeper in keepers:
            try:
                await keeper.erase_older(when)
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
