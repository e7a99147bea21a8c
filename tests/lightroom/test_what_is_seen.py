"""What the Library shows, as the doubles tell it: sources, subfolders, and the three bars of the filter."""

from __future__ import annotations

import pytest

from safelight.lightroom import PluginError, SimulatedLightroom
from safelight.lightroom.catalog import ViewFilter
from tests.lightroom.misuse import PREAMBLE
from tests.requirement import requirement

FOLDER = "/Users/you/Wedding"


def fill_folders(alone: SimulatedLightroom) -> None:
    """Puts the first three photos into a folder and the next three into one below it."""
    catalog = alone.catalog
    for place, photo in enumerate(catalog.photos()[:6]):
        folder = FOLDER if place < 3 else f"{FOLDER}/Rejects"
        catalog.change_photo(photo.local_id, path=f"{folder}/{photo.file_name}")
    catalog.show_sources([FOLDER])


@requirement("lightroom.simulator")
def test_the_three_bars_of_the_filter_are_on_or_off_by_themselves(alone: SimulatedLightroom) -> None:
    name = alone.catalog.photos()[0].file_name
    alone.catalog.filter_view(ViewFilter(is_searched=True, search=name))
    alone.run_lua(
        PREAMBLE
        + f"""
        local filter = catalog:getCurrentViewFilter()
        assert(filter.searchStringActive and filter.searchString == "{name}")
        assert(not filter.filtersActive and not filter.columnBrowserActive)
        filter.searchStringActive = false
        assert(catalog:setViewFilter(filter))
        assert(not catalog:setViewFilter(filter))
        """
    )
    assert alone.catalog.view_filter == ViewFilter(search=name)


@requirement("lightroom.simulator")
def test_a_folder_is_seen_with_or_without_those_below_it(alone: SimulatedLightroom) -> None:
    fill_folders(alone)
    assert len(alone.catalog.visible_ids()) == 6
    alone.catalog.show_subfolders(shown=False)
    assert len(alone.catalog.visible_ids()) == 3
    alone.run_lua(
        PREAMBLE
        + """
        local folder = catalog:getActiveSources()[1]
        assert(#folder:getPhotos(true) == 6 and #folder:getPhotos(false) == 3)
        local below = folder:getChildren()
        assert(#below == 1 and below[1]:getName() == "Rejects" and #below[1]:getChildren() == 0)
        """
    )


@requirement("lightroom.simulator")
def test_folders_and_collections_are_not_seen_at_once(alone: SimulatedLightroom) -> None:
    fill_folders(alone)
    folder = PREAMBLE + "local folder = catalog:getActiveSources()[1] "
    alone.run_lua(folder + "catalog:setActiveSources({ folder, folder:getChildren()[1] })")
    with pytest.raises(PluginError, match="cannot be mixed"):
        alone.run_lua(folder + "catalog:setActiveSources({ folder, catalog:getChildCollections()[1] })")
