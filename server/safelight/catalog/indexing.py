"""The index of the open catalog as people see it: how it is, and the job that brings it up to date."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import UNSET

from safelight.catalog.embedding_jobs import RETRY_S, embed_pictures, embed_texts
from safelight.errors import NotByMeaning
from safelight.wire.models import EmbeddingStatus, IndexStatus, Job

if TYPE_CHECKING:
    from typing import Literal

    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.embedding.embedders import Embedders, EmbeddingKind
    from safelight.jobs.jobs import JobHandle, Jobs

__all__ = ("Indexing",)


class Indexing:
    """Over the catalog that is open in Lightroom, or was last."""

    def __init__(
        self, bridge: Bridge, catalogs: Catalogs, jobs: Jobs, embedders: Embedders, *, retry_s: float = RETRY_S
    ) -> None:
        self._bridge = bridge
        self._catalogs = catalogs
        self._jobs = jobs
        self._embedders = embedders
        self._retry_s = retry_s
        self._running: dict[tuple[str, str], str] = {}

    async def status(self) -> IndexStatus:
        """How much searches can find. Raises ``BridgeError`` PLUGIN_OFFLINE before the first catalog."""
        catalog = await self._catalogs.present()
        full_at = await catalog.index.full_at()
        info = self._bridge.catalog
        return IndexStatus(
            catalog_id=catalog.catalog_id,
            catalog=info.name if info is not None and info.catalog_id == catalog.catalog_id else "",
            photos=await catalog.index.count(),
            texts=await self._embedded(catalog, "texts"),
            pictures=await self._embedded(catalog, "pictures"),
            syncing=catalog.sync.state.running,
            synced=UNSET if full_at is None else datetime.fromtimestamp(full_at, UTC),
            message=UNSET if catalog.notice is None else catalog.notice,
        )

    async def sync(self, what: Literal["catalog", "texts", "pictures"]) -> Job:
        """Read the whole catalog in the background, or make vectors of its texts or pictures; or join who does. Raises
        ``BridgeError`` PLUGIN_OFFLINE before the first catalog, ``NotByMeaning`` for vectors that no model can make."""
        catalog = await self._catalogs.present()
        if what != "catalog":
            await self._embedders.files(what)
        count = await catalog.index.count()
        # From here on nothing waits, so that two calls at a time start one job.
        key = (catalog.catalog_id, what)
        running = [job for job in self._jobs.list() if job.job_id == self._running.get(key)]
        if running and running[0].state in {"running", "paused"}:
            return running[0]
        job = self._jobs.start(
            "index" if what == "catalog" else what, count, lambda handle: self._work(catalog, what, handle)
        )
        self._running[key] = job.job_id
        return job

    async def _work(
        self, catalog: OpenCatalog, what: Literal["catalog", "texts", "pictures"], handle: JobHandle
    ) -> None:
        if what == "catalog":
            return await _read_all(catalog, handle)
        await catalog.sync.freshen()
        if what == "texts":
            return await embed_texts(catalog, await self._embedders.text_model(), handle)
        model = await self._embedders.picture_model()
        return await embed_pictures(catalog, model, handle, retry_s=self._retry_s)

    async def _embedded(self, catalog: OpenCatalog, kind: EmbeddingKind) -> EmbeddingStatus:
        try:
            files = await self._embedders.files(kind)
        except NotByMeaning:
            return EmbeddingStatus(photos=0)
        return EmbeddingStatus(model=files.name, photos=await catalog.vectors.count(kind, files.model_id))


async def _read_all(catalog: OpenCatalog, handle: JobHandle) -> None:
    def watch(done: int, total: int) -> bool:
        handle.progress(done, total)
        return not handle.cancelled

    await catalog.sync.read_all(watch)
