"""Presets, Auto and Reset: what each does to a photo, active or not, and how it is known to have been done."""

from __future__ import annotations

from typing import Any

import pytest

from safelight.lightroom.develop import auto_tones
from tests.plugin.develop_rig import Rig, applied, reasons
from tests.plugin.fake_bridge import Refused
from tests.requirement import requirement


def preset(rig: Rig, name: str) -> str:
    presets = rig.ask("list_presets", {})["presets"]
    return next(record["preset_id"] for record in presets if record["name"] == name)


def apply_preset(rig: Rig, name: str, photo_ids: list[str]) -> dict[str, Any]:
    arguments = {"undo_name": "Apply Preset", "preset_id": preset(rig, name), "photo_ids": photo_ids}
    return rig.ask("apply_preset", arguments)


def auto(rig: Rig, photo_ids: list[str], **options: Any) -> dict[str, Any]:
    return rig.ask("auto_tone", {"undo_name": "Auto Tone", "photo_ids": photo_ids}, **options)


def reset(rig: Rig, photo_ids: list[str]) -> dict[str, Any]:
    return rig.ask("reset_develop", {"undo_name": "Reset", "photo_ids": photo_ids})


# --- presets ---------------------------------------------------------------------------------------------------------


@requirement("tool.list-read")
def test_presets_are_listed_with_their_folders(rig: Rig) -> None:
    presets = rig.ask("list_presets", {})["presets"]
    assert ("B&W - High Contrast", "Deep Blacks") in [(record["folder"], record["name"]) for record in presets]
    assert len({record["preset_id"] for record in presets}) == len(presets)


@requirement("tool.per-photo")
def test_a_preset_is_applied_by_its_id_and_read_back(rig: Rig) -> None:
    raw, jpeg = rig.ids(1)[0], rig.ids(3)[0]
    rig.write({jpeg: {"Dehaze": 12}})
    report = apply_preset(rig, "Deep Blacks", [raw, jpeg])
    assert applied(report) == [raw, jpeg]
    looks = {"ConvertToGrayscale": True, "Contrast2012": 40, "Blacks2012": -35, "Clarity2012": 20}
    assert rig.develop(raw) == looks
    assert rig.develop(jpeg) == {**looks, "Dehaze": 12}
    assert rig.catalog.undo_names[-1] == "Apply Preset"


@requirement("tool.per-photo")
def test_a_preset_for_raw_files_is_applied_to_a_jpeg_as_far_as_it_goes(rig: Rig) -> None:
    raw, jpeg = rig.ids(1)[0], rig.ids(3)[0]
    assert applied(apply_preset(rig, "Night Walk", [raw, jpeg])) == [raw, jpeg]
    assert rig.develop(raw)["Temperature"] == 3800
    assert rig.develop(jpeg) == {"Exposure2012": 0.5, "LuminanceSmoothing": 30}


@requirement("tool.per-photo")
def test_a_preset_that_is_on_already_counts_as_applied(rig: Rig) -> None:
    ids = rig.ids(3, 4)
    apply_preset(rig, "Natural Light", ids)
    assert applied(apply_preset(rig, "Natural Light", ids)) == ids


@requirement("tool.per-photo")
def test_a_preset_that_settles_late_is_waited_for(rig: Rig) -> None:
    rig.lightroom.settle_develop_after(0.8)
    ids = rig.ids(3, 4)
    report = apply_preset(rig, "Natural Light", ids)
    assert applied(report) == ids
    assert {record["settings"]["Vibrance"] for record in report["applied"]} == {10}


