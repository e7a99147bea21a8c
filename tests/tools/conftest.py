"""The tools on a bridge, with a fake plug-in's catalog behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs
from safelight.catalog.database import Database
from safelight.catalog.indexing import Indexing
from safelight.catalog.thumbnails import Thumbnails
from safelight.errors import ToolError
from safelight.gate.journal import JOURNAL_SCHEMA, Journal
from safelight.gate.running import RunningCall
from safelight.gate.tool import ToolAnswer
from safelight.jobs.jobs import Jobs
from safelight.tools.registry import ToolParts, build_tools
from safelight.wire.models import Preview
from tests.bridge.clock import Clock
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.gate.journal import NOW


class Workbench:
    """Calls tools as the gate does, and holds every answer against the contract."""

    def __init__(self, data_dir: Path) -> None:
        self.clock = Clock()
        self.bridge = Bridge(clock=self.clock)
        self.catalogs = Catalogs(data_dir, self.bridge, clock=self.clock)
        self.bridge.observe(self.catalogs.follow)
        self.database = Database(data_dir / "safelight.db", [JOURNAL_SCHEMA])
        self.journal = Journal(self.database, lambda: NOW)
        self.jobs = Jobs()
        self.tools = build_tools(
            ToolParts(
                bridge=self.bridge,
                catalogs=self.catalogs,
                thumbnails=Thumbnails(self.bridge),
                journal=self.journal,
                jobs=self.jobs,
                indexing=Indexing(self.bridge, self.catalogs, self.jobs),
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
