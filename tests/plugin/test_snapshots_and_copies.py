"""Snapshots and virtual copies: of the right photo, once, and with the photographer's view as it was."""

from __future__ import annotations

from typing import Any

import pytest

from safelight.lightroom import Photo
from safelight.lightroom.catalog import ViewFilter
from safelight.lightroom.metadata import LightroomRefusal
from tests.plugin.develop_rig import Rig, reasons
from tests.plugin.fake_bridge import Refused
from tests.requirement import requirement


def snap(rig: Rig, photo_ids: list[str], name: str = "Before the edit", **options: Any) -> dict[str, Any]:
    return rig.ask("create_snapshots", {"name": name, "photo_ids": photo_ids}, **options)


def copy(rig: Rig, photo_ids: list[str], **arguments: Any) -> dict[str, Any]:
    return rig.ask("create_virtual_copies", {"photo_ids": photo_ids, **arguments})


def copies_of(rig: Rig, photo_id: str) -> list[Photo]:
    master = rig.catalog.photo(photo_id).local_id
    return [photo for photo in rig.catalog.photos() if photo.copy_of == master]


# --- snapshots -------------------------------------------------------------------------------------------------------


@requirement("tool.list-change")
def test_a_snapshot_keeps_the_present_settings_and_is_listed(rig: Rig) -> None:
    first, second = rig.ids(3, 4)
    rig.write({first: {"Exposure2012": 0.5}})
    report = snap(rig, [first, second])
    assert report["applied"] == [first, second]
    answer = rig.ask("list_snapshots", {"photo_ids": [first, second, "nobody"]})
    assert answer["missing"] == ["nobody"]
    assert [(record["photo_id"], record["name"]) for record in answer["snapshots"]] == [
        (first, "Before the edit"),
        (second, "Before the edit"),
    ]
    (kept,) = rig.catalog.photo(first).snapshots
    assert kept.settings["Exposure2012"] == 0.5
    assert answer["snapshots"][0]["snapshot_id"] == kept.snapshot_id
    assert rig.catalog.undo_names[-1] == "Create Snapshot Before the edit"


@requirement("tool.per-photo")
def test_a_snapshot_of_that_name_is_never_written_over(rig: Rig) -> None:
    first, second = rig.ids(3, 4)
    snap(rig, [first])
    rig.write({first: {"Texture": 30}})
    report = snap(rig, [first, second])
    assert report["applied"] == [second]
    assert reasons(report)[first][0] == "NAME_EXISTS"
    (kept,) = rig.catalog.photo(first).snapshots
    assert kept.settings["Texture"] == 0


@requirement("tool.per-photo")
def test_a_photo_and_its_virtual_copy_have_their_snapshots_in_common(rig: Rig) -> None:
    master = rig.ids(3)[0]
    copied = copy(rig, [master])["copies"][0]["copy_id"]
    report = snap(rig, [master, copied])
    assert report["applied"] == [master]
    assert "one of its virtual copies already has a snapshot" in reasons(report)[copied][1]
    listed = rig.ask("list_snapshots", {"photo_ids": [copied]})["snapshots"]
    assert [record["name"] for record in listed] == ["Before the edit"]


