"""The tools for develop settings, on the plug-in's own Lua."""

from __future__ import annotations

import asyncio
from typing import Any

import jsonschema
import pytest

from safelight.lightroom.develop import auto_tones
from safelight.tools.develop_table import NAMES
from safelight.tools.write import IN_DOUBT
from safelight.wire.tool_table import TOOLS
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench


async def undone(studio: Studio, content: dict[str, Any]) -> dict[str, Any]:
    return await studio.content("undo_change", change_id=content["change_id"])


def reasons(content: dict[str, Any]) -> dict[str, str]:
    return {failure["photo_id"]: failure["reason"] for failure in content["failed"]}


# --- reading ------------------------------------------------------------------------------------------------------


@requirement("tool.list-read")
async def test_settings_are_read_by_the_names_that_people_use(studio: Studio) -> None:
    raw, other = studio.ids(1, 2)
    studio.change(raw, develop={"Exposure2012": 0.5, "Temperature": 4000})
    content = await studio.content("get_develop_settings", photo_ids=[raw, other, "nope"])
    first, second = (one["settings"] for one in content["photos"])
    assert content["count"] == 3
    assert (first["exposure"], first["temperature"], second["temperature"]) == (0.5, 4000, 0)
    assert set(first) == set(NAMES)
    assert "nope" in content["warnings"][0]


async def test_only_unknown_photos_are_an_error(bench: Workbench, plugin: FakePlugin) -> None:
    error = await bench.error("get_develop_settings", photo_ids=["nope"])
    assert error.tool_code == "PHOTO_NOT_FOUND"


# --- setting ------------------------------------------------------------------------------------------------------


@requirement("tool.list-destructive", "tool.per-photo", "perm.undo")
async def test_settings_are_set_read_back_and_taken_back(studio: Studio) -> None:
    photos = studio.ids(1, 3)
    before = [studio.develop(i) for i in photos]
    content = await studio.content(
        "set_develop_settings", photo_ids=photos, settings={"exposure": 0.35, "contrast": 12, "grain": 30}
    )
    assert content["applied"] == photos
    for photo_id in photos:
        assert studio.develop(photo_id) == {"Exposure2012": 0.35, "Contrast2012": 12, "GrainAmount": 30}
        assert studio.lightroom.history_of(photo_id) == ("Safelight: develop settings",)
    await undone(studio, content)
    assert [studio.develop(i) for i in photos] == before


async def test_values_beyond_the_slider_are_limited_to_it(studio: Studio) -> None:
    (one,) = studio.ids(2)
    settings = {"exposure": 9.5, "highlights": -180, "sharpness": -20, "noise_reduction": 100}
    assert (await studio.content("set_develop_settings", photo_ids=[one], settings=settings))["applied"] == [one]
    assert studio.develop(one) == {"Exposure2012": 5, "Highlights2012": -100, "LuminanceSmoothing": 100}


async def test_an_amount_is_added_up_to_the_end_of_the_slider(studio: Studio) -> None:
    low, high = studio.ids(2, 3)
    studio.change(low, develop={"Contrast2012": -30})
    studio.change(high, develop={"Contrast2012": 95})
    asked: dict[str, Any] = {"photo_ids": [low, high], "settings": {"contrast": 20}, "relative": True}
    preview = await studio.preview("set_develop_settings", **asked)
    assert [(p.before, p.after) for p in preview.photos] == [
        ({"contrast": -30}, {"contrast": -10}),
        ({"contrast": 95}, {"contrast": 100}),
    ]
    assert (await studio.content("set_develop_settings", **asked))["applied"] == [low, high]
    again = await studio.content("set_develop_settings", **asked)
    assert set(again["applied"]) == {low, high}
    assert [studio.develop(i)["Contrast2012"] for i in (low, high)] == [10, 100]
    assert len(studio.lightroom.history_of(high)) == 1


