"""Commands that change the catalog or the view: what is written, what is reported, and what can go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import Catalog, ManualClock, SimulatedLightroom
from safelight.lightroom.catalog import ViewFilter
from tests.plugin.fake_bridge import FakeBridge, Refused, outcome
from tests.requirement import requirement


def uuids(catalog: Catalog, count: int) -> list[str]:
    return [photo.uuid for photo in catalog.photos()[:count]]


def rate(bridge: FakeBridge, ids: list[str], rating: int, **options: Any) -> dict[str, Any]:
    changes = [{"photo_id": photo_id, "rating": rating} for photo_id in ids]
    return bridge.ask("write_photos", {"undo_name": "Rate Photos", "changes": changes}, **options)


@requirement("bridge.chunks")
@pytest.mark.parametrize("rating", [0, 1, 5])
def test_ratings_are_written_and_read_back(bridge: FakeBridge, lightroom: SimulatedLightroom, rating: int) -> None:
    ids = uuids(lightroom.catalog, 12)
    report = rate(bridge, ids, rating)
    assert [record["photo_id"] for record in report["applied"]] == ids
    assert {record["rating"] for record in report["applied"]} == {rating}
    assert (report["failed"], report["not_attempted"]) == ([], [])
    assert "stopped" not in report
    assert {lightroom.catalog.photo(photo_id).rating for photo_id in ids} == {rating or None}
    assert lightroom.catalog.undo_names == ("Rate Photos",)


@requirement("bridge.chunks")
def test_texts_are_written_and_taken_away_and_other_fields_stay(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    first, second = lightroom.catalog.photos()[:2]
    changes = [
        {"photo_id": first.uuid, "title": 'Zoë & "Bruno" 📷', "caption": ""},
        {"photo_id": second.uuid, "caption": "line one\nline two"},
    ]
    bridge.ask("write_photos", {"undo_name": "Describe", "changes": changes})
    now = lightroom.catalog
    assert (now.photo(first.uuid).title, now.photo(first.uuid).caption) == ('Zoë & "Bruno" 📷', "")
    assert (now.photo(second.uuid).title, now.photo(second.uuid).caption) == (second.title, "line one\nline two")
    assert now.photo(first.uuid).rating == first.rating


@requirement("bridge.chunks")
def test_many_photos_are_written_in_short_gates(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    report = rate(bridge, uuids(timed.catalog, 120), 4)
    assert len(report["applied"]) == 120
    assert timed.catalog.undo_names == ("Rate Photos",) * 3


@requirement("bridge.identity")
def test_unknown_photos_fail_and_the_others_are_written(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    known = uuids(lightroom.catalog, 1)
    report = rate(bridge, ["nobody", *known], 2)
    assert [record["photo_id"] for record in report["applied"]] == known
    (failure,) = report["failed"]
    assert (failure["photo_id"], failure["code"]) == ("nobody", "PHOTO_NOT_FOUND")


@requirement("bridge.chunks")
def test_a_photo_that_lightroom_refuses_fails_alone(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = uuids(lightroom.catalog, 2)
    # bytes that are no text: the simulated Lightroom refuses them as the real one refuses what it cannot keep
    refusing = lightroom.catalog.photo(first).local_id
    change = lightroom.catalog.change_photo

    def refuse(local_id: int, **values: Any) -> None:
        from safelight.lightroom.metadata import LightroomRefusal

        if local_id == refusing:
            raise LightroomRefusal("the photo is locked")
        change(local_id, **values)

    monkeypatch.setattr(lightroom.catalog, "change_photo", refuse)
    report = rate(bridge, [first, second], 3)
    assert [record["photo_id"] for record in report["applied"]] == [second]
    (failure,) = report["failed"]
    assert (failure["photo_id"], failure["code"]) == (first, "LIGHTROOM_ERROR")
    assert "rating: " in failure["message"]
    assert "the photo is locked" in failure["message"]


@requirement("bridge.chunks")
def test_a_write_that_does_not_take_is_reported_as_failed(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:

    def change_nothing(local_id: int, **values: Any) -> None:
        pass

    monkeypatch.setattr(lightroom.catalog, "change_photo", change_nothing)
    ids = [photo.uuid for photo in lightroom.catalog.photos() if photo.rating == 5][:2]
    report = rate(bridge, ids, 1)
    assert report["applied"] == []
    assert [failure["message"] for failure in report["failed"]] == ["the rating reads 5 after the write"] * 2


@requirement("bridge.chunks")
def test_a_busy_catalog_is_a_retriable_error_and_changes_nothing(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    """Automaat #226: "blocked by another write access call", and 45 s for each write."""
    timed.busy_for(60)
    ids = uuids(timed.catalog, 3)
    before = timed.catalog.photos()
    command = bridge.send(
        "write_photos", {"undo_name": "Rate", "changes": [{"photo_id": photo_id, "rating": 1} for photo_id in ids]}
    )
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the gate to be asked for")
    timed.advance(5.1)
    with pytest.raises(Refused) as refused:
        outcome("write_photos", bridge.result(command))
    assert (refused.value.code, refused.value.retriable) == ("CATALOG_BUSY", True)
    assert timed.catalog.photos() == before