@requirement("tool.per-photo")
def test_a_preset_that_changes_nothing_is_no_success(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    jpeg = rig.ids(3)[0]

    def change_nothing(local_id: int, **values: Any) -> None:
        pass

    monkeypatch.setattr(rig.catalog, "change_photo", change_nothing)
    report = apply_preset(rig, "Natural Light", [jpeg])
    assert reasons(report) == {jpeg: ("LIGHTROOM_ERROR", "Lightroom left the develop settings as they were")}


@requirement("tool.per-photo")
def test_an_unknown_preset_is_an_error_before_any_photo_is_touched(rig: Rig) -> None:
    before = rig.catalog.photos()
    arguments = {"undo_name": "Apply Preset", "preset_id": "no such preset", "photo_ids": rig.ids(3)}
    with pytest.raises(Refused) as refused:
        rig.ask("apply_preset", arguments)
    assert refused.value.code == "PRESET_NOT_FOUND"
    assert rig.catalog.photos() == before


# --- auto ------------------------------------------------------------------------------------------------------------


@requirement("tool.per-photo")
@pytest.mark.parametrize("late", [0.0, 0.6])
def test_auto_sets_the_tones_of_photos_that_are_not_active_and_of_no_others(rig: Rig, late: float) -> None:
    """simongaoai-coder's lightroom-mcp met calls on one photo that changed the active one."""
    rig.lightroom.settle_develop_after(late)
    ids = rig.ids(10, 12)
    rig.catalog.select(rig.ids(5, 6))
    before = {photo.uuid: photo for photo in rig.catalog.photos()}
    report = auto(rig, ids)
    assert applied(report) == ids
    for record in report["applied"]:
        tones = auto_tones(before[record["photo_id"]])
        assert {name: record["settings"][name] for name in tones} == tones
    changed = {photo.uuid for photo in rig.catalog.photos() if photo != before[photo.uuid]}
    assert changed == set(ids)
    assert rig.catalog.selection == tuple(rig.ids(5, 6))
    assert rig.catalog.view == ("library", "grid")
    assert rig.catalog.undo_names == ("Auto Tone",)


@requirement("tool.per-photo")
def test_auto_on_a_photo_that_has_these_tones_already_is_no_failure(rig: Rig) -> None:
    ids = rig.ids(10)
    auto(rig, ids)
    assert applied(auto(rig, ids)) == ids


@requirement("tool.per-photo")
def test_tones_that_are_still_being_worked_out_are_never_told_as_values(rig: Rig) -> None:
    rig.lightroom.settle_develop_after(60)
    jpeg = rig.ids(10)[0]
    report = auto(rig, [jpeg])
    assert report["applied"] == []
    assert reasons(report)[jpeg][0] == "TIMEOUT"
    assert "still working out the tones" in reasons(report)[jpeg][1]


@requirement("bridge.identity")
def test_auto_tells_missing_photos_and_videos(rig: Rig) -> None:
    video, jpeg = rig.ids(30)[0], rig.ids(10)[0]
    report = auto(rig, ["nobody", video, jpeg])
    assert applied(report) == [jpeg]
    assert {photo_id: code for photo_id, (code, _) in reasons(report).items()} == {
        "nobody": "PHOTO_NOT_FOUND",
        video: "UNSUPPORTED",
    }


# --- reset -----------------------------------------------------------------------------------------------------------

EDITS = {
    "Exposure2012": 1.5,
    "Texture": 20,
    "HueAdjustmentAqua": -12,
    "GrayMixerRed": 9,
    "ConvertToGrayscale": True,
    "ToneCurvePV2012": [0, 0, 100, 120, 255, 255],
    "CropLeft": 0.1,
    "CropAngle": 2.5,
    "SharpenRadius": 2,
    "Sharpness": 90,
    "ColorNoiseReduction": 60,
    "PostCropVignetteMidpoint": 10,
    "MaskGroupBasedCorrections": [{"What": "Correction"}],
}


@requirement("tool.per-photo")
@pytest.mark.parametrize("late", [0.0, 0.6])
def test_reset_takes_raw_files_and_jpegs_back_to_their_own_defaults(rig: Rig, late: float) -> None:
    rig.lightroom.settle_develop_after(late)
    raw, jpeg = rig.ids(1)[0], rig.ids(3)[0]
    warm = {raw: {**EDITS, "Temperature": 8000, "Tint": 40}, jpeg: {**EDITS, "IncrementalTemperature": 30}}
    assert applied(rig.write(warm)) == [raw, jpeg]
    report = reset(rig, [raw, jpeg])
    assert applied(report) == [raw, jpeg]
    assert (rig.develop(raw), rig.develop(jpeg)) == ({}, {})
    of_raw, of_jpeg = (record["settings"] for record in report["applied"])
    assert (of_raw["Sharpness"], of_raw["WhiteBalance"], of_raw["Temperature"]) == (40, "As Shot", 5200)
    assert (of_jpeg["Sharpness"], of_jpeg["IncrementalTemperature"]) == (0, 0)
    assert rig.lightroom.history_of(raw)[-1] == "Reset"


@requirement("tool.per-photo")
def test_reset_of_an_untouched_photo_writes_nothing(rig: Rig) -> None:
    ids = rig.ids(1, 4)
    before = rig.catalog.photos()
    assert applied(reset(rig, ids)) == ids
    assert rig.catalog.photos() == before
    assert rig.catalog.undo_names == ()


@requirement("tool.per-photo")
def test_reset_leaves_the_profile_to_the_photographer(rig: Rig) -> None:
    jpeg = rig.ids(3)[0]
    rig.write({jpeg: {"CameraProfile": "Adobe Vivid", "Texture": 5}})
    reset(rig, [jpeg])
    assert rig.develop(jpeg) == {"CameraProfile": "Adobe Vivid"}


@requirement("tool.per-photo")
def test_what_lightroom_does_not_put_back_is_named(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    jpeg = rig.catalog.photo(rig.ids(3)[0])
    rig.write({jpeg.uuid: {"Texture": 5, "RetouchInfo": [{"Spot": 1}]}})
    change = rig.catalog.change_photo

    def keep_spots(local_id: int, **values: Any) -> None:
        develop: dict[str, Any] = {**(values["develop"] or {}), "RetouchInfo": [{"Spot": 1}]}
        change(local_id, **{**values, "develop": develop})

    monkeypatch.setattr(rig.catalog, "change_photo", keep_spots)
    report = reset(rig, [jpeg.uuid])
    assert reasons(report) == {jpeg.uuid: ("LIGHTROOM_ERROR", "Lightroom kept RetouchInfo")}
