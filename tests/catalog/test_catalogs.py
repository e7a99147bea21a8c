"""Catalogs with their sets, the change from one to another, and indexes that are damaged or old."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import UNSET, UnsetType

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs, OpenCatalog, catalog_folder
from safelight.catalog.database import Database
from safelight.catalog.result_sets import ResultSets
from safelight.catalog.schema import MIGRATIONS
from safelight.errors import BridgeError, ToolError
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement


@pytest.fixture
def bridge() -> Bridge:
    return Bridge()


@pytest.fixture
async def catalogs(bridge: Bridge, tmp_path: Path) -> AsyncIterator[Catalogs]:
    catalogs = Catalogs(tmp_path, bridge)
    bridge.observe(catalogs.follow)
    async with asyncio.timeout(5):
        yield catalogs
    bridge.closing()
    await catalogs.close()


async def ids(catalog: OpenCatalog, text: str | UnsetType = UNSET) -> list[str]:
    photo_ids, total = await catalog.index.search(SearchPhotosArguments(text=text, limit=100))
    assert total >= len(photo_ids)
    return sorted(photo_ids)


async def test_no_catalog_before_the_first_hello(catalogs: Catalogs) -> None:
    with pytest.raises(BridgeError, match="No catalog is known yet"):
        await catalogs.present()


@requirement("tool.result-sets")
async def test_a_set_keeps_its_order_outlives_a_restart_and_says_what_has_gone(bridge: Bridge, tmp_path: Path) -> None:
    async with asyncio.timeout(5), FakePlugin(bridge, [photo(1), photo(2), photo(3)]) as plugin:
        first = Catalogs(tmp_path, bridge)
        bridge.observe(first.follow)
        plugin.hello()
        catalog = await first.present()
        await catalog.sync.run()
        set_id = await catalog.sets.save(["photo-0003", "photo-0001", "photo-0002"])
        assert len(set_id) <= 10
        await first.close()

        del plugin.photos["photo-0001"]
        second = Catalogs(tmp_path, bridge)
        bridge.observe(second.follow)
        plugin.hello()
        catalog = await second.present()
        await catalog.sync.run()
        stored = await catalog.sets.load(set_id)
        assert stored is not None
        assert (stored.photo_ids, stored.gone) == (("photo-0003", "photo-0002"), 1)
        assert await catalog.sets.load("set_none") is None
        await first.close()
        await second.close()


async def test_the_same_photos_in_the_same_order_are_the_same_set(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1), photo(2)]):
        sets = (await catalogs.present()).sets
        one = await sets.save(["photo-0001", "photo-0002"])
        assert await sets.save(["photo-0001", "photo-0002"]) == one
        assert await sets.save(["photo-0002", "photo-0001"]) != one


async def test_a_set_may_hold_photos_that_the_index_does_not_have_yet(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1)]):
        sets = (await catalogs.present()).sets
        stored = await sets.load(await sets.save(["just-imported"]))
        assert stored is not None
        assert (stored.photo_ids, stored.gone) == (("just-imported",), 0)


@requirement("bridge.identity", "index.catalog")
async def test_another_catalog_has_an_index_and_sets_of_its_own(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1)], catalog_id="first"):
        first = await catalogs.present()
        await first.sync.run()
        set_id = await first.sets.save(["photo-0001"])
    async with FakePlugin(bridge, [photo(2)], catalog_id="second"):
        second = await catalogs.present()
        await second.sync.run()
        assert await ids(second) == ["photo-0002"]
        assert await second.sets.load(set_id) is None
        assert await catalogs.set_is_elsewhere(set_id)
        assert not await catalogs.set_is_elsewhere("set_none")
        with pytest.raises(BridgeError, match="Another catalog"):
            await first.sync.run()
        assert await ids(first) == ["photo-0001"]


async def test_a_damaged_index_is_put_aside_and_built_again(bridge: Bridge, catalogs: Catalogs, tmp_path: Path) -> None:
    folder = tmp_path / "catalogs" / "fake-catalog"
    folder.mkdir(parents=True)
    (folder / "index.db").write_bytes(b"not a database" * 1000)
    async with FakePlugin(bridge, [photo(1)]):
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert await ids(catalog) == ["photo-0001"]
    assert len(list(folder.glob("index.damaged-*.db"))) == 1
    assert catalog.notice is not None
    assert "damaged" in catalog.notice


async def filled(folder: Path) -> Path:
    """An index file with one photo, as a service that has ended leaves it."""
    bridge = Bridge()
    catalogs = Catalogs(folder, bridge)
    bridge.observe(catalogs.follow)
    async with FakePlugin(bridge, [photo(1)]):
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert catalog.notice is None
    await catalogs.close()
    return folder / "catalogs" / "fake-catalog" / "index.db"


def spoil(path: Path, table: str) -> None:
    """Overwrite the pages of one table."""
    connection = sqlite3.connect(path)
    roots = connection.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = ?", (table,)).fetchall()
    connection.close()
    with path.open("r+b") as file:
        for (page,) in roots:
            file.seek((page - 1) * 4096)
            file.write(b"\xff" * 4096)


@pytest.mark.parametrize("table", ["photos", "words_data", "sets", "ids"])
async def test_damage_that_shows_only_later_is_told_and_the_index_built_again(
    bridge: Bridge, tmp_path: Path, table: str
) -> None:
    path = await filled(tmp_path)
    spoil(path, table)
    catalogs = Catalogs(tmp_path, bridge)
    bridge.observe(catalogs.follow)
    async with asyncio.timeout(10), FakePlugin(bridge, [photo(1), photo(2, title="New")]):
        for _ in range(20):
            try:
                catalog = await catalogs.present()
                await catalog.sync.run()
                assert await ids(catalog, text="new") == ["photo-0002"]
                break
            except (ToolError, asyncio.CancelledError) as error:
                assert isinstance(error, asyncio.CancelledError) or error.tool_code == "INDEX_DAMAGED"
        else:
            pytest.fail("the index stays damaged")
        assert catalog.notice is not None
        assert await ids(catalog) == ["photo-0001", "photo-0002"]
    await catalogs.close()
    assert len(list(path.parent.glob("index.damaged-*.db"))) == 1


async def test_an_index_that_cannot_be_opened_is_told_in_words_and_opened_once_it_can(
    bridge: Bridge, tmp_path: Path
) -> None:
    path = await filled(tmp_path)
    away = path.with_name("away.db")
    path.rename(away)
    path.mkdir()
    catalogs = Catalogs(tmp_path, bridge)
    bridge.observe(catalogs.follow)
    async with asyncio.timeout(10), FakePlugin(bridge, [photo(1)]):
        for _ in range(2):
            with pytest.raises(ToolError) as caught:
                await catalogs.present()
            assert caught.value.tool_code == "INDEX_UNUSABLE"
        path.rmdir()
        away.rename(path)
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert await ids(catalog) == ["photo-0001"]
    await catalogs.close()
    assert not list(path.parent.glob("index.damaged-*.db"))


async def test_an_index_of_an_older_version_is_filled_again_and_keeps_its_sets(bridge: Bridge, tmp_path: Path) -> None:
    path = tmp_path / "catalogs" / "fake-catalog" / "index.db"
    old = Database(path, MIGRATIONS[:1])
    set_id = await ResultSets(old).save(["photo-0002", "gone", "photo-0001"])
    await old.close()
    catalogs = Catalogs(tmp_path, bridge)
    bridge.observe(catalogs.follow)
    async with asyncio.timeout(5), FakePlugin(bridge, [photo(1), photo(2)]):
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert await ids(catalog) == ["photo-0001", "photo-0002"]
        stored = await catalog.sets.load(set_id)
    assert stored is not None
    assert (stored.photo_ids, stored.gone) == (("photo-0002", "photo-0001"), 1)
    assert catalog.notice is None
    await catalogs.close()


@pytest.mark.parametrize(
    "catalog_id", ["../../etc", "..", "a/b", "a\\b", "CON", "com1", "a:b", ".hidden", "ü", "x\n", " "]
)
def test_no_catalog_id_leads_out_of_the_data_folder(catalog_id: str, tmp_path: Path) -> None:
    folder = catalog_folder(tmp_path, catalog_id)
    assert folder.parent == tmp_path / "catalogs"
    assert folder.name.startswith("id-")


def test_a_plain_catalog_id_names_its_folder(tmp_path: Path) -> None:
    assert catalog_folder(tmp_path, "0a1B-c_9").name == "0a1B-c_9"


async def test_records_survive_the_index_unchanged(bridge: Bridge, catalogs: Catalogs) -> None:
    whole = photo(1, title="T", keywords=["a", "b"], rating=3, iso=100, virtual_copy=True, path="/p/IMG.jpg")
    async with FakePlugin(bridge, [whole]):
        catalog = await catalogs.present()
        await catalog.sync.run()
        found = await catalog.index.find(SearchPhotosArguments())
    assert found.photos == (whole,)
    assert found.photos[0].caption is UNSET