@requirement("bridge.chunks")
def test_a_catalog_that_is_busy_for_a_moment_is_waited_for(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    timed.busy_for(3)
    ids = uuids(timed.catalog, 3)
    command = bridge.send(
        "write_photos", {"undo_name": "Rate", "changes": [{"photo_id": photo_id, "rating": 1} for photo_id in ids]}
    )
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the gate to be asked for")
    timed.advance(3.1)
    assert len(outcome("write_photos", bridge.result(command))["applied"]) == 3


@requirement("bridge.chunks")
def test_a_catalog_that_becomes_busy_halfway_leaves_the_rest_not_attempted(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    ids = uuids(timed.catalog, 120)
    timed.busy_after_gates(1, 60)
    command = bridge.send(
        "write_photos", {"undo_name": "Rate", "changes": [{"photo_id": photo_id, "rating": 1} for photo_id in ids]}
    )
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the second gate to be asked for")
    timed.advance(5.1)
    report = outcome("write_photos", bridge.result(command))
    assert [record["photo_id"] for record in report["applied"]] == ids[:50]
    assert report["not_attempted"] == ids[50:]
    assert report["stopped"]["code"] == "CATALOG_BUSY"
    assert [photo.rating for photo in timed.catalog.photos()][:50] == [1] * 50


@requirement("bridge.delivery")
def test_a_write_stops_at_its_deadline_with_a_report(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    ids = uuids(timed.catalog, 120)
    timed.busy_after_gates(1, 4.5)
    command = bridge.send(
        "write_photos",
        {"undo_name": "Rate", "changes": [{"photo_id": photo_id, "rating": 1} for photo_id in ids]},
        deadline=6.0,
    )
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the second gate to be asked for")
    timed.advance(4.1)
    report = outcome("write_photos", bridge.result(command))
    assert len(report["applied"]) == 50
    assert report["not_attempted"] == ids[50:]
    assert report["stopped"]["code"] == "CATALOG_BUSY"


@requirement("bridge.delivery")
@pytest.mark.parametrize("name", ["write_photos", "add_to_collection"])
def test_a_write_whose_time_is_up_between_two_gates_says_so(
    bridge: FakeBridge, timed: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    ids = uuids(timed.catalog, 120)
    arguments: dict[str, Any] = {"undo_name": "Rate", "changes": [{"photo_id": i, "rating": 1} for i in ids]}
    if name == "add_to_collection":
        made = bridge.ask("create_collection", {"path": ["All"]})
        arguments = {"collection_id": made["collection_id"], "photo_ids": ids}
    method = {"write_photos": "change_photo", "add_to_collection": "add_to_collection"}[name]
    change = getattr(timed.catalog, method)
    clock = timed.scheduler.clock
    assert isinstance(clock, ManualClock)

    def take_long(*given: Any, **values: Any) -> None:
        change(*given, **values)
        clock.move_to(clock.now() + 60)

    monkeypatch.setattr(timed.catalog, method, take_long)
    report = bridge.ask(name, arguments)
    assert (len(report["applied"]), report["not_attempted"]) == (50, ids[50:])
    assert report["stopped"] == {"code": "TIMEOUT", "message": "the plug-in ran out of time before it was done"}


@requirement("bridge.delivery")
def test_a_write_without_time_to_begin_is_a_retriable_time_out(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    with pytest.raises(Refused) as refused:
        rate(bridge, uuids(lightroom.catalog, 1), 1, deadline=0.0)
    assert (refused.value.code, refused.value.retriable) == ("TIMEOUT", True)
    assert lightroom.catalog.undo_names == ()


@requirement("plugin.always-on")
def test_photos_are_shown_in_the_grid_and_selected(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.catalog.show(module="develop", view="develop_loupe")
    ids = [photo.uuid for photo in lightroom.catalog.photos()[10:14]]
    assert bridge.ask("show_photos", {"photo_ids": [*ids, "nobody"]}) == {"shown": 4, "missing": ["nobody"]}
    assert lightroom.catalog.view == ("library", "grid")
    assert lightroom.catalog.selection == tuple(ids)


@requirement("plugin.always-on")
def test_the_source_stays_when_it_holds_the_photos(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    catalog = lightroom.catalog
    favourites = catalog.collection("Favourites")
    catalog.show_sources([favourites.local_id])
    ids = [catalog.by_id(local_id).uuid for local_id in favourites.photo_ids[:2]]
    assert bridge.ask("show_photos", {"photo_ids": ids})["shown"] == 2
    assert catalog.sources == (favourites.local_id,)


@requirement("plugin.always-on")
@pytest.mark.parametrize(
    "view_filter",
    [
        ViewFilter(is_active=True, min_rating=5),
        ViewFilter(is_searched=True, search="no such name"),
        ViewFilter(is_browsed=True, camera="none"),
    ],
    ids=["stars", "a text", "a camera"],
)
def test_hidden_photos_are_shown_by_going_to_all_photos_without_a_filter(
    bridge: FakeBridge, lightroom: SimulatedLightroom, view_filter: ViewFilter
) -> None:
    catalog = lightroom.catalog
    catalog.show_sources([catalog.collection("Favourites").local_id])
    catalog.filter_view(view_filter)
    ids = [photo.uuid for photo in catalog.photos() if photo.rating is None][:3]
    assert bridge.ask("show_photos", {"photo_ids": ids})["shown"] == 3
    assert catalog.selection == tuple(ids)
    assert catalog.sources == ("kAllPhotos",)


@requirement("bridge.identity")
def test_showing_only_unknown_photos_is_an_error(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    before = lightroom.catalog.selection
    with pytest.raises(Refused, match="PHOTO_NOT_FOUND"):
        bridge.ask("show_photos", {"photo_ids": ["nobody"]})
    assert lightroom.catalog.selection == before


@requirement("bridge.delivery")
def test_a_write_that_breaks_after_its_gate_says_that_it_may_have_changed_something(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    def break_reading(file: str, source: str) -> str:
        return source.replace("collection:isSmartCollection()", "error()") if file == "Collections.lua" else source

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=break_reading):
        with pytest.raises(Refused, match="part of the change may have been made") as refused:
            bridge.ask("create_collection", {"path": ["New"]})
        assert catalog.collection("New").name == "New"
    assert (refused.value.code, refused.value.retriable) == ("LIGHTROOM_ERROR", False)


@requirement("bridge.delivery")
def test_photos_that_were_written_and_cannot_be_read_back_are_said_to_be_so(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    def break_reading(file: str, source: str) -> str:
        return source.replace("local isRead, records = LrTasks.pcall(", "local isRead, records = LrTasks.pcall(error, ")

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=break_reading):
        report = rate(bridge, uuids(catalog, 2), 4)
    assert report["applied"] == []
    assert all("written, but not read back" in failure["message"] for failure in report["failed"])
    assert len(report["failed"]) == 2
