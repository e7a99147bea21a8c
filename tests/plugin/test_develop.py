"""Reading and writing develop settings: what is kept, what is reported, and what Lightroom does without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from safelight.lightroom import ManualClock, SimulatedLightroom
from safelight.lightroom.metadata import LightroomRefusal
from tests.plugin.develop_rig import Rig, applied, mixed_catalog, reasons
from tests.plugin.fake_bridge import FakeBridge, Refused, outcome
from tests.requirement import requirement

NOTHING: dict[str, Any] = {}
CURVE = [0, 0, 64, 50, 192, 210, 255, 255]
MASKS = [{"What": "Correction", "CorrectionMasks": [{"What": "Mask/Gradient", "ZeroX": 0.25, "MaskActive": True}]}]


@requirement("tool.list-read")
def test_develop_settings_are_read_with_lightrooms_own_names(rig: Rig) -> None:
    raw, dng, jpeg = rig.ids(1, 3)
    answer = rig.ask("read_develop", {"photo_ids": [raw, dng, jpeg, "nobody"]})
    assert answer["missing"] == ["nobody"]
    assert [(record["photo_id"], record["raw"]) for record in answer["photos"]] == [
        (raw, True),
        (dng, True),
        (jpeg, False),
    ]
    of_raw, _, of_jpeg = (record["settings"] for record in answer["photos"])
    assert (of_raw["Temperature"], of_raw["Sharpness"], of_raw["Exposure2012"]) == (5200, 40, 0)
    assert (of_jpeg["IncrementalTemperature"], of_jpeg["Sharpness"]) == (0, 0)
    assert "Temperature" not in of_jpeg
    assert "IncrementalTemperature" not in of_raw
    assert of_raw["ToneCurvePV2012"] == [0, 0, 255, 255]
    assert of_raw["ConvertToGrayscale"] is False


@requirement("tool.per-photo")
def test_settings_are_written_and_read_back_and_the_others_stay(rig: Rig) -> None:
    raw, jpeg = rig.ids(1)[0], rig.ids(3)[0]
    report = rig.write({raw: {"Exposure2012": 0.65, "Temperature": 4300, "Tint": 12}, jpeg: {"Dehaze": 15}})
    assert applied(report) == [raw, jpeg]
    assert (report["failed"], report["not_attempted"]) == ([], [])
    of_raw, of_jpeg = (record["settings"] for record in report["applied"])
    assert (of_raw["Exposure2012"], of_raw["Temperature"], of_raw["WhiteBalance"]) == (0.65, 4300, "Custom")
    assert (of_jpeg["Dehaze"], of_jpeg["Exposure2012"]) == (15, 0)
    assert rig.develop(jpeg) == {"Dehaze": 15}
    assert rig.catalog.undo_names == ("Brighten",)
    assert rig.lightroom.history_of(raw) == ("Brighten",)


@requirement("tool.per-photo")
def test_curves_masks_and_switches_go_through_whole(rig: Rig) -> None:
    jpeg = rig.ids(3)[0]
    settings = {"ToneCurvePV2012": CURVE, "MaskGroupBasedCorrections": MASKS, "EnableDetail": False}
    (record,) = rig.write({jpeg: settings})["applied"]
    assert {name: record["settings"][name] for name in settings} == settings
    assert rig.develop(jpeg) == settings
    before = rig.ask("read_develop", {"photo_ids": [jpeg]})["photos"][0]["settings"]
    rig.write({jpeg: {"ToneCurvePV2012": [0, 0, 255, 255], "MaskGroupBasedCorrections": []}})
    rig.write({jpeg: before})
    assert rig.develop(jpeg) == settings


@requirement("tool.list-read")
def test_what_json_cannot_hold_whole_is_left_out(rig: Rig) -> None:
    jpeg = rig.catalog.photo(rig.ids(3)[0])
    odd = {
        "NotANumber": float("nan"),
        "Endless": float("inf"),
        "Half": [{"Fine": 1}, {"Bad": float("nan")}],
        "MixedKeys": {1: "one", "two": 2},
        "Fine": {"Deep": [1, 2, {"x": "ü"}]},
    }
    rig.catalog.change_photo(jpeg.local_id, develop=odd)
    settings = rig.ask("read_develop", {"photo_ids": [jpeg.uuid]})["photos"][0]["settings"]
    assert {name for name in odd if name in settings} == {"Fine"}
    assert settings["Fine"] == odd["Fine"]


@requirement("tool.per-photo")
@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"Contrast2012": 101}, "Lightroom kept Contrast2012 at 0, not 101"),
        ({"CameraProfile": "No Such Profile"}, "Lightroom kept CameraProfile at Embedded, not No Such Profile"),
        ({"Temperature": 5000}, "Lightroom kept Temperature at nil, not 5000"),
        ({"Exposure2012": 7}, "Lightroom kept Exposure2012 at 5, not 7"),
        ({"Vibrance": -500, "Blacks2012": 300}, "Lightroom kept Blacks2012 at 0, not 300; Vibrance at 0, not -500"),
        ({"ToneCurvePV2012": 5}, "Lightroom kept ToneCurvePV2012"),
    ],
)
def test_values_that_lightroom_keeps_without_a_word_fail_with_the_names(
    rig: Rig, settings: dict[str, Any], says: str
) -> None:
    jpeg, other = rig.ids(3, 4)
    report = rig.write({jpeg: settings, other: {"Contrast2012": 5}})
    assert applied(report) == [other]
    assert reasons(report) == {jpeg: ("LIGHTROOM_ERROR", says)}


@requirement("tool.per-photo")
def test_a_value_that_is_written_twice_does_not_add_up(rig: Rig) -> None:
    jpeg = rig.ids(3)[0]
    for _ in range(2):
        rig.write({jpeg: {"Exposure2012": 0.5}})
    assert rig.develop(jpeg) == {"Exposure2012": 0.5}


@requirement("tool.per-photo")
def test_old_values_that_are_read_for_a_moment_after_a_write_are_waited_out(rig: Rig) -> None:
    rig.lightroom.settle_develop_after(0.75)
    ids = rig.ids(3, 14)
    report = rig.write({photo_id: {"Shadows2012": 33} for photo_id in ids})
    assert applied(report) == ids
    assert {record["settings"]["Shadows2012"] for record in report["applied"]} == {33}


@requirement("tool.per-photo")
def test_a_photo_that_never_settles_is_no_success(rig: Rig) -> None:
    rig.lightroom.settle_develop_after(30)
    jpeg = rig.ids(3)[0]
    assert reasons(rig.write({jpeg: {"Shadows2012": 33}})) == {
        jpeg: ("LIGHTROOM_ERROR", "Lightroom kept Shadows2012 at 0, not 33")
    }


@requirement("bridge.chunks")
def test_many_photos_are_developed_in_gates_of_ten(rig: Rig) -> None:
    ids = rig.ids(1, 25)
    report = rig.write({photo_id: {"Vibrance": 20} for photo_id in ids})
    assert applied(report) == ids
    assert rig.catalog.undo_names == ("Brighten",) * 3


@requirement("bridge.identity")
def test_missing_photos_and_videos_fail_and_the_others_are_written(rig: Rig) -> None:
    jpeg, video = rig.ids(3)[0], rig.ids(30)[0]
    report = rig.write({"nobody": {"Vibrance": 1}, video: {"Vibrance": 1}, jpeg: {"Vibrance": 1}})
    assert applied(report) == [jpeg]
    found = reasons(report)
    assert found["nobody"][0] == "PHOTO_NOT_FOUND"
    assert found[video] == ("UNSUPPORTED", "a video takes no develop settings")


@requirement("tool.per-photo")
def test_a_photo_that_lightroom_refuses_to_develop_fails_alone(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = rig.ids(3, 4)
    change, refusing = rig.catalog.change_photo, rig.catalog.photo(first).local_id

    def refuse(local_id: int, **values: Any) -> None:
        if local_id == refusing:
            raise LightroomRefusal("the photo is locked")
        change(local_id, **values)

    monkeypatch.setattr(rig.catalog, "change_photo", refuse)
    report = rig.write({first: {"Texture": 8}, second: {"Texture": 8}})
    assert applied(report) == [second]
    assert "the photo is locked" in reasons(report)[first][1]


@requirement("bridge.chunks")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("write_develop", {"changes": [{"photo_id": "?", "settings": {"Texture": 9}}]}),
        ("auto_tone", {"photo_ids": ["?"]}),
        ("reset_develop", {"photo_ids": ["?"]}),
        ("apply_preset", {"photo_ids": ["?"], "preset_id": "preset"}),
    ],
)
def test_a_busy_catalog_is_retriable_and_develops_nothing(rig: Rig, name: str, arguments: dict[str, Any]) -> None:
    photo = rig.catalog.photo(rig.ids(3)[0])
    rig.catalog.change_photo(photo.local_id, develop={"Dehaze": 4})
    before = rig.catalog.photos()
    filled = {"undo_name": "Busy", **arguments}
    if "changes" in filled:
        filled["changes"] = [{"photo_id": photo.uuid, "settings": {"Texture": 9}}]
    else:
        filled["photo_ids"] = [photo.uuid]
    if name == "apply_preset":
        filled["preset_id"] = rig.ask("list_presets", {})["presets"][0]["preset_id"]
    rig.lightroom.busy_for(60)
    with pytest.raises(Refused) as refused:
        rig.ask(name, filled)
    assert (refused.value.code, refused.value.retriable) == ("CATALOG_BUSY", True)
    assert rig.catalog.photos() == before


@requirement("bridge.chunks")
def test_a_catalog_that_becomes_busy_leaves_the_rest_not_attempted(rig: Rig) -> None:
    ids = rig.ids(1, 25)
    rig.lightroom.busy_after_gates(1, 60)
    report = rig.write({photo_id: {"Vibrance": 20} for photo_id in ids})
    assert applied(report) == ids[:10]
    assert report["not_attempted"] == ids[10:]
    assert report["stopped"]["code"] == "CATALOG_BUSY"


@requirement("bridge.delivery")
def test_developing_stops_at_its_deadline_with_a_report(rig: Rig) -> None:
    # nothing settles, so each ten photos take a second of the three that there are
    rig.lightroom.settle_develop_after(100)
    ids = rig.ids(1, 29)
    report = rig.write({photo_id: {"Vibrance": 20} for photo_id in ids}, deadline=3.0)
    assert report["stopped"]["code"] == "TIMEOUT"
    assert report["not_attempted"] == ids[20:]
    assert len(report["failed"]) == 20


@requirement("bridge.delivery")
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([{"photo_id": "a", "settings": {"Texture": None}}], "the setting Texture holds null"),
        ([{"photo_id": "a", "settings": {"Look": {"Name": [None]}}}], "the setting Look holds null"),
        ([{"photo_id": "a", "settings": NOTHING}, {"photo_id": "a", "settings": NOTHING}], "named twice"),
    ],
)
def test_settings_that_lightroom_cannot_be_given_are_refused_before_any_write(
    rig: Rig, changes: list[dict[str, Any]], says: str
) -> None:
    with pytest.raises(Refused, match=says) as refused:
        rig.ask("write_develop", {"undo_name": "Wrong", "changes": changes})
    assert refused.value.code == "BAD_ARGUMENTS"


@requirement("bridge.delivery")
def test_photos_that_were_developed_and_cannot_be_read_back_are_said_to_be_so(
    bridge: FakeBridge, data_folder: Path
) -> None:
    def break_reading(file: str, source: str) -> str:
        broken = "entry.now = settings", 'entry.now = nil entry.unread = "the lights went out"'
        return source.replace(*broken) if file == "DevelopWrites.lua" else source.replace("entry.now,", "{},")

    catalog = mixed_catalog()
    jpeg = catalog.photos()[2].uuid
    change = {"photo_id": jpeg, "settings": NOTHING}
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock(), transform=break_reading):
        command = bridge.send("write_develop", {"undo_name": "Blind", "changes": [change]})
        report = outcome("write_develop", bridge.result(command))
    assert reasons(report) == {jpeg: ("LIGHTROOM_ERROR", "written, but not read back: the lights went out")}