async def test_kelvin_are_for_raw_photos_and_steps_for_others(studio: Studio) -> None:
    raw, other = studio.ids(1, 2)
    in_kelvin = await studio.content("set_develop_settings", photo_ids=[raw, other], settings={"temperature": 4500})
    assert in_kelvin["applied"] == [raw]
    assert "not raw" in reasons(in_kelvin)[other]
    in_steps = await studio.content("set_develop_settings", photo_ids=[raw, other], settings={"temperature": 20})
    assert in_steps["applied"] == [other]
    assert "kelvin" in reasons(in_steps)[raw]
    assert studio.develop(raw) == {"Temperature": 4500, "WhiteBalance": "Custom"}
    assert studio.develop(other) == {"IncrementalTemperature": 20, "WhiteBalance": "Custom"}


@requirement("perm.undo")
async def test_a_white_balance_that_was_as_shot_is_as_shot_again(studio: Studio) -> None:
    photos = studio.ids(1, 2)
    content = await studio.content("set_develop_settings", photo_ids=photos, settings={"tint": 30})
    assert [studio.develop(i)["WhiteBalance"] for i in photos] == ["Custom", "Custom"]
    await undone(studio, content)
    assert [studio.develop(i) for i in photos] == [{}, {}]


async def test_a_slider_that_an_old_process_version_lacks_is_named(studio: Studio) -> None:
    new, old = studio.ids(2, 3)
    studio.change(old, develop={"ProcessVersion": "5.7", "FillLight": 10})
    content = await studio.content("set_develop_settings", photo_ids=[new, old], settings={"blacks": -10})
    assert content["applied"] == [new]
    assert "older process version, which has no blacks" in reasons(content)[old]
    await studio.content("set_develop_settings", photo_ids=[old], settings={"shadows": 25})
    assert studio.develop(old)["FillLight"] == 25


async def test_a_video_takes_no_develop_settings_and_the_others_do(studio: Studio) -> None:
    one, video = studio.ids(2)[0], studio.ids(30)[0]
    content = await studio.content("set_develop_settings", photo_ids=[one, video], settings={"exposure": 1})
    assert content["applied"] == [one]
    assert "video" in reasons(content)[video]


async def test_a_value_that_lightroom_keeps_fails_the_photo_and_what_it_took_can_be_taken_back(
    studio: Studio,
) -> None:
    source, one = studio.ids(2, 3)
    studio.change(source, develop={"CameraProfile": "My Camera", "Contrast2012": 20})
    answer = await studio.run("copy_develop_settings", photo_id=source, photo_ids=[one])
    assert "CameraProfile" in reasons(answer.content)[one]
    assert studio.develop(one) == {"Contrast2012": 20}
    (item,) = await studio.journal.items(answer.content["change_id"])
    assert (item.state, item.before, item.after) == ("done", {"contrast": 0}, {"contrast": 20})
    await undone(studio, answer.content)
    assert studio.develop(one) == {}


@pytest.mark.parametrize("settings", [{}, {"brightness": 5}, {"exposure": "bright"}, {"contrast": 1.5}])
def test_the_schema_refuses_what_is_no_setting(settings: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"settings": settings, "set": "view"}, TOOLS["set_develop_settings"].input_schema)


# --- presets, automatic tones, reset ---------------------------------------------------------------------------------


@requirement("tool.list-destructive", "perm.undo")
async def test_automatic_tones_are_lightrooms_and_are_taken_back(studio: Studio) -> None:
    photos = studio.ids(2, 4)
    studio.change(photos[1], develop={"Exposure2012": 1.0})
    before = [studio.develop(i) for i in photos]
    content = await studio.content("auto_tone", photo_ids=photos)
    assert content["applied"] == photos
    found = auto_tones(studio.catalog.photo(photos[0]))
    assert {name: studio.develop(photos[0]).get(name, 0) for name in found} == found
    await undone(studio, content)
    assert [studio.develop(i) for i in photos] == before


@requirement("tool.list-destructive", "perm.undo")
async def test_a_reset_takes_all_but_the_profile_back_and_can_be_taken_back(studio: Studio) -> None:
    one, untouched = studio.ids(2, 3)
    own = {
        "Exposure2012": 1.0,
        "CropLeft": 0.1,
        "CameraProfile": "Adobe Vivid",
        "MaskGroupBasedCorrections": [{"What": "Correction", "CorrectionAmount": 1}],
        "WhiteBalance": "Custom",
        "IncrementalTemperature": 12,
    }
    studio.change(one, develop=own)
    content = await studio.content("reset_develop", photo_ids=[one, untouched])
    assert content["applied"] == [one, untouched]
    assert studio.develop(one) == {"CameraProfile": "Adobe Vivid"}
    assert (await undone(studio, content))["failed"] == []
    assert studio.develop(one) == own
    assert studio.develop(untouched) == {}


