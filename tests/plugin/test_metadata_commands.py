"""Each field of a photo that can be written: set, taken away, read back, refused in words where it makes no sense."""

from __future__ import annotations

from typing import Any

import pytest

from safelight.lightroom import Photo, SimulatedLightroom
from safelight.lightroom.metadata import LightroomRefusal
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement

TEXTS = ("title", "caption", "headline", "creator", "copyright", "location", "city", "state", "country")


def write(bridge: FakeBridge, photo: Photo, **values: Any) -> dict[str, Any]:
    arguments = {"undo_name": "Describe", "changes": [{"photo_id": photo.uuid, **values}]}
    return bridge.ask("write_photos", arguments)


def written(bridge: FakeBridge, photo: Photo, **values: Any) -> dict[str, Any]:
    """The photo's record after a write that took."""
    report = write(bridge, photo, **values)
    assert report["failed"] == []
    return report["applied"][0]


@pytest.fixture
def photo(lightroom: SimulatedLightroom) -> Photo:
    """One with a rating, a place and no label."""
    found = next(photo for photo in lightroom.catalog.photos() if photo.rating and photo.gps)
    lightroom.catalog.change_photo(found.local_id, label="", pick=0)
    return lightroom.catalog.photo(found.uuid)


@requirement("bridge.chunks")
@pytest.mark.parametrize("field", TEXTS)
def test_a_text_is_written_and_taken_away(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, field: str
) -> None:
    text = 'Zoë & "Bruno" — 日本'
    assert written(bridge, photo, **{field: text})[field] == text
    assert getattr(lightroom.catalog.photo(photo.uuid), field) == text
    assert field not in written(bridge, photo, **{field: ""})
    assert getattr(lightroom.catalog.photo(photo.uuid), field) == ""


@requirement("bridge.chunks")
def test_all_fields_of_a_photo_are_written_in_one_step_of_undo(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo
) -> None:
    """Automaat #131: a wish for more fields than a few."""
    values = {field: f"the {field}" for field in TEXTS} | {"rating": 4, "flag": "pick", "label": "green"}
    place = {"latitude": 10.5, "longitude": -20.25}
    record = written(bridge, photo, **values, **place)
    assert values.items() | place.items() <= {key: value for key, value in record.items() if key != "keywords"}.items()
    assert lightroom.catalog.undo_names == ("Describe",)


@requirement("bridge.chunks")
def test_what_is_not_named_stays(bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo) -> None:
    """LrGenius #2: fields that nobody asked for were overwritten."""
    written(bridge, photo, headline="only this")
    now = lightroom.catalog.photo(photo.uuid)
    assert (now.headline, now.rating, now.gps, now.keywords) == ("only this", photo.rating, photo.gps, photo.keywords)
    assert (now.title, now.city, now.copyright) == (photo.title, photo.city, photo.copyright)


@requirement("bridge.chunks")
def test_rating_zero_takes_the_rating_away(bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo) -> None:
    """PICR #108, znznzna's lightroom-cli: clearing a rating failed, since Lightroom refuses 0 and wants nil."""
    assert written(bridge, photo, rating=0)["rating"] == 0
    assert lightroom.catalog.photo(photo.uuid).rating is None


@requirement("bridge.chunks")
def test_titles_and_other_texts_are_read_by_the_getter_that_knows_them(bridge: FakeBridge, photo: Photo) -> None:
    """LrGenius #89: unknown key "title", asked of the raw getter."""
    written(bridge, photo, title="Low tide", state="Leiria")
    (record,) = bridge.ask("read_photos", {"photo_ids": [photo.uuid]})["photos"]
    assert (record["title"], record["state"]) == ("Low tide", "Leiria")


@requirement("bridge.chunks")
@pytest.mark.parametrize(("flag", "pick"), [("pick", 1), ("reject", -1), ("none", 0)])
def test_flags_are_written(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, flag: str, pick: int
) -> None:
    written(bridge, photo, flag="reject" if flag == "pick" else "pick")
    assert written(bridge, photo, flag=flag)["flag"] == flag
    assert lightroom.catalog.photo(photo.uuid).pick == pick


@requirement("bridge.chunks")
@pytest.mark.parametrize("color", ["red", "yellow", "green", "blue", "purple"])
def test_colour_labels_get_the_text_of_lightrooms_label_set(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, color: str
) -> None:
    assert written(bridge, photo, label=color)["label"] == color
    assert lightroom.catalog.photo(photo.uuid).label == color.capitalize()


@requirement("bridge.chunks")
@pytest.mark.parametrize("nothing", ["none", ""])
def test_a_label_is_taken_away(bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, nothing: str) -> None:
    written(bridge, photo, label="red")
    assert "label" not in written(bridge, photo, label=nothing)
    assert lightroom.catalog.photo(photo.uuid).label == ""


@requirement("bridge.chunks")
@pytest.mark.parametrize("label", ["Für den Druck", "None of these", "Rot"])
def test_a_label_of_ones_own_is_kept_as_it_is(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, label: str
) -> None:
    assert written(bridge, photo, label=label)["label"] == label
    assert lightroom.catalog.photo(photo.uuid).label == label


@requirement("bridge.chunks")
def test_a_label_text_that_is_a_colour_counts_as_that_colour(bridge: FakeBridge, photo: Photo) -> None:
    assert written(bridge, photo, label="Red")["label"] == "red"


