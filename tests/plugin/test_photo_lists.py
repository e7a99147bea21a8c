"""Lists of photo ids: from where, in pages, and how many photos are read for one."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import Catalog, Photo, SimulatedLightroom
from tests.lightroom.no_pictures import NoPictures
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement

MANY = 100_000
PAGE = 5000


def page(bridge: FakeBridge, source: str, **more: Any) -> dict[str, Any]:
    return bridge.ask("list_photo_ids", {"source": source, "offset": 0, "limit": PAGE, **more})


def ids(bridge: FakeBridge, source: str, **more: Any) -> list[str]:
    return page(bridge, source, **more)["photo_ids"]


@pytest.fixture
def large(bridge: FakeBridge, data_folder: Path) -> Generator[SimulatedLightroom]:
    """A catalog of a hundred thousand photos."""
    photos = [
        Photo(local_id=number, uuid=f"photo-{number}", path=f"/p/{number}.jpg", file_name=f"{number}.jpg")
        for number in range(1, MANY + 1)
    ]
    with SimulatedLightroom(Catalog(photos, NoPictures(), path="/c.lrcat"), data_folder=data_folder) as simulated:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        yield simulated
        assert simulated.errors == ()


@requirement("bridge.identity")
def test_photo_ids_come_in_pages_with_the_total(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    """Automaat #23: whole lists in one answer were too large for it."""
    found: list[str] = []
    for offset in (0, 25, 50, 75):
        one = page(bridge, "all", offset=offset, limit=25)
        assert one["total"] == 60
        assert "edited" not in one
        found += one["photo_ids"]
    assert found == [photo.uuid for photo in lightroom.catalog.photos()]


@requirement("bridge.identity")
def test_the_selection_is_what_is_selected(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    assert ids(bridge, "selection") == list(lightroom.catalog.selection)


@requirement("bridge.identity")
def test_no_selection_is_an_error_and_never_the_whole_filmstrip(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """4xiomdev's lightroom-classic-mcp edits the whole filmstrip when nothing is selected."""
    lightroom.catalog.select([])
    with pytest.raises(Refused) as refused:
        ids(bridge, "selection")
    assert refused.value.code == "NO_SELECTION"


@requirement("bridge.identity")
@pytest.mark.parametrize("name", ["Favourites", "Five Stars", "Trips"], ids=["a collection", "a smart one", "a set"])
def test_the_photos_of_a_collection_of_any_kind_are_listed(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str
) -> None:
    catalog = lightroom.catalog
    local_id = catalog.collection(name).local_id
    expected = [catalog.by_id(one).uuid for one in catalog.photos_in(local_id)]
    assert expected
    assert ids(bridge, "collection", collection_id=str(local_id)) == expected


@requirement("bridge.identity")
def test_a_photo_in_two_collections_of_a_set_is_listed_once(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    catalog = lightroom.catalog
    trips = catalog.collection("Trips").local_id
    portugal = catalog.collection("Portugal").photo_ids
    catalog.add_collection("Again", parent=trips, photo_ids=portugal)
    assert len(ids(bridge, "collection", collection_id=str(trips))) == len(portugal)


@requirement("bridge.identity")
@pytest.mark.parametrize("more", [{}, {"collection_id": "99"}, {"collection_id": "Trips"}], ids=str)
def test_an_unknown_collection_is_an_error_and_never_everything(
    bridge: FakeBridge, lightroom: SimulatedLightroom, more: dict[str, str]
) -> None:
    with pytest.raises(Refused, match="COLLECTION_NOT_FOUND"):
        ids(bridge, "collection", **more)


@requirement("bridge.identity")
def test_adjusted_photos_are_those_with_develop_settings_oldest_first(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    catalog = lightroom.catalog
    for photo in catalog.photos():
        catalog.change_photo(photo.local_id, develop=None)
    assert page(bridge, "adjusted") == {"photo_ids": [], "total": 0}
    chosen = catalog.photos()[5:12]
    for photo in chosen:
        catalog.change_photo(photo.local_id, develop={"Exposure2012": 0.5})
    in_order = sorted(chosen, key=lambda photo: photo.captured.isoformat() if photo.captured else "")
    assert ids(bridge, "adjusted") == [photo.uuid for photo in in_order]
    parts = [ids(bridge, "adjusted", offset=offset, limit=3) for offset in (0, 3, 6, 9)]
    assert [len(part) for part in parts] == [3, 3, 1, 0]
    assert [photo_id for part in parts for photo_id in part] == [photo.uuid for photo in in_order]


@requirement("bridge.identity")
def test_each_photo_tells_when_it_was_edited(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    catalog = lightroom.catalog
    first, second, third = catalog.photos()[:3]
    catalog.change_photo(first.local_id, last_edit=7.5e8)
    catalog.change_photo(second.local_id, last_edit=float("nan"))
    one = page(bridge, "all", with_edited=True)
    assert len(one["edited"]) == len(one["photo_ids"]) == 60
    assert one["edited"][:3] == [7.5e8, 0, third.last_edit]


@requirement("bridge.chunks")
def test_a_hundred_thousand_photos_are_listed_in_pages_and_each_is_read_once(
    bridge: FakeBridge, large: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LrGenius #192, #132, #108: all of 62,000 photos at once, until the memory was used up."""
    read: dict[int, int] = {}
    by_id = large.catalog.by_id

    def count(local_id: int) -> Photo:
        read[local_id] = read.get(local_id, 0) + 1
        return by_id(local_id)

    monkeypatch.setattr(large.catalog, "by_id", count)
    found: list[str] = []
    for offset in range(0, MANY, PAGE):
        one = page(bridge, "all", offset=offset, with_edited=True)
        assert (one["total"], len(one["photo_ids"]), len(one["edited"])) == (MANY, PAGE, PAGE)
        found += one["photo_ids"]
    assert found == [f"photo-{number}" for number in range(1, MANY + 1)]
    assert set(read.values()) == {1}
    assert len(read) == MANY
