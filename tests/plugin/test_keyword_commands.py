"""Adding keywords to photos and removing them, by their paths."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from safelight.lightroom import Photo, SimulatedLightroom, drawn_catalog
from tests.plugin.fake_bridge import FakeBridge, Refused, outcome
from tests.requirement import requirement

KeywordPath = list[str]


def change(photo: Photo, add: Iterable[KeywordPath] = (), remove: Iterable[KeywordPath] = ()) -> dict[str, Any]:
    return {"photo_id": photo.uuid, "add": list(add), "remove": list(remove)}


def edit(bridge: FakeBridge, *changes: dict[str, Any], **options: Any) -> dict[str, Any]:
    return bridge.ask("edit_keywords", {"undo_name": "Edit Keywords", "changes": list(changes)}, **options)


def keywords(lightroom: SimulatedLightroom, photo: Photo) -> set[str]:
    now = lightroom.catalog.photo(photo.uuid).keywords
    return {" > ".join(lightroom.catalog.keywords.path(keyword)) for keyword in now}


@requirement("bridge.chunks")
def test_a_new_keyword_reaches_all_of_190_photos(bridge: FakeBridge, data_folder: Path) -> None:
    """Automaat #84: "keywords on 190 photos", 0 updated, since the keyword was made anew for each in one gate."""
    with SimulatedLightroom(drawn_catalog(190), data_folder=data_folder) as lightroom:
        photos = lightroom.catalog.photos()
        report = edit(bridge, *(change(photo, add=[["Trips", "Rome"]]) for photo in photos))
        assert [record["photo_id"] for record in report["applied"]] == [photo.uuid for photo in photos]
        assert all("Trips > Rome" in record["keywords"] for record in report["applied"])
        assert (report["failed"], report["not_attempted"]) == ([], [])
        made = [one.name for one in lightroom.catalog.keywords.all() if one.name in ("Trips", "Rome")]
        assert made == ["Trips", "Rome"], "each is made once"
        undo = ("Create Keyword Trips", "Create Keyword Rome", *("Edit Keywords",) * 4)
        assert lightroom.catalog.undo_names == undo