@requirement("perm.preview")
async def test_a_question_says_what_can_be_said_of_a_change_that_only_lightroom_knows(studio: Studio) -> None:
    (one,) = studio.ids(2)
    for tool, shown in (("auto_tone", {"tones": "automatic"}), ("reset_develop", {"develop settings": "defaults"})):
        preview = await studio.preview(tool, photo_ids=[one])
        assert [(p.before, p.after) for p in preview.photos] == [({}, shown)]
    assert studio.lightroom.history_of(one) == ()


# --- copying ------------------------------------------------------------------------------------------------------


@requirement("tool.list-destructive", "perm.undo")
async def test_copying_gives_all_but_what_belongs_to_one_picture(studio: Studio) -> None:
    source, *targets = studio.ids(2, 4)
    studio.change(
        source,
        develop={
            "Exposure2012": 0.7,
            "CropLeft": 0.2,
            "RetouchInfo": ["spot"],
            "MaskGroupBasedCorrections": [{"What": "Correction"}],
            "IncrementalTemperature": -15,
            "WhiteBalance": "Custom",
            "AutoLateralCA": 1,
        },
    )
    content = await studio.content("copy_develop_settings", photo_id=source, photo_ids=[source, *targets])
    assert content["applied"] == [source, *targets]
    wanted = {"Exposure2012": 0.7, "IncrementalTemperature": -15, "WhiteBalance": "Custom"}
    assert [studio.develop(i) for i in targets] == [wanted, wanted]
    await undone(studio, content)
    assert [studio.develop(i) for i in targets] == [{}, {}]


async def test_a_copied_white_balance_as_shot_is_each_photos_own(studio: Studio) -> None:
    source, one = studio.ids(2, 3)
    studio.change(one, develop={"IncrementalTemperature": 40, "WhiteBalance": "Custom", "Contrast2012": 5})
    content = await studio.content(
        "copy_develop_settings", photo_id=source, photo_ids=[one], only=["white_balance", "presence"]
    )
    assert studio.develop(one) == {"Contrast2012": 5}
    await undone(studio, content)
    assert studio.develop(one) == {"IncrementalTemperature": 40, "WhiteBalance": "Custom", "Contrast2012": 5}


async def test_white_balance_and_profile_do_not_pass_between_raw_photos_and_others(studio: Studio) -> None:
    raw, other = studio.ids(1, 2)
    studio.change(raw, develop={"Temperature": 3000, "WhiteBalance": "Custom", "Contrast2012": 5})
    await studio.content("copy_develop_settings", photo_id=raw, photo_ids=[other])
    copied_to = studio.develop(other)
    assert copied_to.pop("Sharpness") == 40
    assert copied_to.pop("ColorNoiseReduction") == 25
    assert copied_to == {"Contrast2012": 5}
    answer = await studio.run("copy_develop_settings", photo_id=raw, photo_ids=[other], only=["white_balance"])
    assert "between raw photos and others" in reasons(answer.content)[other]


async def test_groups_do_not_pass_between_process_versions_whose_sliders_differ(studio: Studio) -> None:
    old, new = studio.ids(2, 3)
    studio.change(old, develop={"ProcessVersion": "5.7", "FillLight": 10, "Vibrance": 12})
    answer = await studio.run("copy_develop_settings", photo_id=old, photo_ids=[new], only=["tone"])
    assert "process versions" in reasons(answer.content)[new]
    assert studio.develop(new) == {}


async def test_a_photo_to_copy_from_that_is_not_there_is_an_error(bench: Workbench, plugin: FakePlugin) -> None:
    error = await bench.error("copy_develop_settings", photo_id="nope", set="selection")
    assert (error.tool_code, plugin.names("write")) == ("PHOTO_NOT_FOUND", [])


# --- trouble ------------------------------------------------------------------------------------------------------


