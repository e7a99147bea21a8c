"""The catalogs that Safelight knows, and which of them is open in Lightroom."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import sqlite3
import time
from typing import TYPE_CHECKING, Final

from safelight.catalog.database import Database
from safelight.catalog.index import PhotoIndex
from safelight.catalog.result_sets import ResultSets
from safelight.catalog.schema import MIGRATIONS
from safelight.catalog.source import CatalogSource
from safelight.catalog.sync import CatalogSync
from safelight.catalog.vectors import Vectors
from safelight.errors import BridgeError, StartRefused, ToolError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from safelight.catalog.source import Commander
    from safelight.wire.bridge_models import PhotoRecord
    from safelight.wire.models import BridgeHello

__all__ = ("Catalogs", "OpenCatalog", "catalog_folder")

logger = logging.getLogger(__name__)

PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*", re.ASCII)
DAMAGED: Final = (
    "The search index was damaged, so Safelight builds it again from Lightroom. Earlier result sets are gone; your "
    "photos were not touched."
)
DAMAGED_CODE: Final = "INDEX_DAMAGED"
UNUSABLE: Final = (
    "The search index of this catalog cannot be used now. See that the disk has room left and that no other program "
    "holds Safelight's data folder, then try again."
)
WINDOWS_DEVICES: Final = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])", re.IGNORECASE)


def catalog_folder(data_dir: Path, catalog_id: str) -> Path:
    """Where everything about a catalog lives. The id names the folder where it can be a name on every system."""
    plain = PLAIN_NAME.fullmatch(catalog_id) and not WINDOWS_DEVICES.fullmatch(catalog_id)
    name = catalog_id if plain else "id-" + hashlib.sha256(catalog_id.encode(errors="replace")).hexdigest()[:32]
    return data_dir / "catalogs" / name


class OpenCatalog:
    """One catalog: its photos through the plug-in, its index and its sets. ``notice`` is a sentence about what has
    happened to its index, for who asks how it is."""

    def __init__(
        self,
        catalog_id: str,
        database: Database,
        commander: Commander,
        clock: Callable[[], float] = time.monotonic,
        *,
        notice: str | None = None,
    ) -> None:
        self.catalog_id = catalog_id
        self.notice = notice
        self.source = CatalogSource(commander, catalog_id)
        self.index = PhotoIndex(database)
        self.sets = ResultSets(database)
        self.vectors = Vectors(database)
        self.sync = CatalogSync(self.source, self.index, clock=clock)
        self._database = database

    async def take_over(self, records: Sequence[PhotoRecord]) -> None:
        """Keep what was just read of photos in the index. Where that fails it is logged and nothing more: what was done
        to the photos has to be told, and a sync reads them again."""
        try:
            await self.index.update(records)
        except ToolError as error:
            logger.warning("The index could not take over %d photos: %s", len(records), error.message)

    async def close(self) -> None:
        """End the sync and close the files."""
        await self.sync.close()
        await self._database.close()


class Catalogs:
    """Follows the plug-in from catalog to catalog. ``follow`` is made to observe the bridge's hello.

    ``clock`` gives steady seconds, by which the age of an index is told.
    """

    def __init__(self, data_dir: Path, commander: Commander, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._data_dir = data_dir
        self._commander = commander
        self._opened: dict[str, asyncio.Task[OpenCatalog]] = {}
        self._present_id: str | None = None

    def follow(self, hello: BridgeHello) -> None:
        """Lightroom has this catalog open: open its index and bring it up to date, in the background."""
        self._present_id = hello.catalog_id
        opening = self._opening(hello.catalog_id)
        if opening.done():
            opening.result().sync.start()

    @property
    def present_id(self) -> str | None:
        """The id of the catalog that is open in Lightroom, or was last; None before the first."""
        return self._present_id

    async def present(self) -> OpenCatalog:
        """The catalog that is open in Lightroom, or was when it was last connected.

        Raises ``BridgeError`` PLUGIN_OFFLINE when none has been seen since the service started, ``ToolError``
        INDEX_UNUSABLE when its index cannot be opened, which each call tries anew.
        """
        if self._present_id is None:
            raise BridgeError(
                "PLUGIN_OFFLINE",
                "No catalog is known yet. Start Lightroom Classic and see that the Safelight plug-in is enabled in its "
                "Plug-in Manager, then try again.",
                retriable=True,
            )
        try:
            return await asyncio.shield(self._opening(self._present_id))
        except StartRefused as error:
            raise ToolError("INDEX_UNUSABLE", error.message) from error
        except (sqlite3.Error, OSError) as error:
            raise ToolError("INDEX_UNUSABLE", UNUSABLE) from error

    async def set_is_elsewhere(self, set_id: str) -> bool:
        """Whether another catalog than the present one has a set with this id."""
        present = None if self._present_id is None else catalog_folder(self._data_dir, self._present_id)
        return await asyncio.to_thread(_find_set, self._data_dir / "catalogs", present, set_id)

    async def close(self) -> None:
        """Close all catalogs."""
        opened, self._opened, self._present_id = list(self._opened.values()), {}, None
        for opening in opened:
            await asyncio.wait([opening])
            if not opening.cancelled() and opening.exception() is None:
                await opening.result().close()

    def _opening(self, catalog_id: str) -> asyncio.Task[OpenCatalog]:
        opening = self._opened.get(catalog_id)
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception() is not None)):
            opening = self._opened[catalog_id] = asyncio.create_task(self._open(catalog_id), name="open catalog")
            opening.add_done_callback(_start_sync)
        return opening

    async def _open(self, catalog_id: str, notice: str | None = None) -> OpenCatalog:
        path = catalog_folder(self._data_dir, catalog_id) / "index.db"

        def on_trouble(error: Exception) -> ToolError:
            if isinstance(error, sqlite3.OperationalError):  # locked, or no room: the file is sound
                logger.warning("The index cannot be used: %s", error)
                return ToolError("INDEX_UNUSABLE", UNUSABLE)
            if isinstance(error, sqlite3.Error):
                self._rebuild(catalog_id, opening)
            return ToolError(DAMAGED_CODE, "The search index is damaged and is being built again. Try again soon.")

        opening = asyncio.current_task()
        database, rebuilt = await asyncio.to_thread(_open_index, path, on_trouble)
        notice = DAMAGED if rebuilt else notice
        catalog = OpenCatalog(catalog_id, database, self._commander, self._clock, notice=notice)
        try:
            await catalog.sets.forget_unused()
        except ToolError as error:
            if notice is not None or error.tool_code != DAMAGED_CODE:
                await catalog.close()
                raise
            return await self._open_anew(catalog)
        return catalog

    async def _open_anew(self, damaged: OpenCatalog) -> OpenCatalog:
        await damaged.close()
        await asyncio.to_thread(_put_aside, catalog_folder(self._data_dir, damaged.catalog_id) / "index.db")
        return await self._open(damaged.catalog_id, DAMAGED)

    def _rebuild(self, catalog_id: str, damaged: object) -> None:
        """Once for each damaged file, however many calls have met the damage."""
        opened = self._opened.get(catalog_id)
        if opened is None or opened is not damaged or not opened.done():
            return
        opening = asyncio.create_task(self._open_anew(opened.result()), name="open catalog")
        opening.add_done_callback(_start_sync)
        self._opened[catalog_id] = opening


def _open_index(path: Path, on_trouble: Callable[[Exception], ToolError]) -> tuple[Database, bool]:
    """The index, and whether it had to be put aside and begun anew."""
    try:
        return Database(path, MIGRATIONS, on_trouble=on_trouble), False
    except sqlite3.OperationalError:  # locked, or no room: the file is sound
        raise
    except sqlite3.DatabaseError:
        _put_aside(path)
        return Database(path, MIGRATIONS, on_trouble=on_trouble), True


def _put_aside(path: Path) -> None:
    """All but the sets can be read again from Lightroom; the damaged file is kept for who wants to look."""
    aside = path.with_name(f"index.damaged-{time.time_ns()}.db")
    path.rename(aside)
    for rest in ("index.db-wal", "index.db-shm"):
        path.with_name(rest).unlink(missing_ok=True)
    logger.warning("The index was damaged and is built again; the old file is %s", aside)


def _start_sync(opening: asyncio.Task[OpenCatalog]) -> None:
    if opening.cancelled():
        return
    error = opening.exception()
    if error is not None:
        logger.error("The index could not be opened", exc_info=error)
        return
    opening.result().sync.start()


def _find_set(catalogs: Path, present: Path | None, set_id: str) -> bool:
    for path in catalogs.glob("*/index.db"):
        if path.parent == present:
            continue
        try:
            connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
            try:
                if connection.execute("SELECT 1 FROM sets WHERE set_id = ?", (set_id,)).fetchone():
                    return True
            finally:
                connection.close()
        except sqlite3.Error:
            continue
    return False