@requirement("bridge.chunks")
def test_new_keywords_are_included_on_export(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    """ClarifaiTagger #11: keywords that never left the catalog. ClarifaiTagger #3: keywords without a hierarchy."""
    (photo,) = lightroom.catalog.photos()[:1]
    edit(bridge, change(photo, add=[["Trips", "Rome"]]))
    assert lightroom.catalog.keywords.find("Trips").include_on_export
    assert lightroom.catalog.keywords.find("Trips", "Rome").include_on_export


@requirement("bridge.chunks")
def test_added_keywords_join_those_that_a_photo_has(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    """LrGenius #2: the photo's own keywords were overwritten."""
    (photo,) = lightroom.catalog.photos()[:1]
    before = keywords(lightroom, photo)
    assert before
    edit(bridge, change(photo, add=[["new"]]))
    assert keywords(lightroom, photo) == before | {"new"}


@requirement("bridge.chunks")
@pytest.mark.parametrize("path", [["nature", "beach"], ["Nature", "BEACH"], [" nature ", "beach "]], ids=str)
def test_a_keyword_that_is_there_is_found_by_its_whole_path_whatever_its_case(
    bridge: FakeBridge, lightroom: SimulatedLightroom, path: KeywordPath
) -> None:
    """LrGenius #7, #214, #222, #227, #322: keywords made a second time, at the top."""
    tree = lightroom.catalog.keywords
    count, beach = len(tree), tree.find("nature", "beach").local_id
    photo = next(photo for photo in lightroom.catalog.photos() if beach not in photo.keywords)
    report = edit(bridge, change(photo, add=[path]))
    assert len(report["applied"]) == 1
    assert beach in lightroom.catalog.photo(photo.uuid).keywords
    assert len(tree) == count
    assert lightroom.catalog.undo_names == ("Edit Keywords",)


@requirement("bridge.chunks")
def test_the_same_name_under_another_parent_is_another_keyword(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """LrGenius #7: a name looked up without its parent."""
    tree = lightroom.catalog.keywords
    top, below = tree.ensure("dog"), tree.find("animals", "dog").local_id
    (photo,) = lightroom.catalog.photos()[:1]
    edit(bridge, change(photo, add=[["dog"], ["animals", "dog"]]))
    assert {top, below} <= set(lightroom.catalog.photo(photo.uuid).keywords)
    report = edit(bridge, change(photo, remove=[["Dog"]]))
    assert len(report["applied"]) == 1
    now = lightroom.catalog.photo(photo.uuid).keywords
    assert (top in now, below in now) == (False, True)


@requirement("bridge.chunks")
def test_names_with_letters_beyond_ascii_match_whatever_their_case(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    tree = lightroom.catalog.keywords
    known = tree.ensure("Städte", "ÉVORA")
    count = len(tree)
    (photo,) = lightroom.catalog.photos()[:1]
    edit(bridge, change(photo, add=[["städte", "évora"], ["städte", "Øl"]]))
    assert known in lightroom.catalog.photo(photo.uuid).keywords
    assert tree.path(tree.find("Städte", "øl").local_id) == ("Städte", "Øl")
    assert len(tree) == count + 1


@requirement("bridge.chunks")
def test_two_spellings_of_one_new_keyword_make_it_once(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    first, second = lightroom.catalog.photos()[:2]
    edit(bridge, change(first, add=[["Rome"]]), change(second, add=[["rome"], ["ROME", "Forum"]]))
    tree = lightroom.catalog.keywords
    assert [one.name for one in tree.all() if one.name.lower() in ("rome", "forum")] == ["Rome", "Forum"]
    assert "Rome" in keywords(lightroom, second)


@requirement("bridge.chunks")
def test_a_keyword_that_was_not_included_on_export_stays_as_it_was(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    hidden = lightroom.catalog.keywords.add("private", include_on_export=False)
    (photo,) = lightroom.catalog.photos()[:1]
    edit(bridge, change(photo, add=[["private"]]))
    assert lightroom.catalog.keywords[hidden.local_id] == hidden


@requirement("bridge.chunks")
def test_keywords_are_removed_and_those_that_a_photo_has_not_are_no_matter(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    tree = lightroom.catalog.keywords
    count = len(tree)
    (photo,) = lightroom.catalog.photos()[:1]
    before = keywords(lightroom, photo)
    assert {"nature > beach", "nature > sea"} <= before
    report = edit(bridge, change(photo, remove=[["nature", "Beach"], ["never", "was"], ["nature"]]))
    assert report["failed"] == []
    assert keywords(lightroom, photo) == before - {"nature > beach"}
    assert len(tree) == count, "nothing is made in order to remove it"


@requirement("bridge.chunks")
def test_keywords_are_added_and_removed_in_one_step_of_undo(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    (photo,) = lightroom.catalog.photos()[:1]
    before = keywords(lightroom, photo)
    report = edit(bridge, change(photo, add=[["animals", "dog"]], remove=[["nature", "beach"]]))
    assert set(report["applied"][0]["keywords"]) == before - {"nature > beach"} | {"animals > dog"}
    assert lightroom.catalog.undo_names == ("Edit Keywords",)


@requirement("bridge.chunks")
@pytest.mark.parametrize("name", ["a,b", "a|b", "a;b", " "])
def test_a_keyword_that_lightroom_refuses_fails_its_photos_only(
    bridge: FakeBridge, lightroom: SimulatedLightroom, name: str
) -> None:
    """Automaat #219: errors were swallowed, and part of the photos silently stayed as they were."""
    good, bad, other = lightroom.catalog.photos()[:3]
    before = lightroom.catalog.photo(bad.uuid)
    report = edit(bridge, change(good, add=[["Rome"]]), change(bad, add=[["Rome"], [name]]), change(other))
    assert [record["photo_id"] for record in report["applied"]] == [good.uuid, other.uuid]
    (failure,) = report["failed"]
    assert (failure["photo_id"], failure["code"]) == (bad.uuid, "LIGHTROOM_ERROR")
    assert f'keyword "{name.strip()}"' in failure["message"]
    assert "not a name for a keyword" in failure["message"]
    assert lightroom.catalog.photo(bad.uuid) == before, "a photo is changed wholly or not at all"


@requirement("bridge.chunks")
def test_a_refused_keyword_is_asked_for_once(
    bridge: FakeBridge, timed: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates: list[str | None] = []
    open_gate = timed.catalog.open_gate

    def note(name: str | None) -> None:
        gates.append(name)
        open_gate(name)

    monkeypatch.setattr(timed.catalog, "open_gate", note)
    report = edit(bridge, *(change(photo, add=[["a,b"]]) for photo in timed.catalog.photos()))
    assert len(report["failed"]) == 120
    assert gates.count("Create Keyword a,b") == 1


@requirement("bridge.identity")
def test_unknown_photos_fail_and_no_keyword_is_made_for_them(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    count = len(lightroom.catalog.keywords)
    report = edit(bridge, {"photo_id": "nobody", "add": [["Rome"]], "remove": []})
    (failure,) = report["failed"]
    assert (failure["photo_id"], failure["code"]) == ("nobody", "PHOTO_NOT_FOUND")
    assert len(lightroom.catalog.keywords) == count


@requirement("bridge.chunks")
def test_keywords_that_do_not_stick_are_reported_as_failed(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LrGenius #63, lumio #13: "applied", but nothing was written."""
    first, second = lightroom.catalog.photos()[:2]

    def change_nothing(local_id: int, **values: Any) -> None:
        pass

    monkeypatch.setattr(lightroom.catalog, "change_photo", change_nothing)
    report = edit(bridge, change(first, add=[["Rome"]]), change(second, remove=[["nature", "sea"], ["sunset"]]))
    assert report["applied"] == []
    assert [failure["message"] for failure in report["failed"]] == [
        "the keyword Rome is not there after the write",
        f"the keyword {'nature > sea' if 'nature > sea' in keywords(lightroom, second) else 'sunset'} is still there "
        "after the write",
    ]


@requirement("bridge.chunks")
def test_a_photo_that_refuses_a_keyword_fails_alone(
    bridge: FakeBridge, lightroom: SimulatedLightroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safelight.lightroom.metadata import LightroomRefusal

    first, second = lightroom.catalog.photos()[:2]
    change_photo = lightroom.catalog.change_photo

    def refuse(local_id: int, **values: Any) -> None:
        if local_id == first.local_id:
            raise LightroomRefusal("the photo is locked")
        change_photo(local_id, **values)

    monkeypatch.setattr(lightroom.catalog, "change_photo", refuse)
    report = edit(bridge, change(first, add=[["Rome"]]), change(second, add=[["Rome"]]))
    assert [record["photo_id"] for record in report["applied"]] == [second.uuid]
    (failure,) = report["failed"]
    assert failure["photo_id"] == first.uuid
    assert "keywords: " in failure["message"]
    assert "the photo is locked" in failure["message"]


@requirement("bridge.chunks")
def test_a_catalog_that_is_busy_when_keywords_are_made_is_a_retriable_error(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    before = timed.catalog.photos()
    timed.busy_for(60)
    changes = [change(photo, add=[["Rome"]]) for photo in before[:3]]
    command = bridge.send("edit_keywords", {"undo_name": "x", "changes": changes}, deadline=60.0)
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the gate to be asked for")
    timed.advance(5.1)
    with pytest.raises(Refused) as refused:
        outcome("edit_keywords", bridge.result(command))
    assert (refused.value.code, refused.value.retriable) == ("CATALOG_BUSY", True)
    assert timed.catalog.photos() == before


@requirement("bridge.chunks")
def test_a_catalog_that_becomes_busy_halfway_leaves_the_rest_not_attempted(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    photos = timed.catalog.photos()
    timed.busy_after_gates(2, 60)
    changes = [change(photo, add=[["Rome"]]) for photo in photos]
    command = bridge.send("edit_keywords", {"undo_name": "x", "changes": changes}, deadline=60.0)
    bridge.wait_for(lambda: timed.waiting_for_gate == 1, "the second chunk's gate to be asked for")
    timed.advance(5.1)
    report = outcome("edit_keywords", bridge.result(command))
    assert [record["photo_id"] for record in report["applied"]] == [photo.uuid for photo in photos[:50]]
    assert report["not_attempted"] == [photo.uuid for photo in photos[50:]]
    assert report["stopped"]["code"] == "CATALOG_BUSY"


@requirement("bridge.delivery")
def test_an_edit_without_time_to_begin_is_a_retriable_time_out(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    (photo,) = lightroom.catalog.photos()[:1]
    with pytest.raises(Refused) as refused:
        edit(bridge, change(photo, add=[["Rome"]]), deadline=0.0)
    assert (refused.value.code, refused.value.retriable) == ("TIMEOUT", True)
    assert lightroom.catalog.undo_names == ()


SENSELESS: Final[list[tuple[list[Any], list[Any] | None, str]]] = [
    ([["Rome"]], [["ROME "]], "Rome is both added and removed"),
    ([[]], [], "too few"),
    ([[""]], [], "too short"),
    (["Rome"], [], "add[1] must be a list"),
    ([], None, "remove is missing"),
]


@requirement("bridge.delivery")
@pytest.mark.parametrize(("add", "remove", "says"), SENSELESS)
def test_edits_that_make_no_sense_are_refused_in_words(
    bridge: FakeBridge, lightroom: SimulatedLightroom, add: list[Any], remove: list[Any] | None, says: str
) -> None:
    edited = {"photo_id": "a", "add": add} if remove is None else {"photo_id": "a", "add": add, "remove": remove}
    with pytest.raises(Refused) as refused:
        edit(bridge, edited)
    assert refused.value.code == "BAD_ARGUMENTS"
    assert says in refused.value.message
    assert lightroom.catalog.undo_names == ()


@requirement("bridge.delivery")
def test_a_photo_that_is_named_twice_is_refused(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    photo = lightroom.catalog.photos()[0]
    with pytest.raises(Refused, match=r"BAD_ARGUMENTS.*named twice"):
        edit(bridge, change(photo, add=[["Rome"]]), change(photo, add=[["Paris"]]))
    assert lightroom.catalog.undo_names == ()


@requirement("plugin.settings")
def test_the_read_only_switch_keeps_keywords_as_they_are(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    lightroom.prefs["readOnly"] = True
    with pytest.raises(Refused, match="READ_ONLY"):
        edit(bridge, change(lightroom.catalog.photos()[0], add=[["Rome"]]))


# --- what Lightroom fails to tell -----------------------------------------------------------------------------------


@requirement("bridge.chunks")
def test_a_parent_whose_children_lightroom_cannot_list_costs_only_the_photos_that_need_it(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """LrGenius #88: one keyword of the tree at which Lightroom throws."""
    first, second = lightroom.catalog.photos()[:2]
    lightroom.break_keyword_children("animals")
    report = edit(bridge, change(first, add=[["animals", "cat"]]), change(second, add=[["nature", "rain"]]))
    assert [record["photo_id"] for record in report["applied"]] == [second.uuid]
    (failure,) = report["failed"]
    assert failure["photo_id"] == first.uuid
    assert 'keyword "animals > cat": Lightroom cannot list its keywords' in failure["message"]


@requirement("bridge.chunks")
def test_a_keyword_that_lightroom_cannot_name_is_found_again_and_not_made_twice(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    tree = lightroom.catalog.keywords
    dog, count = tree.find("animals", "dog").local_id, len(tree)
    (photo,) = lightroom.catalog.photos()[:1]
    lightroom.break_keyword_name("animals", "dog")
    report = edit(bridge, change(photo, add=[["animals", "dog"]]))
    assert dog in lightroom.catalog.photo(photo.uuid).keywords
    assert len(tree) == count
    assert [failure["message"] for failure in report["failed"]] == [
        "the keyword animals > dog is not there after the write"
    ], "what cannot be read back is not called applied"


@requirement("bridge.identity")
def test_a_photo_is_read_without_the_keyword_that_lightroom_cannot_name(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """LrGenius #88: reading broke off at one keyword."""
    (photo,) = lightroom.catalog.photos()[:1]
    before = keywords(lightroom, photo)
    lightroom.break_keyword_name("nature", "beach")
    (record,) = bridge.ask("read_photos", {"photo_ids": [photo.uuid]})["photos"]
    assert set(record["keywords"]) == before - {"nature > beach"}