@requirement("perm.undo")
async def test_what_cannot_be_taken_away_again_is_named_and_the_rest_is_taken_back(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.hold("apply_preset")
    applying = asyncio.create_task(bench.content("apply_preset", preset="Hard", set="selection"))
    await plugin.reached("apply_preset")
    develop = plugin.writes.develop
    develop["photo-0001"] = {"Look": {"Name": "Vivid"}, "NewSlider": 3}
    plugin.hold("apply_preset").set()
    change_id = (await applying)["change_id"]
    develop["photo-0002"]["NewSlider"] = 4  # by hand, since
    content = await bench.content("undo_change", change_id=change_id)
    assert sorted(content["applied"]) == ["photo-0001", "photo-0002", "photo-0003"]
    (warning,) = content["warnings"]
    assert warning.startswith("All else was changed. NewSlider stays: Lightroom cannot take away a setting")
    assert develop["photo-0001"] == {"Look": {}, "NewSlider": 3, "Contrast2012": 0}
    assert (await bench.journal.change(change_id)).left == 0


async def test_a_photo_of_which_nothing_can_be_taken_back_is_a_failure_that_says_so(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.hold("apply_preset")
    plugin.writes.develop["photo-0001"] = {"Contrast2012": 10}
    applying = asyncio.create_task(bench.content("apply_preset", preset="Hard", photo_ids=["photo-0001"]))
    await plugin.reached("apply_preset")
    plugin.writes.develop["photo-0001"]["NewSlider"] = 3
    plugin.hold("apply_preset").set()
    answer = await bench.run("undo_change", change_id=(await applying)["change_id"])
    assert not answer.ok
    assert reasons(answer.content)["photo-0001"].startswith("NewSlider stays: Lightroom cannot take away")


@requirement("bridge.delivery")
async def test_settings_whose_answer_is_lost_are_looked_at_and_those_of_a_preset_stay_in_doubt(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.ignores.add("photo-0002")
    for tool, arguments, done in (
        ("set_develop_settings", {"settings": {"contrast": 20}}, ["photo-0001", "photo-0003"]),
        ("apply_preset", {"preset": "Hard"}, []),
    ):
        name = {"set_develop_settings": "write_develop"}.get(tool, tool)
        plugin.lose_next_answer(name)
        writing = asyncio.create_task(bench.run(tool, set="selection", **arguments))
        await plugin.reached(name)
        bench.clock.advance(150)
        bench.bridge.tick()
        content = (await writing).content
        assert content["applied"] == done
        assert {f["reason"] for f in content["failed"]} == {IN_DOUBT}
        states = (await bench.journal.change(content["change_id"])).states
        assert (states.get("done", 0), states["unknown"]) == (len(done), 3 - len(done))


async def test_a_photo_whose_tones_are_still_being_worked_out_stays_in_doubt(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.answer_with(
        "write_develop",
        {
            "applied": [],
            "failed": [{"photo_id": "photo-0001", "code": "TIMEOUT", "message": "still working"}],
            "not_attempted": [],
        },
    )
    plugin.ignores.add("photo-0001")
    writing = asyncio.create_task(
        bench.run("set_develop_settings", photo_ids=["photo-0001"], settings={"contrast": 20})
    )
    await plugin.reached("write_develop")
    plugin.writes.develop["photo-0001"] = {"Exposure2012": -999999}
    content = (await writing).content
    assert content["failed"] == [{"photo_id": "photo-0001", "reason": IN_DOUBT}]
    assert (await bench.journal.change(content["change_id"])).states == {"unknown": 1}


@requirement("tool.per-photo")
async def test_ten_thousand_photos_are_changed_in_pieces_and_each_is_accounted_for(bench: Workbench) -> None:
    async with FakePlugin(bench.bridge, [photo(n) for n in range(1, 10_001)]) as plugin:
        async with asyncio.timeout(60):
            answer = await bench.tools["set_develop_settings"].preview({"settings": {"contrast": 5}, "set": "view"})
            assert answer is not None
            assert (len(answer.photos), answer.more) == (20, 9_980)
            content = await bench.content("set_develop_settings", set="view", settings={"contrast": 5})
        writes = [c for c in plugin.received if c.name == "write_develop"]
        assert {len(c.arguments["changes"]) for c in writes} == {50}
        assert content["applied"] == list(plugin.photos)
        assert all(settings["Contrast2012"] == 5 for settings in plugin.writes.develop.values())
