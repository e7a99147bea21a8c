"""How the index of a catalog is kept true to Lightroom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from safelight.bridge.bridge import Bridge
from safelight.catalog.catalogs import Catalogs, OpenCatalog
from safelight.catalog.sync import FULL_EVERY_S, SMALL_CATALOG, UNTOLD_EVERY_S, CatalogSync
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
    return CatalogSync(catalog.source, catalog.index, clock=clock, now=clock)


def listed(plugin: FakePlugin, source: str = "all") -> list[Any]:
    """The listings of one source that the plug-in was asked for."""
    return [c for c in plugin.received if c.name == "list_photo_ids" and c.arguments["source"] == source]


def read(plugin: FakePlugin) -> list[str]:
    """The photos that the plug-in was asked to read, in order."""
    return [i for c in plugin.received if c.name == "read_photos" for i in c.arguments["photo_ids"]]


@requirement("index.catalog")
async def test_a_hello_fills_the_index_and_a_later_sync_follows_edits_additions_and_deletions(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    """LrGenius #6: photos that were deleted stayed in the index."""
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
    """LrGenius #192, #132, #108: large catalogs were read at once, until the memory was used up."""
    async with FakePlugin(bridge, [photo(n) for n in range(1, 5202)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert await catalog.index.count() == 5201
        assert catalog.sync.state.done == catalog.sync.state.total == 5201
        assert len(listed(plugin)) == 2
        assert plugin.names().count("read_photos") == 11


async def test_a_search_in_a_filled_index_hardly_waits_for_what_is_new(bridge: Bridge, catalogs: Catalogs) -> None:
    clock = Clock()
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        released = plugin.hold("list_photo_ids")
        sync = stale(catalog, clock)
        warning = await sync.freshen(patience_s=0.05)
        assert warning is not None
        assert warning.startswith("Safelight is still catching up with Lightroom")
        released.set()
        await sync.run()
        assert await sync.freshen() is None


async def test_two_syncs_at_the_same_time_are_one(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        await asyncio.gather(*(catalog.sync.run() for _ in range(5)))
        assert plugin.names() == ["list_photo_ids", "read_photos", "list_photo_ids"]
        assert (len(listed(plugin)), len(listed(plugin, "adjusted"))) == (1, 1)


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


@requirement("index.catalog")
async def test_only_photos_that_are_new_or_were_edited_are_read_again(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(n) for n in range(1, 2502)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        plugin.received.clear()
        await catalog.sync.run()
        assert plugin.names() == ["list_photo_ids"]
        plugin.edit("photo-0007", title="Edited outside")
        plugin.photos["photo-2502"] = photo(2502, title="New")
        del plugin.photos["photo-0001"]
        plugin.received.clear()
        await catalog.sync.run()
        assert read(plugin) == ["photo-0007", "photo-2502"]
        assert await ids(catalog, text="outside OR new") == ["photo-0007", "photo-2502"]
        assert await catalog.index.count() == 2501


async def test_photos_of_which_lightroom_tells_no_time_of_edit_are_read_each_time(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    async with FakePlugin(bridge, [photo(1), photo(2, edited=UNSET)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        plugin.photos["photo-0002"] = photo(2, edited=UNSET, title="Edited outside")
        plugin.received.clear()
        await catalog.sync.run()
        assert read(plugin) == ["photo-0002"]
        assert await ids(catalog, text="outside") == ["photo-0002"]


async def test_a_plug_in_that_tells_no_times_at_all_has_many_photos_read_every_five_minutes(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    clock = Clock()
    async with FakePlugin(bridge, [photo(n, edited=UNSET) for n in range(1, SMALL_CATALOG + 2)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        sync = stale(catalog, clock)
        await catalog.index.note_full(clock())
        plugin.photos["photo-0001"] = photo(1, edited=UNSET, title="Edited outside")
        plugin.photos["photo-9000"] = photo(9000, edited=UNSET, title="New")
        clock.advance(10)
        await sync.freshen()
        assert await ids(catalog, text="outside OR new") == ["photo-9000"]
        clock.advance(UNTOLD_EVERY_S)
        await sync.freshen()
        await sync.read_all()
        assert await ids(catalog, text="outside OR new") == ["photo-0001", "photo-9000"]


async def test_what_changes_no_time_of_edit_is_seen_within_an_hour(bridge: Bridge, catalogs: Catalogs) -> None:
    clock = Clock()
    async with FakePlugin(bridge, [photo(1), photo(2)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        sync = stale(catalog, clock)
        await catalog.index.note_full(clock())
        plugin.photos["photo-0001"] = photo(1, keywords=["Renamed"])
        clock.advance(FULL_EVERY_S - 1)
        await sync.freshen()
        assert not sync.state.running
        assert await ids(catalog, text="renamed") == []
        clock.advance(4)
        await sync.freshen()
        await sync.read_all()
        assert await ids(catalog, text="renamed") == ["photo-0001"]
        assert await catalog.index.full_at() == clock()


async def test_a_search_catches_up_while_the_whole_catalog_is_read(bridge: Bridge, catalogs: Catalogs) -> None:
    async with FakePlugin(bridge, [photo(n) for n in range(1, 1502)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        await catalog.index.note_full(0.0)
        await plugin.reached("read_photos")
        released = plugin.hold("read_photos")
        reading = asyncio.create_task(catalog.sync.read_all())
        await plugin.reached("read_photos")
        plugin.photos["photo-2000"] = photo(2000, title="New")
        catching_up = asyncio.create_task(catalog.sync.run())
        released.set()
        await catching_up
        assert await ids(catalog, text="new") == ["photo-2000"]
        assert not reading.done()
        await reading
        assert catalog.sync.state.done == catalog.sync.state.total == 1501


async def test_a_reading_that_nobody_wants_any_more_ends_and_another_one_goes_on(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    async with FakePlugin(bridge, [photo(n) for n in range(1, 1502)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        await catalog.index.note_full(0.0)
        told: list[tuple[int, int]] = []

        def once(done: int, total: int) -> bool:
            told.append((done, total))
            return done == 0

        plugin.received.clear()
        await catalog.sync.read_all(once)
        assert len(read(plugin)) == 500
        assert told[-1] == (500, 1501)
        assert await catalog.index.full_at() == 0.0
        patient = asyncio.create_task(catalog.sync.read_all(lambda done, total: True))
        await asyncio.gather(catalog.sync.read_all(once), patient)
        assert await catalog.index.full_at() != 0.0


async def test_which_photos_are_adjusted_follows_their_edits(bridge: Bridge, catalogs: Catalogs) -> None:
    adjusted = SearchPhotosArguments(adjusted=True, sort="file_name")
    async with FakePlugin(bridge, [photo(1), photo(2), photo(3)]) as plugin:
        plugin.adjusted = {"photo-0001", "photo-0003"}
        catalog = await catalogs.present()
        await catalog.sync.run()
        assert (await catalog.index.search(adjusted))[0] == ("photo-0001", "photo-0003")
        assert (await catalog.index.find(SearchPhotosArguments())).adjusted == {"photo-0001", "photo-0003"}
        plugin.adjusted = {"photo-0002"}
        for photo_id in ("photo-0001", "photo-0002", "photo-0003"):
            plugin.edit(photo_id)
        await catalog.sync.run()
        assert (await catalog.index.search(adjusted))[0] == ("photo-0002",)


@pytest.mark.parametrize("code", ["UNSUPPORTED", "UNKNOWN_COMMAND", "LIGHTROOM_ERROR"])
async def test_where_lightroom_does_not_tell_what_is_adjusted_a_search_says_so(
    bridge: Bridge, catalogs: Catalogs, code: str
) -> None:
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        released = plugin.hold("read_photos")
        catalog = await catalogs.present()
        await plugin.reached("read_photos")
        plugin.fail("list_photo_ids", code)
        released.set()
        await catalog.sync.run()
        found = await catalog.index.find(SearchPhotosArguments(adjusted=True))
        assert (found.count, len(found.warnings)) == (0, 1)
        assert await ids(catalog) == ["photo-0001"]


async def test_a_photo_that_another_call_adds_while_photos_are_listed_is_not_taken_for_deleted(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        await plugin.reached("list_photo_ids")
        released = plugin.hold("list_photo_ids")
        syncing = asyncio.create_task(catalog.sync.run())
        await plugin.reached("list_photo_ids")
        await catalog.index.update([photo(2)])
        released.set()
        await syncing
        assert await ids(catalog) == ["photo-0001", "photo-0002"]


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
        assert warning == "Safelight has not read the whole catalog yet (0 of 1 photos); more may be found later."
        released.set()
        await catalog.sync.run()


async def test_a_search_that_waits_for_an_index_that_is_closed_fails_in_words(
    bridge: Bridge, catalogs: Catalogs
) -> None:
    """Not by being cancelled, which would end the chat that searches."""
    async with FakePlugin(bridge, [photo(1)]) as plugin:
        catalog = await catalogs.present()
        await catalog.sync.run()
        await plugin.reached("list_photo_ids")
        plugin.hold("list_photo_ids")
        sync = stale(catalog, Clock())
        waiting = [asyncio.create_task(sync.freshen()), asyncio.create_task(sync.read_all())]
        await plugin.reached("list_photo_ids")
        await sync.close()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [getattr(outcome, "tool_code", outcome) for outcome in outcomes] == ["INDEX_DAMAGED"] * 2
