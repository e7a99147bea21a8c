"""The tools on a bridge, with a fake plug-in's catalog behind them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs
from safelight.catalog.database import Database
from safelight.catalog.indexing import Indexing
from safelight.catalog.meaning import Meaning
from safelight.catalog.thumbnails import Thumbnails
from safelight.embedding.embedders import Embedders
from safelight.errors import ToolError
from safelight.gate.journal import JOURNAL_SCHEMA, Journal
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.jobs.jobs import Jobs
from safelight.lightroom import Catalog, SimulatedLightroom, drawn_catalog
from safelight.tools.registry import ToolParts, build_tools
from safelight.tools.search import PhotoSearch
from safelight.wire.models import Preview
from tests.bridge.clock import Clock
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.gate.journal import NOW
from tests.live import live_service


class Workbench:
    """Calls tools as the gate does, and holds every answer against the contract."""

    def __init__(self, data_dir: Path, bridge: Bridge | None = None) -> None:
        self.clock = Clock()
        self.bridge = bridge or Bridge(clock=self.clock)
        self.catalogs = Catalogs(data_dir, self.bridge, clock=self.clock)
        self.bridge.observe(self.catalogs.follow)
        self.database = Database(data_dir / "safelight.db", [JOURNAL_SCHEMA])
        self.journal = Journal(self.database, lambda: NOW)
        self.jobs = Jobs()
        embedders = Embedders(data_dir)
        meaning = Meaning(embedders)
        self.indexing = Indexing(self.bridge, self.catalogs, self.jobs, embedders, retry_s=0.01)
        self.tools = build_tools(
            ToolParts(
                bridge=self.bridge,
                catalogs=self.catalogs,
                thumbnails=Thumbnails(self.bridge),
                journal=self.journal,
                jobs=self.jobs,
                indexing=self.indexing,
                meaning=meaning,
                search=PhotoSearch(self.catalogs, meaning),
            )
        )

    async def close(self) -> None:
        """End, as the service does."""
        self.bridge.closing()
        await self.catalogs.close()
        await self.database.close()

    async def run(self, name: str, /, **arguments: Any) -> ToolAnswer:
        """Run a tool; its arguments and its answer must fit the contract."""
        spec = self.tools[name].spec
        jsonschema.validate(arguments, spec.input_schema)
        answer = await self.tools[name].run(arguments, RunningCall(name, "chat chat_test", self.journal))
        jsonschema.validate(answer.content, spec.output_schema)
        return answer

    async def content(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that has to work."""
        answer = await self.run(name, **arguments)
        assert answer.ok
        return answer.content

    async def error(self, name: str, /, **arguments: Any) -> ToolError:
        """The error of a call that has to fail."""
        with pytest.raises(ToolError) as caught:
            await self.run(name, **arguments)
        assert caught.value.message.endswith((".", "?"))
        return caught.value

    async def count(self, name: str, /, **arguments: Any) -> int | None:
        """What the gate would count."""
        return await self.tools[name].count(arguments)

    async def preview(self, name: str, /, **arguments: Any) -> Preview:
        """What a question would show."""
        preview = await self.tools[name].preview(arguments)
        assert preview is not None
        return preview


class Studio(Workbench):
    """The tools with the plug-in's own Lua behind them, in a simulated Lightroom that polls the service over HTTP."""

    def __init__(self, data_dir: Path, bridge: Bridge, lightroom: SimulatedLightroom) -> None:
        super().__init__(data_dir, bridge)
        self.lightroom = lightroom

    @property
    def catalog(self) -> Catalog:
        return self.lightroom.catalog

    def ids(self, first: int, last: int | None = None) -> list[str]:
        """uuids of the photos with these numbers, counted from 1."""
        return [photo.uuid for photo in self.catalog.photos()[first - 1 : last or first]]

    def change(self, photo_id: str, **values: Any) -> None:
        """Change a photo as a person does in Lightroom itself."""
        self.catalog.change_photo(self.catalog.photo(photo_id).local_id, **values)

    def keywords(self, photo_id: str) -> set[str]:
        """The paths of the keywords that the photo has in Lightroom."""
        return {" > ".join(self.catalog.keywords.path(keyword)) for keyword in self.catalog.photo(photo_id).keywords}

    def develop(self, photo_id: str) -> dict[str, Any]:
        """What Lightroom keeps of the photo's settings; without those that are defaults."""
        return self.catalog.photo(photo_id).develop or {}


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncGenerator[Studio]:
    """Thirty drawn photos without develop settings: the first is raw, the last a video, the others JPEGs. Three are
    selected."""
    data_dir = tmp_path / "data"
    async with asyncio.timeout(60), live_service(data_dir) as live:
        # What ``safelight serve`` leaves for the plug-in.
        (data_dir / "runtime.json").write_text(json.dumps({"url": live.url}), encoding="utf-8")
        catalog = drawn_catalog(30)
        for photo_ in catalog.photos():
            kind = {1: "RAW", 30: "VIDEO"}.get(photo_.local_id, "JPG")
            catalog.change_photo(photo_.local_id, file_format=kind, develop=None, snapshots=())
        lightroom = SimulatedLightroom(catalog, data_folder=data_dir)
        studio = Studio(tmp_path / "tools", live.application.service.bridge, lightroom)
        await asyncio.to_thread(lightroom.start)
        try:
            assert await studio.bridge.wait_connected(20)
            yield studio
            assert lightroom.errors == ()
        finally:
            await asyncio.to_thread(lightroom.close)
            await studio.jobs.close()
            await studio.close()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncGenerator[Workbench]:
    bench = Workbench(tmp_path)
    async with asyncio.timeout(10):
        yield bench
    await bench.close()


@pytest.fixture
async def plugin(bench: Workbench) -> AsyncGenerator[FakePlugin]:
    """Five photos, the first three selected; the index is up to date."""
    photos = [
        photo(1, title="Two dogs", rating=3, camera="NIKON Z 6", iso=400, virtual_copy=False),
        photo(2, caption="Sunset"),
        photo(3, rating=5, flag="pick"),
        photo(4),
        photo(5, title="A dog"),
    ]
    async with FakePlugin(bench.bridge, photos) as plugin:
        await (await bench.catalogs.present()).sync.run()
        plugin.received.clear()
        yield plugin
