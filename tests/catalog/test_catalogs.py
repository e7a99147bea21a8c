"""The index of a catalog: kept true to Lightroom, its sets, and the change from one catalog to another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec import UNSET, UnsetType

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs, OpenCatalog, catalog_folder
from safelight.catalog.sync import CatalogSync
from safelight.errors import BridgeError
from safelight.wire.tool_models import SearchPhotosArguments
from tests.bridge.clock import Clock
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


def stale(catalog: OpenCatalog, clock: Clock) -> CatalogSync:
    """A sync of the same index with a clock of its own."""
    return CatalogSync(catalog.source, catalog.index, clock=clock)


async def test_a_hello_fills_the_index_and_a_later_sync_follows_edits_additions_and_deletions(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    async with FakePlugin(bridge, [photo(1, title="Lighthouse"), photo(2), photo(3)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert await ids(catalog) == ["photo-0001", "photo-0002", "photo-0003"]
        plugin.edit("photo-0001", title="Harbour")
        del plugin.photos["photo-0002"]
        plugin.photos["photo-0004"] = photo(4, title="Lighthouse again")
        await catalog.sync.run()
        assert await ids(catalog) == ["photo-0001", "photo-0003", "photo-0004"]
        assert await ids(catalog, text="lighthouse") == ["photo-0004"]
        assert await ids(catalog, text="harbour") == ["photo-0001"]


async def test_a_large_catalog_is_read_in_chunks(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(n) for n in range(1, 5202)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert await catalog.index.count() == 5201
        assert catalog.sync.state.done == catalog.sync.state.total == 5201
        assert plugin.names().count("list_photo_ids") == 2
        assert plugin.names().count("read_photos") == 11


async def test_two_syncs_at_the_same_time_are_one(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        await asyncio.gather(*(catalog.sync.run() for _ in range(5)))
        assert plugin.names() == ["list_photo_ids", "read_photos"]


async def test_a_listing_that_shifts_while_it_is_read_deletes_nothing(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1), photo(2)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        plugin.answer_with("list_photo_ids", {"photo_ids": ["photo-0001"], "total": 2})
        plugin.answer_with("list_photo_ids", {"photo_ids": [], "total": 2})
        await catalog.sync.run()
        assert await ids(catalog) == ["photo-0001", "photo-0002"]


async def test_a_search_within_seconds_of_a_sync_asks_lightroom_nothing(bridge: Bridge, catalogs: Catalogs) -> None:
    clock = Clock()
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        sync = stale(catalog, clock)
        await sync.freshen()
        before = len(plugin.received)
        clock.advance(2.9)
        assert await sync.freshen() is None
        assert len(plugin.received) == before
        plugin.edit("photo-0001", title="New")
        clock.advance(0.2)
        assert await sync.freshen() is None
        assert await ids(catalog, text="new") == ["photo-0001"]


async def test_above_2000_photos_only_new_and_deleted_ones_are_looked_for_between_full_readings(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    clock = Clock()
    async with FakePlugin(bridge, [photo(n) for n in range(1, 2002)]) as plugin:
        catalog = await catalogs.present()
        sync = stale(catalog, clock)
        await sync.run()
        plugin.edit("photo-0001", title="Edited outside")
        plugin.photos["photo-2002"] = photo(2002, title="New")
        clock.advance(10)
        await sync.freshen()
        assert await ids(catalog, text="new") == ["photo-2002"]
        assert await ids(catalog, text="outside") == []
        clock.advance(300)
        await sync.freshen()
        await sync.run()
        assert await ids(catalog, text="outside") == ["photo-0001"]


async def test_with_lightroom_away_a_filled_index_still_answers_and_says_so(bridge: Bridge, catalogs: Catalogs) -> None:
    clock = Clock()
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        sync = stale(catalog, clock)
        await sync.run()
        clock.advance(60)
        plugin.fail("list_photo_ids", "AGENTS_OFF")
        warning = await sync.freshen()
        assert warning is not None
        assert warning.startswith("This is the catalog as Safelight last saw it. AI agents are turned off")


async def test_an_index_that_was_never_filled_does_not_pass_for_an_empty_catalog(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        plugin.fail("list_photo_ids", "CATALOG_BUSY", retriable=True, times=2)
        catalog = await catalogs.present()
        with pytest.raises(BridgeError, match="busy"):
            await stale(catalog, Clock()).freshen()


async def test_a_search_does_not_wait_for_ever_for_a_slow_lightroom(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        released = plugin.hold("read_photos")
        catalog = await catalogs.present()
        warning = await catalog.sync.freshen(patience_s=0.05)
        assert warning == "Safelight is still reading the catalog (0 of 1 photos); more may be found later."
        released.set()
        await catalog.sync.run()


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


@requirement("bridge.identity")
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
