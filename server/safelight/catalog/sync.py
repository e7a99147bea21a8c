"""Keeps the index of a catalog true to Lightroom."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

import msgspec

from safelight.catalog.source import READ_CHUNK
from safelight.errors import BridgeError, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from safelight.catalog.index import PhotoIndex
    from safelight.catalog.source import CatalogSource, Listing

__all__ = ("FRESH_S", "FULL_EVERY_S", "SMALL_CATALOG", "UNTOLD_EVERY_S", "CatalogSync", "SyncState")

logger = logging.getLogger(__name__)

FRESH_S: Final = 3.0
"""A search uses what was synced at most this long ago."""

SMALL_CATALOG: Final = 2000
"""Up to so many photos whose time of edit Lightroom does not tell are read at each sync."""

FULL_EVERY_S: Final = 3600.0
"""So often a search has every photo read anew in the background, for what changes no photo's time of edit, such as the
name of a keyword."""

UNTOLD_EVERY_S: Final = 300.0
"""The same where Lightroom tells the times of too few photos."""

PATIENCE_S: Final = 20.0
"""A search waits this long for the first reading of a catalog, then answers from what is there and says so."""

CATCH_UP_S: Final = 3.0
"""The same for later ones: listing a large catalog takes Lightroom longer than a person likes to wait."""

NOT_TOLD: Final = frozenset({"UNSUPPORTED", "UNKNOWN_COMMAND", "BAD_ARGUMENTS", "LIGHTROOM_ERROR"})
"""With these Lightroom does not say which photos are adjusted; everything else can be searched all the same."""


class SyncState(msgspec.Struct, frozen=True, kw_only=True):
    """Where a sync stands. ``done`` of ``total`` photos have been read."""

    running: bool
    done: int = 0
    total: int = 0


class CatalogSync:
    """Reads a catalog into its index; one command at a time. ``clock`` gives steady seconds, ``now`` those since 1970.

    Catching up lists all photos and reads those that are new or have been edited; a full reading then reads all, and
    lets searches catch up in between.
    """

    def __init__(
        self,
        source: CatalogSource,
        index: PhotoIndex,
        *,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._source = source
        self._index = index
        self._clock = clock
        self._now = now
        self._lock = asyncio.Lock()
        self._catching_up: asyncio.Task[bool] | None = None
        self._reading_all: asyncio.Task[bool] | None = None
        self._synced_at: float | None = None
        self._times_told = True
        self._adjusted_read = False
        self._state = SyncState(running=False)
        self._watchers: list[Callable[[int, int], bool]] = []

    @property
    def state(self) -> SyncState:
        """Progress of the present or last sync."""
        tasks = (self._catching_up, self._reading_all)
        return msgspec.structs.replace(self._state, running=any(task and not task.done() for task in tasks))

    def start(self) -> asyncio.Task[bool]:
        """Begin to catch up in the background, or join who does; whether it came to its end."""
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.create_task(self._catch_up(), name="index sync")
            self._catching_up.add_done_callback(_log_failure)
        return self._catching_up

    async def run(self) -> bool:
        """Catch up; whether it came to its end. Raises ``BridgeError``, ``ToolError`` INDEX_DAMAGED when it is closed
        meanwhile."""
        return await _outcome(self.start())

    async def read_all(self, watcher: Callable[[int, int], bool] | None = None) -> None:
        """Read every photo of the catalog, or join who does. Raises as ``run``.

        ``watcher`` is told done and total, and says whether to go on; what was read until then stays.
        """
        if watcher is not None:
            self._watchers.append(watcher)
        try:
            while not await _outcome(self._start_reading_all()):
                if watcher is None or not watcher(self._state.done, self._state.total):
                    return
        finally:
            if watcher is not None:
                self._watchers.remove(watcher)

    async def freshen(self, patience_s: float | None = None) -> str | None:
        """Bring the index up to date before a search, waiting ``patience_s``; a sentence when it could not be.

        Raises ``BridgeError`` only when the index has never been filled.
        """
        if self._synced_at is not None and self._clock() - self._synced_at < FRESH_S:
            return None
        filled = await self._index.full_at() is not None
        usual_s = CATCH_UP_S if filled else PATIENCE_S
        try:
            async with asyncio.timeout(usual_s if patience_s is None else patience_s):
                caught_up = await self.run()
        except TimeoutError:
            caught_up = False
        except BridgeError as error:
            if await self._index.count() == 0:
                raise
            return f"This is the catalog as Safelight last saw it. {error.message}"
        if not caught_up and filled:
            return "Safelight is still catching up with Lightroom; what was changed there just now may be missing."
        if not caught_up:
            progress = f"{self._state.done} of {self._state.total} photos"
            return f"Safelight has not read the whole catalog yet ({progress}); more may be found later."
        await self._read_all_when_due()
        return None

    async def close(self) -> None:
        """End a sync that runs; what it has read stays."""
        tasks = [task for task in (self._catching_up, self._reading_all) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _start_reading_all(self) -> asyncio.Task[bool]:
        if self._reading_all is None or self._reading_all.done():
            self._reading_all = asyncio.create_task(self._read_everything(), name="index full reading")
            self._reading_all.add_done_callback(_log_failure)
        return self._reading_all

    async def _read_all_when_due(self) -> None:
        full_at = await self._index.full_at()
        every_s = FULL_EVERY_S if self._times_told else UNTOLD_EVERY_S
        if full_at is None or self._now() - full_at >= every_s:
            self._start_reading_all()

    async def _catch_up(self) -> bool:
        async with self._lock:
            # Before the listing: what another call adds meanwhile is not taken for deleted.
            known = await self._index.edited_times()
            listing = await self._source.photo_ids_with_times()
            wanted = self._stale(listing, known)
            self._tell(0, len(wanted))
            for start in range(0, len(wanted), READ_CHUNK):
                await self._read(wanted[start : start + READ_CHUNK], listing.edited)
                if not self._tell(min(start + READ_CHUNK, len(wanted)), len(wanted)):
                    return False
            if listing.whole:
                # A listing that shifted while it was read proves nothing about what is missing from it.
                await self._index.remove(known.keys() - listing.edited.keys())
            if wanted or not self._adjusted_read:
                await self._read_adjusted()
            self._synced_at = self._clock()
            if listing.whole and len(wanted) == len(listing.photo_ids):
                await self._index.note_full(self._now())
            return True

    async def _read_everything(self) -> bool:
        began = self._now()
        await self.run()
        full_at = await self._index.full_at()
        if full_at is not None and full_at >= began:
            return True
        known = {i: edited for i, edited in (await self._index.edited_times()).items() if edited is not None}
        photo_ids = tuple(known)
        for start in range(0, len(photo_ids), READ_CHUNK):
            if not self._tell(start, len(photo_ids)):
                return False
            async with self._lock:
                await self._read(photo_ids[start : start + READ_CHUNK], known)
        async with self._lock:
            await self._read_adjusted()
        self._tell(len(photo_ids), len(photo_ids))
        await self._index.note_full(self._now())
        return True

    def _stale(self, listing: Listing, known: Mapping[str, float | None]) -> tuple[str, ...]:
        untold = sum(not edited for edited in listing.edited.values())
        self._times_told = untold <= SMALL_CATALOG
        return tuple(
            photo_id
            for photo_id, edited in listing.edited.items()
            if known.get(photo_id) != edited or (not edited and self._times_told)
        )

    async def _read(self, photo_ids: Sequence[str], listed: Mapping[str, float]) -> None:
        records = await self._source.read(photo_ids)
        await self._index.update(tuple(records.values()), listed)
        await self._index.remove(photo_id for photo_id in photo_ids if photo_id not in records)

    async def _read_adjusted(self) -> None:
        try:
            listing = await self._source.photo_ids("adjusted")
        except BridgeError as error:
            if error.tool_code not in NOT_TOLD:
                raise
            logger.info("Lightroom does not tell which photos are adjusted: %s", error.message)
            self._adjusted_read = True
            return
        if listing.whole:
            await self._index.set_adjusted(listing.photo_ids)
            self._adjusted_read = True

    def _tell(self, done: int, total: int) -> bool:
        """Whether everybody who watches wants to go on."""
        self._state = msgspec.structs.replace(self._state, done=done, total=total)
        return all([watcher(done, total) for watcher in self._watchers])


async def _outcome(task: asyncio.Task[bool]) -> bool:
    """What a task comes to that others wait for too. Its being cancelled is not the caller's."""
    await asyncio.wait([task])
    if task.cancelled():
        raise ToolError("INDEX_DAMAGED", "The search index was closed, to be built again or for good. Try again soon.")
    return task.result()


def _log_failure(task: asyncio.Task[bool]) -> None:
    if task.cancelled():
        return
    error = task.exception()
    if isinstance(error, BridgeError):
        logger.info("The index could not be synced: %s", error.message)
    elif error is not None:
        logger.error("The index sync failed", exc_info=error)