@requirement("tool.per-photo")
def test_a_snapshot_that_is_not_there_afterwards_is_no_success(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    jpeg = rig.ids(3)[0]

    def change_nothing(local_id: int, **values: Any) -> None:
        pass

    monkeypatch.setattr(rig.catalog, "change_photo", change_nothing)
    assert reasons(snap(rig, [jpeg])) == {jpeg: ("LIGHTROOM_ERROR", "the snapshot is not there after the write")}


@requirement("bridge.chunks")
def test_snapshots_of_many_photos_stop_where_the_catalog_becomes_busy(rig: Rig) -> None:
    ids = rig.ids(1, 25)
    rig.lightroom.busy_after_gates(1, 60)
    report = snap(rig, ["nobody", *ids])
    # the virtual copy among them shares its master's snapshots
    assert report["applied"] == ids[:10]
    assert report["not_attempted"] == ids[10:]
    assert reasons(report)["nobody"][0] == "PHOTO_NOT_FOUND"
    assert report["stopped"]["code"] == "CATALOG_BUSY"


@requirement("bridge.chunks")
def test_a_busy_catalog_takes_no_snapshot_and_no_copy(rig: Rig) -> None:
    before = rig.catalog.photos()
    rig.lightroom.busy_for(60)
    for action in (snap, copy):
        with pytest.raises(Refused) as refused:
            action(rig, rig.ids(3))
        assert (refused.value.code, refused.value.retriable) == ("CATALOG_BUSY", True)
    assert rig.catalog.photos() == before


# --- virtual copies --------------------------------------------------------------------------------------------------


@requirement("bridge.delivery")
def test_no_copy_is_made_when_the_catalog_becomes_free_too_late(rig: Rig) -> None:
    """Nobody waits for it any more, and it would be made a second time."""
    before = rig.catalog.photos()
    rig.lightroom.busy_for(4.5)
    with pytest.raises(Refused) as refused:
        rig.ask("create_virtual_copies", {"photo_ids": rig.ids(3)}, deadline=4.0)
    assert (refused.value.code, refused.value.retriable) == ("CATALOG_BUSY", True)
    rig.lightroom.advance(10, patience=0.005)
    assert rig.catalog.photos() == before


@requirement("tool.per-photo")
def test_a_copy_that_lightroom_tells_late_is_waited_for(rig: Rig) -> None:
    rig.lightroom.settle_copies_after(0.6)
    jpeg = rig.ids(3)[0]
    (record,) = copy(rig, [jpeg])["copies"]
    assert record["photo_id"] == jpeg
    assert [made.uuid for made in copies_of(rig, jpeg)] == [record["copy_id"]]


@requirement("tool.list-change")
def test_each_photo_is_copied_once_whatever_is_selected_and_the_selection_comes_back(rig: Rig) -> None:
    """4xiomdev's lightroom-classic-mcp and znznzna's lightroom-cli copy what is selected, once for each id."""
    selected = rig.ids(7, 9)
    rig.catalog.select(selected)
    wanted = rig.ids(3, 5)
    report = copy(rig, wanted, name="For print")
    assert [record["photo_id"] for record in report["copies"]] == wanted
    assert (report["failed"], report["not_attempted"]) == ([], [])
    for record in report["copies"]:
        (made,) = copies_of(rig, record["photo_id"])
        assert (made.uuid, made.copy_name) == (record["copy_id"], "For print")
    assert not any(copies_of(rig, photo_id) for photo_id in selected)
    assert rig.catalog.selection == tuple(selected)


@requirement("tool.list-change")
def test_copies_without_a_name_are_named_by_lightroom(rig: Rig) -> None:
    jpeg = rig.ids(3)[0]
    copy(rig, [jpeg])
    copy(rig, [jpeg], name="")
    assert [made.copy_name for made in copies_of(rig, jpeg)] == ["Copy 1", "Copy 2"]


@requirement("tool.list-change")
def test_a_copy_of_a_virtual_copy_is_one_more_copy_of_the_original(rig: Rig) -> None:
    existing = rig.ids(20)[0]
    master = rig.catalog.by_id(rig.catalog.photo(existing).copy_of or 0)
    (record,) = copy(rig, [existing])["copies"]
    assert record["photo_id"] == existing
    assert {made.uuid for made in copies_of(rig, master.uuid)} == {existing, record["copy_id"]}


@requirement("tool.list-change")
def test_photos_that_are_out_of_sight_are_copied_and_the_view_comes_back(rig: Rig) -> None:
    favourites = rig.catalog.collection("Favourites").local_id
    rig.catalog.show_sources([favourites])
    rig.catalog.filter_view(ViewFilter(is_active=True, min_rating=5))
    hidden = next(photo.uuid for photo in rig.catalog.photos() if photo.rating is None)
    before = rig.catalog.selection
    assert [record["photo_id"] for record in copy(rig, [hidden])["copies"]] == [hidden]
    assert rig.catalog.sources == (favourites,)
    assert rig.catalog.view_filter == ViewFilter(is_active=True, min_rating=5)
    assert rig.catalog.selection == before


@requirement("tool.list-change")
@pytest.mark.parametrize(
    "view_filter",
    [ViewFilter(is_searched=True, search="no such name"), ViewFilter(is_browsed=True, camera="none")],
    ids=["a text", "a camera"],
)
@pytest.mark.parametrize("source", ["kAllPhotos", "kPreviousImport"])
def test_a_source_of_lightrooms_own_and_every_bar_of_the_filter_come_back(
    rig: Rig, source: str, view_filter: ViewFilter
) -> None:
    rig.catalog.show_sources([source])
    rig.catalog.filter_view(view_filter)
    hidden = rig.ids(3)[0]
    assert [record["photo_id"] for record in copy(rig, [hidden])["copies"]] == [hidden]
    assert rig.catalog.sources == (source,)
    assert rig.catalog.view_filter == view_filter


@requirement("tool.list-change")
def test_a_photo_that_is_in_sight_is_copied_where_the_photographer_is(rig: Rig) -> None:
    favourites = rig.catalog.collection("Favourites")
    rig.catalog.show_sources([favourites.local_id])
    favourite = rig.catalog.by_id(favourites.photo_ids[0]).uuid
    (record,) = copy(rig, [favourite])["copies"]
    made = rig.catalog.photo(record["copy_id"]).local_id
    assert rig.catalog.collection("Favourites").photo_ids == (*favourites.photo_ids, made)
    assert rig.catalog.sources == (favourites.local_id,)
    assert rig.catalog.undo_names == ("Create Virtual Copies",)


@requirement("tool.list-change")
def test_with_nothing_selected_before_nothing_is_selected_after(rig: Rig) -> None:
    rig.catalog.select([])
    assert len(copy(rig, rig.ids(3))["copies"]) == 1
    assert rig.catalog.selection == ()


@requirement("bridge.identity")
def test_a_copy_of_another_photo_is_noticed(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, other = rig.ids(3, 4)
    selected = rig.ids(7, 8)
    rig.catalog.select(selected)
    monkeypatch.setattr(rig.catalog, "selected_ids", _as_if_clicked(rig, wanted, other))
    report = copy(rig, [wanted])
    assert report["copies"] == []
    assert "Lightroom copied another photo" in reasons(report)[wanted][1]
    assert copies_of(rig, wanted) == []


def _as_if_clicked(rig: Rig, wanted: str, other: str) -> Any:
    """The photographer selects another photo right before Lightroom makes the copy: when the photo that is wanted has
    been seen alone as often as the plug-in looks.
    """
    selected_ids, looks = rig.catalog.selected_ids, 0

    def clicked() -> tuple[int, ...]:
        nonlocal looks
        now = selected_ids()
        looks += now == (rig.catalog.photo(wanted).local_id,)
        return (rig.catalog.photo(other).local_id,) if looks > 2 else now

    return clicked


@requirement("tool.per-photo")
def test_a_photo_that_cannot_be_selected_is_not_copied_and_the_others_are(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    stubborn, easy = rig.ids(3, 4)
    local_id, select = rig.catalog.photo(stubborn).local_id, rig.catalog.select_ids

    def refuse(ids: Any, **options: Any) -> None:
        if list(ids) != [local_id]:
            select(ids, **options)

    monkeypatch.setattr(rig.catalog, "select_ids", refuse)
    report = copy(rig, [stubborn, easy])
    assert [record["photo_id"] for record in report["copies"]] == [easy]
    assert "did not select the photo" in reasons(report)[stubborn][1]
    assert copies_of(rig, stubborn) == []


@requirement("tool.per-photo")
def test_a_copy_that_lightroom_refuses_fails_and_the_selection_comes_back(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(made: Photo) -> None:
        raise LightroomRefusal("no room for copies")

    selected = rig.ids(7, 8)
    rig.catalog.select(selected)
    monkeypatch.setattr(rig.catalog, "add_virtual_copy", refuse)
    jpeg = rig.ids(3)[0]
    report = copy(rig, [jpeg])
    assert "no room for copies" in reasons(report)[jpeg][1]
    assert rig.catalog.selection == tuple(selected)


@requirement("bridge.identity")
def test_unknown_photos_are_told_and_the_others_are_copied(rig: Rig) -> None:
    jpeg = rig.ids(3)[0]
    report = copy(rig, ["nobody", jpeg])
    assert [record["photo_id"] for record in report["copies"]] == [jpeg]
    assert reasons(report)["nobody"][0] == "PHOTO_NOT_FOUND"
