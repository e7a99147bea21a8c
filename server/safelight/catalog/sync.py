"""Keeps the index of a catalog true to Lightroom."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.catalog.source import READ_CHUNK
from safelight.errors import BridgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.catalog.index import PhotoIndex
    from safelight.catalog.source import CatalogSource

__all__ = ("FRESH_S", "FULL_EVERY_S", "SMALL_CATALOG", "CatalogSync", "SyncState")

logger = logging.getLogger(__name__)

FRESH_S: Final = 3.0
"""A search uses what was synced at most this long ago."""

SMALL_CATALOG: Final = 2000
"""Up to so many photos every record is read before a search; above, edits made in Lightroom itself may take
``FULL_EVERY_S`` until a search sees them (new and deleted photos are always seen)."""

FULL_EVERY_S: Final = 300.0
PATIENCE_S: Final = 20.0
"""A search waits this long for a sync, then answers from what is there and says so."""


class SyncState(msgspec.Struct, frozen=True, kw_only=True):
    """Where a sync stands. ``done`` of ``total`` photos have been read."""

    running: bool
    done: int = 0
    total: int = 0


class CatalogSync:
    """Reads a catalog into its index; never twice at the same time."""

    def __init__(
        self, source: CatalogSource, index: PhotoIndex, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._source = source
        self._index = index
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._task_is_full = False
        self._synced_at: float | None = None
        self._full_at: float | None = None
        self._state = SyncState(running=False)

    @property
    def state(self) -> SyncState:
        """Progress of the present or last sync."""
        return self._state

    def start(self, *, full: bool = True) -> asyncio.Task[None]:
        """Begin a sync in the background, or join the one that runs."""
        if self._task is None or self._task.done():
            self._task_is_full = full
            self._task = asyncio.create_task(self._sync(full=full), name="index sync")
            self._task.add_done_callback(_log_failure)
        return self._task

    async def run(self, *, full: bool = True) -> None:
        """Sync and wait for it; joins a sync that runs when that reads as much. Raises ``BridgeError``."""
        task = self.start(full=full)
        joined_less = full and not self._task_is_full
        await asyncio.shield(task)
        if joined_less:
            await asyncio.shield(self.start(full=full))

    async def freshen(self, patience_s: float = PATIENCE_S) -> str | None:
        """Bring the index up to date before a search; a sentence when it could not be.

        Raises ``BridgeError`` only when the index has never been filled.
        """
        now = self._clock()
        if self._synced_at is not None and now - self._synced_at < FRESH_S:
            return None
        count = await self._index.count()
        full = self._full_at is None or count <= SMALL_CATALOG
        if not full and self._full_at is not None and now - self._full_at >= FULL_EVERY_S:
            self.start(full=True)
            return None
        try:
            async with asyncio.timeout(patience_s):
                await self.run(full=full)
        except TimeoutError:
            state = self._state
            progress = f"{state.done} of {state.total} photos"
            return f"Safelight is still reading the catalog ({progress}); more may be found later."
        except BridgeError as error:
            if count == 0:
                raise
            return f"This is the catalog as Safelight last saw it. {error.message}"
        return None

    async def close(self) -> None:
        """End a sync that runs; what it has read stays."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _sync(self, *, full: bool) -> None:
        self._state = SyncState(running=True)
        try:
            await self._read(full=full)
        finally:
            self._state = msgspec.structs.replace(self._state, running=False)

    async def _read(self, *, full: bool) -> None:
        listing = await self._source.photo_ids("all")
        known = await self._index.photo_ids()
        wanted = listing.photo_ids if full else tuple(i for i in listing.photo_ids if i not in known)
        self._state = SyncState(running=True, total=len(wanted))
        for start in range(0, len(wanted), READ_CHUNK):
            chunk = wanted[start : start + READ_CHUNK]
            records = await self._source.read(chunk)
            await self._index.update(tuple(records.values()))
            await self._index.remove(i for i in chunk if i not in records)
            self._state = msgspec.structs.replace(self._state, done=min(start + READ_CHUNK, len(wanted)))
        if listing.whole:
            # A listing that shifted while it was read proves nothing about what is missing from it.
            await self._index.remove(known.difference(listing.photo_ids))
        self._synced_at = self._clock()
        if full:
            self._full_at = self._synced_at


def _log_failure(task: asyncio.Task[None]) -> None:
    if task.cancelled():
        return
    error = task.exception()
    if isinstance(error, BridgeError):
        logger.info("The index could not be synced: %s", error.message)
    elif error is not None:
        logger.error("The index sync failed", exc_info=error)