@requirement("bridge.chunks")
@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [(38.7222524, -9.1393366), (0, 0), (90, 180), (-90, -180), (1 / 3, 200 / 3)],
)
def test_a_place_is_written_as_exactly_as_lightroom_keeps_it(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, latitude: float, longitude: float
) -> None:
    record = written(bridge, photo, latitude=latitude, longitude=longitude)
    assert (record["latitude"], record["longitude"]) == pytest.approx((latitude, longitude), abs=0.00001)
    assert lightroom.catalog.photo(photo.uuid).gps == (record["latitude"], record["longitude"])


@requirement("bridge.chunks")
def test_a_place_is_taken_away(bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo) -> None:
    record = written(bridge, photo, clear_gps=True)
    assert "latitude" not in record
    assert "longitude" not in record
    assert lightroom.catalog.photo(photo.uuid).gps is None


@requirement("bridge.chunks")
def test_a_place_that_is_not_to_be_cleared_stays(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo
) -> None:
    written(bridge, photo, clear_gps=False, title="x")
    assert lightroom.catalog.photo(photo.uuid).gps == photo.gps


@requirement("bridge.delivery")
@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"latitude": 1.0}, "latitude and longitude are given together"),
        ({"longitude": 1.0}, "latitude and longitude are given together"),
        ({"longitude": 1.0, "clear_gps": True}, "latitude and longitude are given together"),
        ({"latitude": 1.0, "longitude": 1.0, "clear_gps": True}, "either given or taken away"),
        ({"latitude": 90.1, "longitude": 1.0}, "latitude is out of range"),
        ({"latitude": 1.0, "longitude": "1"}, "longitude must be a number"),
        ({"flag": "flagged"}, "flag must be one of pick, none, reject"),
        ({"clear_gps": 1}, "clear_gps must be true or false"),
    ],
)
def test_values_that_make_no_sense_are_refused_in_words(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, values: dict[str, Any], says: str
) -> None:
    with pytest.raises(Refused) as refused:
        write(bridge, photo, **values)
    assert refused.value.code == "BAD_ARGUMENTS"
    assert says in refused.value.message
    assert lightroom.catalog.undo_names == ()


@requirement("bridge.chunks")
@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"rating": 1}, "the rating reads 5 after the write"),
        ({"flag": "pick"}, "the flag reads none after the write"),
        ({"label": "red"}, "the label reads none after the write"),
        ({"latitude": 1.0, "longitude": 1.0}, "the GPS place reads otherwise after the write"),
        ({"clear_gps": True}, "the GPS place reads otherwise after the write"),
        *(({field: "other"}, f"the {field} reads otherwise after the write") for field in TEXTS),
    ],
)
def test_a_value_that_does_not_stick_is_reported_as_failed(
    bridge: FakeBridge,
    lightroom: SimulatedLightroom,
    photo: Photo,
    monkeypatch: pytest.MonkeyPatch,
    values: dict[str, Any],
    says: str,
) -> None:
    """LrGenius #63, lumio #13: "applied" for 57 photos, and nothing was written."""
    lightroom.catalog.change_photo(photo.local_id, rating=5)

    def change_nothing(local_id: int, **changes: Any) -> None:
        pass

    monkeypatch.setattr(lightroom.catalog, "change_photo", change_nothing)
    report = write(bridge, photo, **values)
    assert report["applied"] == []
    assert [failure["message"] for failure in report["failed"]] == [says]


@requirement("bridge.chunks")
@pytest.mark.parametrize("field", ["rating", "flag", "label", "latitude", "clear_gps", "title", "state"])
def test_what_lightroom_refuses_is_told_with_the_field(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    """Automaat #219: errors were swallowed."""

    def refuse(local_id: int, **changes: Any) -> None:
        raise LightroomRefusal("the photo is locked")

    values: dict[str, Any] = {"rating": 1, "flag": "pick", "label": "red", "clear_gps": True, "latitude": 1.0}
    monkeypatch.setattr(lightroom.catalog, "change_photo", refuse)
    more = {"longitude": 1.0} if field == "latitude" else {}
    report = write(bridge, photo, **{field: values.get(field, "x")}, **more)
    assert report["applied"] == []
    (failure,) = report["failed"]
    assert failure["message"].startswith(f"{field}: ")
    assert "the photo is locked" in failure["message"]


@requirement("bridge.identity")
def test_a_virtual_copy_names_its_master_and_itself(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    copy = next(photo for photo in lightroom.catalog.photos() if photo.copy_of is not None)
    master = lightroom.catalog.by_id(copy.copy_of or 0)
    records = bridge.ask("read_photos", {"photo_ids": [master.uuid, copy.uuid]})["photos"]
    assert (records[1]["master_id"], records[1]["copy_name"]) == (master.uuid, "Copy 1")
    assert {"master_id", "copy_name"}.isdisjoint(records[0])


@requirement("bridge.identity")
def test_numbers_that_json_cannot_hold_are_left_out(
    bridge: FakeBridge, lightroom: SimulatedLightroom, photo: Photo
) -> None:
    nothing = float("nan")
    lightroom.catalog.change_photo(
        photo.local_id, gps=(nothing, float("inf")), aperture=nothing, shutter=nothing, focal_length=nothing
    )
    (record,) = bridge.ask("read_photos", {"photo_ids": [photo.uuid]})["photos"]
    assert {"latitude", "longitude", "aperture", "shutter", "focal_length"}.isdisjoint(record)
