"""A Lightroom that takes a moment to select what it is told to select."""

from __future__ import annotations

import pytest

from safelight.lightroom.catalog import ViewFilter
from tests.plugin.develop_rig import Rig
from tests.plugin.fake_bridge import Refused
from tests.requirement import requirement

A_MOMENT = 0.3


@requirement("plugin.always-on")
def test_photos_in_sight_are_shown_without_leaving_the_source(rig: Rig) -> None:
    favourites = rig.catalog.collection("Favourites")
    rig.catalog.show_sources([favourites.local_id])
    rig.lightroom.settle_selection_after(A_MOMENT)
    wanted = [rig.catalog.by_id(local_id).uuid for local_id in favourites.photo_ids[:2]]
    assert rig.ask("show_photos", {"photo_ids": wanted})["shown"] == 2
    assert rig.catalog.sources == (favourites.local_id,)
    assert rig.catalog.selection == tuple(wanted)


@requirement("bridge.identity")
def test_the_view_is_read_and_the_selection_comes_back(rig: Rig) -> None:
    rig.catalog.filter_view(ViewFilter(is_active=True, min_rating=1))
    seen = [rig.catalog.by_id(local_id).uuid for local_id in rig.catalog.visible_ids()]
    rig.catalog.select(seen[:2])
    rig.lightroom.settle_selection_after(A_MOMENT)
    assert rig.ask("list_photo_ids", {"source": "view", "offset": 0, "limit": 100})["photo_ids"] == seen
    rig.lightroom.advance(A_MOMENT)
    assert rig.catalog.selection == tuple(seen[:2])


@requirement("bridge.identity")
def test_a_view_that_cannot_be_read_in_time_is_an_error_and_the_selection_comes_back(rig: Rig) -> None:
    """Never the selected photos instead of those in view."""
    rig.catalog.filter_view(ViewFilter(is_active=True, min_rating=1))
    seen = [rig.catalog.by_id(local_id).uuid for local_id in rig.catalog.visible_ids()]
    rig.catalog.select(seen[:2])
    rig.lightroom.settle_selection_after(2)
    with pytest.raises(Refused, match="the photos in view could not be read"):
        rig.ask("list_photo_ids", {"source": "view", "offset": 0, "limit": 100})
    rig.lightroom.advance(5)
    assert rig.catalog.selection == tuple(seen[:2])


@requirement("tool.list-change")
def test_the_right_photos_are_copied_and_the_selection_comes_back(rig: Rig) -> None:
    selected, wanted = rig.ids(7, 8), rig.ids(3, 4)
    rig.catalog.select(selected)
    rig.lightroom.settle_selection_after(A_MOMENT)
    report = rig.ask("create_virtual_copies", {"photo_ids": wanted})
    made = {record["photo_id"]: rig.catalog.photo(record["copy_id"]).copy_of for record in report["copies"]}
    assert made == {photo_id: rig.catalog.photo(photo_id).local_id for photo_id in wanted}
    rig.lightroom.advance(A_MOMENT)
    assert rig.catalog.selection == tuple(selected)
