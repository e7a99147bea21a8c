"""Commands about collections: what is made, filled and deleted, what is reported, and what can go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import Catalog, SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused, outcome
from tests.requirement import requirement


def uuids(catalog: Catalog, count: int) -> list[str]:
    return [photo.uuid for photo in catalog.photos()[:count]]


def id_of(catalog: Catalog, name: str) -> str:
    return str(catalog.collection(name).local_id)


def members(catalog: Catalog, name: str) -> list[str]:
    return [catalog.by_id(one).uuid for one in catalog.photos_in(catalog.collection(name).local_id)]


def change_nothing(*_: object) -> None:
    pass


# --- finding ---------------------------------------------------------------------------------------------------------


@requirement("plugin.always-on")
def test_collections_are_found_at_every_depth_with_their_kind_and_place(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    found = bridge.ask("find_collections")["collections"]
    assert [(one["path"], one["name"], one["kind"]) for one in found] == [
        ([], "Favourites", "collection"),
        ([], "Five Stars", "smart"),
        ([], "Trips", "set"),
        (["Trips"], "Portugal", "collection"),
    ]
    assert len({one["collection_id"] for one in found}) == 4
    assert not any("photos" in one for one in found), "counting is only done on request"


@requirement("plugin.always-on")
def test_a_name_is_found_in_every_set_that_has_it(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    inner = lightroom.catalog.add_collection("Portugal", "set", lightroom.catalog.collection("Trips").parent)
    lightroom.catalog.add_collection("Portugal", parent=inner.local_id)
    found = bridge.ask("find_collections", {"name": "Portugal"})["collections"]
    assert [(one["path"], one["kind"]) for one in found] == [
        (["Trips"], "collection"),
        ([], "set"),
        (["Portugal"], "collection"),
    ]
    assert bridge.ask("find_collections", {"name": "portugal"})["collections"] == []


@requirement("bridge.chunks")
def test_photos_are_counted_only_in_the_part_that_is_asked_for(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    found = bridge.ask("find_collections", {"count_from": 1, "count_to": 4})["collections"]
    counts = [one.get("photos") for one in found]
    catalog = lightroom.catalog
    assert counts == [None, len(members(catalog, "Five Stars")), None, len(members(catalog, "Portugal"))]
    beyond = bridge.ask("find_collections", {"count_from": 3, "count_to": 99})["collections"]
    assert [("photos" in one) for one in beyond] == [False, False, False, True]


@requirement("bridge.delivery")
def test_a_list_without_time_is_a_retriable_time_out(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    with pytest.raises(Refused) as refused:
        bridge.ask("find_collections", deadline=0.0)
    assert (refused.value.code, refused.value.retriable) == ("TIMEOUT", True)


# --- making ----------------------------------------------------------------------------------------------------------


@requirement("bridge.chunks")
def test_a_collection_is_made_once_and_named_in_undo(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    made = bridge.ask("create_collection", {"path": ["Best of 2024"]})
    assert made == {
        "collection_id": id_of(lightroom.catalog, "Best of 2024"),
        "name": "Best of 2024",
        "path": [],
        "kind": "collection",
    }
    assert lightroom.catalog.undo_names == ("Create Collection Best of 2024",)
    with pytest.raises(Refused, match="NAME_EXISTS"):
        bridge.ask("create_collection", {"path": ["Best of 2024"]})


@requirement("bridge.chunks")
def test_sets_that_are_missing_are_made_and_the_others_are_used(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    catalog = lightroom.catalog
    made = bridge.ask("create_collection", {"path": ["Trips", "Italy", "2024", "Rome"]})
    assert (made["path"], made["name"]) == (["Trips", "Italy", "2024"], "Rome")
    assert catalog.collection("Italy").parent == catalog.collection("Trips").local_id
    assert catalog.collection("Rome").parent == catalog.collection("2024").local_id
    assert catalog.undo_names == (
        "Create Collection Set Italy",
        "Create Collection Set 2024",
        "Create Collection Rome",
    )
    bridge.ask("create_collection", {"path": ["Trips", "Italy", "2024", "Naples"]})
    assert [one.name for one in catalog.collections()].count("2024") == 1


@requirement("bridge.identity")
def test_the_same_name_may_stand_in_different_sets(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    made = bridge.ask("create_collection", {"path": ["Trips", "Favourites"]})
    assert made["path"] == ["Trips"]
    assert made["collection_id"] != id_of(lightroom.catalog, "Favourites")
    first = uuids(lightroom.catalog, 1)
    bridge.ask("add_to_collection", {"collection_id": made["collection_id"], "photo_ids": first})
    by_id = lightroom.catalog.collection_by_id(int(made["collection_id"]))
    assert by_id is not None
    assert [lightroom.catalog.by_id(one).uuid for one in by_id.photo_ids] == first


@requirement("bridge.identity")
@pytest.mark.parametrize(
    ("path", "says"),
    [
        (["Trips"], "is there already"),
        (["Five Stars"], "is there already"),
        (["Trips", "Portugal"], "is there already"),
        (["Favourites", "Inside"], "Favourites is a collection, not a collection set"),
        (["Trips", "Portugal", "Inside"], "Portugal is a collection, not a collection set"),
    ],
    ids=" > ".join,
)
def test_a_place_that_is_taken_is_refused_and_nothing_is_made(
    bridge: FakeBridge, lightroom: SimulatedLightroom, path: list[str], says: str
) -> None:
    before = lightroom.catalog.collections()
    rules = [{"criteria": "rating", "operation": "==", "number": 5}]
    for name, more in (("create_collection", {}), ("create_smart_collection", {"rules": rules})):
        with pytest.raises(Refused, match=f"NAME_EXISTS.*{says}"):
            bridge.ask(name, {"path": path, **more})
    assert lightroom.catalog.collections() == before


@requirement("bridge.identity")
def test_a_name_that_lightroom_finds_taken_is_refused(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> None:
    def see_none(file: str, source: str) -> str:
        return (
            source.replace("if child:getName() == name then", "if false then") if file == "Collections.lua" else source
        )

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=see_none):
        for path in (["Favourites"], ["Trips", "New"]):
            with pytest.raises(Refused, match="NAME_EXISTS"):
                bridge.ask("create_collection", {"path": path})
    assert catalog.undo_names == ()


@requirement("bridge.chunks")
def test_a_busy_catalog_makes_nothing(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    timed.busy_for(60)
    command = bridge.send("create_collection", {"path": ["New", "Inside"]})
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the gate to be asked for")
    timed.advance(5.1)
    with pytest.raises(Refused) as refused:
        outcome("create_collection", bridge.result(command))
    assert (refused.value.code, refused.value.retriable) == ("CATALOG_BUSY", True)
    assert timed.catalog.undo_names == ()


@requirement("bridge.chunks")
def test_a_catalog_that_becomes_busy_after_a_set_is_no_failure_that_changed_nothing(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    timed.busy_after_gates(1, 60)
    command = bridge.send("create_collection", {"path": ["New", "Inside"]})
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the second gate to be asked for")
    timed.advance(5.1)
    with pytest.raises(Refused, match=r"collection sets were made \(New\), then: another operation") as refused:
        outcome("create_collection", bridge.result(command))
    assert (refused.value.code, refused.value.retriable) == ("LIGHTROOM_ERROR", False)
    assert timed.catalog.undo_names == ("Create Collection Set New",)


@requirement("bridge.delivery")
def test_a_collection_without_time_to_begin_is_a_retriable_time_out(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    with pytest.raises(Refused) as refused:
        bridge.ask("create_collection", {"path": ["New"]}, deadline=0.0)
    assert (refused.value.code, refused.value.retriable) == ("TIMEOUT", True)
    assert lightroom.catalog.undo_names == ()


# --- deleting --------------------------------------------------------------------------------------------------------


@requirement("bridge.chunks")
@pytest.mark.parametrize("name", ["Favourites", "Five Stars", "Portugal"])
def test_a_collection_is_deleted_and_its_photos_stay(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str
) -> None:
    catalog = lightroom.catalog
    photos, names = catalog.photos(), {one.name for one in catalog.collections()}
    assert bridge.ask("delete_collection", {"collection_id": id_of(catalog, name)}) == {"deleted": True}
    assert {one.name for one in catalog.collections()} == names - {name}
    assert catalog.photos() == photos
    assert catalog.undo_names == (f"Delete Collection {name}",)


@requirement("bridge.chunks")
def test_only_an_empty_set_is_deleted(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    catalog = lightroom.catalog
    trips = id_of(catalog, "Trips")
    with pytest.raises(Refused, match=r"BAD_ARGUMENTS.*not empty"):
        bridge.ask("delete_collection", {"collection_id": trips})
    assert catalog.undo_names == ()
    bridge.ask("delete_collection", {"collection_id": id_of(catalog, "Portugal")})
    assert bridge.ask("delete_collection", {"collection_id": trips}) == {"deleted": True}
    assert {one.name for one in catalog.collections()} == {"Favourites", "Five Stars"}


@requirement("bridge.chunks")
def test_a_collection_that_is_still_there_is_not_said_to_be_deleted(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lightroom.catalog, "delete_collection", change_nothing)
    answer = bridge.ask("delete_collection", {"collection_id": id_of(lightroom.catalog, "Favourites")})
    assert answer == {"deleted": False}


@requirement("bridge.identity")
@pytest.mark.parametrize("collection_id", ["99", "", "Favourites", "1e3", "-1", "nan"])
@pytest.mark.parametrize("name", ["delete_collection", "add_to_collection", "remove_from_collection"])
def test_an_unknown_collection_is_an_error(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str, collection_id: str
) -> None:
    arguments: dict[str, Any] = {"collection_id": collection_id}
    if name != "delete_collection":
        arguments["photo_ids"] = uuids(lightroom.catalog, 1)
    with pytest.raises(Refused, match="COLLECTION_NOT_FOUND"):
        bridge.ask(name, arguments)


# --- photos in and out -----------------------------------------------------------------------------------------------


@requirement("bridge.chunks")
def test_photos_are_added_in_chunks_and_read_back(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    made = bridge.ask("create_collection", {"path": ["All"]})
    ids = uuids(timed.catalog, 120)
    report = bridge.ask("add_to_collection", {"collection_id": made["collection_id"], "photo_ids": [*ids, "nobody"]})
    assert report["applied"] == ids
    assert [failure["code"] for failure in report["failed"]] == ["PHOTO_NOT_FOUND"]
    assert members(timed.catalog, "All") == ids
    assert timed.catalog.undo_names[1:] == ("Add to Collection All",) * 3


@requirement("bridge.chunks")
def test_photos_are_removed_in_chunks_and_read_back(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    ids = uuids(timed.catalog, 120)
    everything = timed.catalog.add_collection("All", photo_ids=timed.catalog.ids())
    arguments = {"collection_id": str(everything.local_id), "photo_ids": [*ids[:110], "nobody", ids[0]]}
    report = bridge.ask("remove_from_collection", arguments)
    assert report["applied"] == ids[:110]
    assert [(one["photo_id"], one["code"]) for one in report["failed"]] == [("nobody", "PHOTO_NOT_FOUND")]
    assert members(timed.catalog, "All") == ids[110:]
    assert timed.catalog.undo_names == ("Remove from Collection All",) * 3
    assert len(timed.catalog.photos()) == 120, "they stay in the catalog"


@requirement("bridge.chunks")
def test_a_photo_that_is_not_in_the_collection_counts_as_removed(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    outside = [photo.uuid for photo in lightroom.catalog.photos() if photo.rating != 5][:1]
    arguments = {"collection_id": id_of(lightroom.catalog, "Favourites"), "photo_ids": outside}
    assert bridge.ask("remove_from_collection", arguments)["applied"] == outside


@requirement("bridge.chunks")
@pytest.mark.parametrize("command", ["add_to_collection", "remove_from_collection"])
@pytest.mark.parametrize(
    ("name", "code"), [("Five Stars", "SMART_COLLECTION_READONLY"), ("Trips", "COLLECTION_NOT_FOUND")]
)
def test_only_plain_collections_take_and_give_photos(
    bridge: FakeBridge, lightroom: SimulatedLightroom, command: str, name: str, code: str
) -> None:
    arguments = {"collection_id": id_of(lightroom.catalog, name), "photo_ids": uuids(lightroom.catalog, 1)}
    with pytest.raises(Refused, match=code):
        bridge.ask(command, arguments)
    assert lightroom.catalog.undo_names == ()


@requirement("bridge.chunks")
@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("add_to_collection", "the photo is not in the collection after the write"),
        ("remove_from_collection", "the photo is still in the collection after the write"),
    ],
)
def test_a_write_that_does_not_take_is_reported_as_failed(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch, command: str, says: str
) -> None:
    catalog = lightroom.catalog
    inside = members(catalog, "Favourites")
    outside = [uuid for uuid in uuids(catalog, 60) if uuid not in inside]
    monkeypatch.setattr(catalog, command, change_nothing)
    ids = (outside if command == "add_to_collection" else inside)[:2]
    report = bridge.ask(command, {"collection_id": id_of(catalog, "Favourites"), "photo_ids": ids})
    assert report["applied"] == []
    assert [(one["photo_id"], one["message"]) for one in report["failed"]] == [(one, says) for one in ids]


@requirement("bridge.delivery")
def test_photos_that_were_added_and_cannot_be_read_back_are_said_to_be_so(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    def break_reading(file: str, source: str) -> str:
        return source.replace("return collection:getPhotos()", 'error("no")')

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=break_reading):
        arguments = {"collection_id": id_of(catalog, "Favourites"), "photo_ids": uuids(catalog, 2)}
        report = bridge.ask("add_to_collection", arguments)
    assert report["applied"] == []
    assert len(report["failed"]) == 2
    assert all("written, but not read back" in failure["message"] for failure in report["failed"])


@requirement("bridge.chunks")
@pytest.mark.parametrize("command", ["add_to_collection", "remove_from_collection"])
def test_a_catalog_that_becomes_busy_halfway_leaves_the_rest_not_attempted(
    bridge: FakeBridge, timed: SimulatedLightroom, command: str
) -> None:
    ids = uuids(timed.catalog, 120)
    start = [] if command == "add_to_collection" else timed.catalog.ids()
    collection = timed.catalog.add_collection("All", photo_ids=start)
    timed.busy_after_gates(1, 60)
    sent = bridge.send(command, {"collection_id": str(collection.local_id), "photo_ids": ids})
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the second gate to be asked for")
    timed.advance(5.1)
    report = outcome(command, bridge.result(sent))
    assert (report["applied"], report["not_attempted"]) == (ids[:50], ids[50:])
    assert report["stopped"]["code"] == "CATALOG_BUSY"


OUTSIDE = {
    "the photos are looked up in the gate": (
        "\t\tlocal chunk = Chunks.part(photos, first, last)\n",
        "",
        "\t\t\twrite(chunk)\n",
        "\t\t\twrite((Photos.find(catalog, ids)))\n",
    ),
    "the collection is looked up in the gate": (
        "\t\tcollection:addPhotos(photos)\n",
        "\t\tplainCollection(catalog, arguments.collection_id):addPhotos(photos)\n",
    ),
}


@requirement("lightroom.simulator", "bridge.chunks")
@pytest.mark.parametrize("changes", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_a_look_up_inside_a_gate_is_noticed(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, changes: tuple[str, ...]
) -> None:
    def look_up_inside(file: str, source: str) -> str:
        if file == "CollectionCommands.lua":
            for before, after in zip(changes[::2], changes[1::2], strict=True):
                assert before in source
                source = source.replace(before, after)
        return source

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=look_up_inside):
        arguments = {"collection_id": id_of(catalog, "Favourites"), "photo_ids": uuids(catalog, 2)}
        with pytest.raises(Refused, match="must not be called inside a write gate"):
            bridge.ask("add_to_collection", arguments)
    assert catalog.undo_names == ()
