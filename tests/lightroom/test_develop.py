"""What the simulated Lightroom makes of develop settings: as measured on the real one."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from safelight.lightroom import Catalog, ManualClock, Photo, SimulatedLightroom
from safelight.lightroom.develop import after_write, auto_tones, defaults, has_adjustments, own, settings_of
from safelight.lightroom.develop_settings import CLAMPED, NON_RAW, RAW, TONES, Setting
from tests.requirement import requirement

JPEG = Photo(local_id=1, uuid="ONE", path="/a/one.jpg", file_name="one.jpg")
RAW_FILE = Photo(local_id=2, uuid="TWO", path="/a/two.nef", file_name="two.nef", file_format="RAW")


def sliders(table: Mapping[str, Setting]) -> list[tuple[str, float, float]]:
    """Name and ends of each."""
    return [
        (name, setting.least, setting.most)
        for name, setting in table.items()
        if setting.least is not None and setting.most is not None
    ]


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("photo", "table"), [(JPEG, NON_RAW), (RAW_FILE, RAW)], ids=["jpeg", "raw"])
@given(data=st.data())
def test_within_its_range_every_setting_takes_its_value(
    photo: Photo, table: Mapping[str, Setting], data: st.DataObject
) -> None:
    name, least, most = data.draw(st.sampled_from(sliders(table)))
    value = data.draw(st.floats(least, most) | st.sampled_from([least, most]))
    written = after_write(photo, {name: value})
    assert written[name] == value
    touched = {other for other in written if written[other] != settings_of(photo)[other]}
    assert touched <= {name, "WhiteBalance"}


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("photo", "table"), [(JPEG, NON_RAW), (RAW_FILE, RAW)], ids=["jpeg", "raw"])
@given(data=st.data())
def test_beyond_its_range_a_setting_is_clamped_or_keeps_the_old_value(
    photo: Photo, table: Mapping[str, Setting], data: st.DataObject
) -> None:
    name, least, most = data.draw(st.sampled_from(sliders(table)))
    beyond = data.draw(st.floats(0.01, 1e6))
    high, low = after_write(photo, {name: most + beyond}), after_write(photo, {name: least - beyond})
    if name in CLAMPED:
        assert (low[name], high[name]) == (least, most)
    else:
        assert low == high == settings_of(photo)


@requirement("lightroom.simulator")
@pytest.mark.parametrize(
    "settings",
    [
        {"CameraProfile": "Nonsense"},
        {"CameraProfile": 7},
        {"Temperature": 5000},
        {"NoSuchSetting": 1},
        {"Exposure2012": "bright"},
        {"Exposure2012": True},
        {"ToneCurvePV2012": 3},
        {"ConvertToGrayscale": 1},
    ],
    ids=str,
)
def test_what_does_not_fit_is_ignored_without_a_word(settings: dict[str, Any]) -> None:
    assert after_write(JPEG, settings) == settings_of(JPEG)


@requirement("lightroom.simulator")
def test_white_balance_is_in_kelvin_for_raw_files_and_in_steps_for_others() -> None:
    assert {"Temperature", "Tint"} <= set(defaults(RAW_FILE))
    assert {"IncrementalTemperature", "IncrementalTint"} <= set(defaults(JPEG))
    assert not {"Temperature", "Tint"} & set(defaults(JPEG))
    warm = after_write(RAW_FILE, {"Temperature": 7000})
    assert warm["WhiteBalance"] == "Custom"
    cooled = structs.replace(RAW_FILE, develop=own(RAW_FILE, warm))
    assert after_write(cooled, {"WhiteBalance": "As Shot"}) == settings_of(RAW_FILE)


@requirement("lightroom.simulator")
@pytest.mark.parametrize(
    ("develop", "is_adjusted"),
    [
        (None, False),
        ({}, False),
        ({"Exposure2012": 0}, False),
        ({"ToneCurvePV2012": [0, 0, 255, 255], "RetouchInfo": []}, False),
        ({"RetouchInfo": {}}, False),
        ({"Exposure2012": 0.1}, True),
        ({"Exposure2012": 0.0, "Look": {"Name": "Vivid"}}, True),
    ],
)
def test_a_photo_is_adjusted_when_a_setting_is_no_default(develop: dict[str, Any] | None, is_adjusted: bool) -> None:
    assert has_adjustments(structs.replace(JPEG, develop=develop)) is is_adjusted


@requirement("lightroom.simulator")
@given(uuid=st.uuids())
def test_auto_finds_tones_within_their_ranges_and_the_same_each_time(uuid: UUID) -> None:
    photo = structs.replace(JPEG, uuid=str(uuid))
    tones = auto_tones(photo)
    assert tones == auto_tones(photo)
    assert set(tones) == set(TONES)
    written = after_write(photo, {"AutoTone": True})
    assert {name: written[name] for name in tones} == tones
    assert "AutoTone" not in written


# --- in Lua ----------------------------------------------------------------------------------------------------------

PREAMBLE = """
local LrTasks = import("LrTasks")
local catalog = import("LrApplication").activeCatalog()
local function gate(func) return catalog:withWriteAccessDo("Test", func, { timeout = 1 }) end
local photo = catalog:getTargetPhoto()
local function texture() return photo:getDevelopSettings().Texture end
"""


@pytest.fixture
def timed(plugin: Path, catalog: Catalog) -> Generator[SimulatedLightroom]:
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin, clock=ManualClock()) as simulated:
        yield simulated


@requirement("lightroom.simulator")
def test_a_write_may_be_read_late(timed: SimulatedLightroom) -> None:
    timed.settle_develop_after(0.5)
    timed.run_lua(
        PREAMBLE + 'gate(function() photo:applyDevelopSettings({ Texture = 7 }, "Crisp") end) assert(texture() == 0)'
    )
    timed.advance(0.4)
    timed.run_lua(PREAMBLE + "assert(texture() == 0)")
    timed.advance(0.1)
    timed.run_lua(PREAMBLE + "assert(texture() == 7)")
    assert timed.history_of(timed.catalog.selection[0]) == ("Crisp",)


@requirement("lightroom.simulator")
@pytest.mark.parametrize(("at_once", "reads"), [("false", "-999999"), ("true", "auto")])
def test_auto_takes_a_second_unless_it_is_to_be_done_at_once(
    timed: SimulatedLightroom, at_once: str, reads: str
) -> None:
    exposure = auto_tones(timed.catalog.photo(timed.catalog.selection[0]))["Exposure2012"]
    check = "assert(photo:getDevelopSettings().Exposure2012 == {})"
    timed.run_lua(
        PREAMBLE
        + f'gate(function() photo:applyDevelopSettings({{ AutoTone = true }}, "Auto", {at_once}) end) '
        + check.format(exposure if reads == "auto" else reads)
    )
    timed.advance(1.0)
    timed.run_lua(PREAMBLE + check.format(exposure))


@requirement("lightroom.simulator")
def test_a_gate_that_fails_takes_develop_settings_and_snapshots_back(alone: SimulatedLightroom) -> None:
    before = alone.catalog.photos()
    alone.run_lua(
        PREAMBLE
        + 'assert(not LrTasks.pcall(gate, function() photo:applyDevelopSettings({ Texture = 7 }, "Crisp") '
        + 'photo:createDevelopSnapshot("Crisp", false) error("no") end))'
    )
    assert alone.catalog.photos() == before


@requirement("lightroom.simulator")
def test_virtual_copies_are_made_of_the_selection_and_become_it(alone: SimulatedLightroom) -> None:
    selected = alone.catalog.selection
    alone.run_lua(
        PREAMBLE
        + "local masters = catalog:getTargetPhotos() "
        + 'local copies = catalog:createVirtualCopies("Mono") '
        + "assert(#copies == 3 and catalog:getTargetPhoto() == copies[1]) "
        + "for i, copy in ipairs(copies) do "
        + 'assert(copy:getRawMetadata("masterPhoto") == masters[i]) '
        + 'assert(masters[i]:getRawMetadata("virtualCopies")[1] == copy) '
        + 'assert(masters[i]:getRawMetadata("countVirtualCopies") == 1) '
        + 'assert(copy:getFormattedMetadata("copyName") == "Mono" and copy:getRawMetadata("isVirtualCopy")) end '
        + 'local read = catalog:batchGetRawMetadata(masters, { "virtualCopies", "countVirtualCopies" }) '
        + "assert(read[masters[2]].virtualCopies[1] == copies[2] and read[masters[2]].countVirtualCopies == 1)"
    )
    made = [alone.catalog.photo(uuid) for uuid in alone.catalog.selection]
    assert [alone.catalog.by_id(copy.copy_of or 0).uuid for copy in made] == list(selected)


@requirement("lightroom.simulator")
def test_a_snapshot_brings_the_settings_back(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + "gate(function() photo:applyDevelopSettings({ Texture = 7, Dehaze = 3 }) end) "
        + 'gate(function() photo:createDevelopSnapshot("Crisp", false) end) '
        + "gate(function() photo:applyDevelopSettings({ Texture = 0, Vibrance = 9 }) end) "
        + "local id = photo:getDevelopSnapshots()[1].snapshotID "
        + "gate(function() photo:applyDevelopSnapshot(id) end) "
        + "local now = photo:getDevelopSettings() "
        + "assert(now.Texture == 7 and now.Dehaze == 3 and now.Vibrance == 0)"
    )
