"""The index of the open catalog as people see it: how it is, and the job that brings it up to date."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import UNSET

from safelight.errors import ToolError
from safelight.wire.models import EmbeddingStatus, IndexStatus, Job

if TYPE_CHECKING:
    from typing import Literal

    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.jobs.jobs import JobHandle, Jobs

__all__ = ("Indexing",)

NO_MODEL = "No embedding model is installed, so only the catalog's texts and data can be searched."


class Indexing:
    """Over the catalog that is open in Lightroom, or was last."""

    def __init__(self, bridge: Bridge, catalogs: Catalogs, jobs: Jobs) -> None:
        self._bridge = bridge
        self._catalogs = catalogs
        self._jobs = jobs
        self._running: dict[str, str] = {}

    async def status(self) -> IndexStatus:
        """How much searches can find. Raises ``BridgeError`` PLUGIN_OFFLINE before the first catalog."""
        catalog = await self._catalogs.present()
        full_at = await catalog.index.full_at()
        info = self._bridge.catalog
        return IndexStatus(
            catalog_id=catalog.catalog_id,
            catalog=info.name if info is not None and info.catalog_id == catalog.catalog_id else "",
            photos=await catalog.index.count(),
            texts=EmbeddingStatus(photos=0),
            pictures=EmbeddingStatus(photos=0),
            syncing=catalog.sync.state.running,
            synced=UNSET if full_at is None else datetime.fromtimestamp(full_at, UTC),
            message=UNSET if catalog.notice is None else catalog.notice,
        )

    async def sync(self, what: Literal["catalog", "texts", "pictures"]) -> Job:
        """Read the whole catalog in the background, or join who does. Raises ``BridgeError`` PLUGIN_OFFLINE before the
        first catalog, ``ToolError`` NO_MODEL for embeddings."""
        if what != "catalog":
            raise ToolError("NO_MODEL", NO_MODEL)
        catalog = await self._catalogs.present()
        running = [job for job in self._jobs.list() if job.job_id == self._running.get(catalog.catalog_id)]
        if running and running[0].state in {"running", "paused"}:
            return running[0]
        job = self._jobs.start("index", await catalog.index.count(), lambda handle: _read_all(catalog, handle))
        self._running[catalog.catalog_id] = job.job_id
        return job


async def _read_all(catalog: OpenCatalog, handle: JobHandle) -> None:
    def watch(done: int, total: int) -> bool:
        handle.progress(done, total)
        return not handle.cancelled

    await catalog.sync.read_all(watch)
