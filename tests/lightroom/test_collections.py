"""Collections, smart collections and sets of the simulated Lightroom, as a plug-in's Lua sees them."""

from __future__ import annotations

import pytest

from safelight.lightroom import Catalog, PluginError, SimulatedLightroom
from tests.lightroom.misuse import PREAMBLE
from tests.requirement import requirement


@requirement("lightroom.simulator")
def test_a_name_that_is_taken_gives_nil_or_the_prior_one(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local again, prior, asSet
        gate(function()
            again = catalog:createCollection("Favourites", nil, false)
            prior = catalog:createCollection("Favourites", nil, true)
            asSet = catalog:createCollectionSet("Favourites", nil, true)
        end)
        assert(again == nil and asSet == nil)
        assert(prior == catalog:getChildCollections()[1])
        """
    )
    assert alone.catalog.undo_names == ()


@requirement("lightroom.simulator")
def test_the_same_name_may_stand_in_different_sets(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local trips, made = catalog:getChildCollectionSets()[1]
        gate(function() made = catalog:createCollection("Favourites", trips, false) end)
        assert(made:getParent() == trips and trips:getParent() == nil)
        assert(made ~= catalog:getChildCollections()[1])
        """
    )
    assert [one.name for one in alone.catalog.collections()].count("Favourites") == 2


@requirement("lightroom.simulator")
def test_a_gate_that_throws_takes_collections_back(alone: SimulatedLightroom) -> None:
    before = alone.catalog.collections()
    with pytest.raises(PluginError, match="halfway"):
        alone.run_lua(
            PREAMBLE
            + """
            local first, second = unpack(catalog:getChildCollections())
            gate(function()
                catalog:createCollection("New", nil, false)
                catalog:createCollectionSet("Sets", nil, false)
                first:removePhotos({ photo })
                second:delete()
                error("halfway")
            end)
            """
        )
    assert alone.catalog.collections() == before
    assert alone.catalog.undo_names == ()


@requirement("lightroom.simulator")
def test_what_a_gate_that_threw_had_made_is_gone_for_good(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local made, other
        LrTasks.pcall(gate, function() made = catalog:createCollection("New", nil, false) error("halfway") end)
        gate(function() other = catalog:createCollection("Other", nil, false) end)
        assert(other:getName() == "Other")
        assert(not LrTasks.pcall(function() return made:getName() end))
        """
    )


@requirement("lightroom.simulator")
def test_a_set_is_deleted_with_all_that_is_in_it(alone: SimulatedLightroom) -> None:
    alone.catalog.show_sources([alone.catalog.collection("Trips").local_id])
    alone.run_lua(PREAMBLE + "local s = catalog:getChildCollectionSets()[1] gate(function() s:delete() end)")
    assert {one.name for one in alone.catalog.collections()} == {"Favourites", "Five Stars"}
    assert alone.catalog.sources == ("kAllPhotos",), "what is gone is not shown"
    assert alone.catalog.undo_names == ("Test",)


@requirement("lightroom.simulator")
def test_photos_leave_a_collection_and_stay_in_the_catalog(alone: SimulatedLightroom) -> None:
    catalog = alone.catalog
    members = catalog.collection("Favourites").photo_ids
    alone.run_lua(
        PREAMBLE
        + """
        local favourites = catalog:getChildCollections()[1]
        local photos = favourites:getPhotos()
        assert(photos[1]:getContainedCollections()[1] == favourites)
        gate(function() favourites:removePhotos({ photos[1], photos[1] }) end)
        assert(#favourites:getPhotos() == #photos - 1)
        assert(#photos[1]:getContainedCollections() == 0)
        """
    )
    assert catalog.collection("Favourites").photo_ids == members[1:]
    assert members[0] in catalog.ids()


@requirement("lightroom.simulator")
def test_a_smart_collection_follows_its_rules(alone: SimulatedLightroom) -> None:
    catalog = alone.catalog
    unrated = [photo for photo in catalog.photos() if photo.rating is None]
    smart = catalog.collection("Five Stars").local_id
    before = catalog.photos_in(smart)
    assert before == [photo.local_id for photo in catalog.photos() if photo.rating == 5]
    catalog.change_photo(unrated[0].local_id, rating=5)
    assert set(catalog.photos_in(smart)) == {*before, unrated[0].local_id}


@requirement("lightroom.simulator")
def test_a_smart_collection_tells_its_rules(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local made
        gate(function()
            made = catalog:createSmartCollection("Good of 2024", {
                { criteria = "rating", operation = ">=", value = 3 },
                { criteria = "captureTime", operation = "in", value = "2024-01-01", value2 = "2024-12-31" },
                combine = "intersect",
            }, nil, false)
        end)
        local description = made:getSearchDescription()
        assert(made:isSmartCollection() and description.combine == "intersect" and #description == 2)
        assert(description[2].operation == "in" and description[2].value2 == "2024-12-31")
        """
    )
    expected = [
        photo.local_id
        for photo in alone.catalog.photos()
        if (photo.rating or 0) >= 3 and photo.captured is not None and photo.captured.year == 2024
    ]
    assert alone.catalog.photos_in(alone.catalog.collection("Good of 2024").local_id) == expected


@requirement("lightroom.simulator")
def test_found_photos_come_newest_first_unless_asked_otherwise(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local search = { criteria = "rating", operation = ">=", value = 1 }
        local newest = catalog:findPhotos({ searchDesc = search })
        local oldest = catalog:findPhotos({ searchDesc = search, sort = "captureTime", ascending = true })
        local times = catalog:batchGetRawMetadata(newest, { "dateTimeOriginal" })
        assert(#newest == #oldest and #newest > 5)
        for index = 2, #newest do
            assert(times[newest[index - 1]].dateTimeOriginal >= times[newest[index]].dateTimeOriginal)
            assert(times[oldest[index - 1]].dateTimeOriginal <= times[oldest[index]].dateTimeOriginal)
        end
        """
    )


@requirement("lightroom.simulator")
def test_a_photo_in_two_collections_of_a_set_is_in_the_set_once(catalog: Catalog) -> None:
    first, second = (photo.local_id for photo in catalog.photos()[:2])
    outer = catalog.add_collection("Outer", "set").local_id
    inner = catalog.add_collection("Inner", "set", outer).local_id
    catalog.add_collection("A", parent=outer, photo_ids=[first])
    catalog.add_collection("B", parent=inner, photo_ids=[first, second])
    assert sorted(catalog.photos_in(outer)) == sorted([first, second])
