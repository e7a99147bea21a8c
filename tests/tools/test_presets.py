"""The tools for develop presets."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridge.fake_plugin import FakePlugin
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench


@requirement("tool.list-read")
async def test_presets_are_listed_with_their_folders_and_found_by_part_of_either(studio: Studio) -> None:
    everything = await studio.content("list_presets")
    assert everything["count"] == len(everything["presets"]) == 7
    found = await studio.content("list_presets", query="HIGH contrast")
    assert {(one["name"], one["folder"]) for one in found["presets"]} == {
        ("Deep Blacks", "B&W - High Contrast"),
        ("Bright Whites", "B&W - High Contrast"),
    }
    page = await studio.content("list_presets", limit=2, offset=6)
    assert (page["count"], page["presets"]) == (7, everything["presets"][6:])


@requirement("tool.list-destructive", "tool.per-photo", "perm.undo")
async def test_a_preset_is_applied_by_name_or_id_and_taken_back(studio: Studio) -> None:
    photos = studio.ids(2, 3)
    studio.change(photos[1], develop={"Contrast2012": -7})
    (night,) = [one for one in (await studio.content("list_presets"))["presets"] if one["name"] == "Night Walk"]
    for preset in ("night walk", night["preset_id"]):
        content = await studio.content("apply_preset", preset=preset, photo_ids=[*photos, "nope"])
        assert content["applied"] == photos
        assert [f["photo_id"] for f in content["failed"]] == ["nope"]
        assert [studio.develop(i)["Exposure2012"] for i in photos] == [0.5, 0.5]
        items = await studio.journal.items(content["change_id"])
        assert {name for item in items for name in item.before} == {"exposure", "noise_reduction"}
        await studio.content("undo_change", change_id=content["change_id"])
        assert [studio.develop(i) for i in photos] == [{}, {"Contrast2012": -7}]


async def test_a_video_is_a_failure_and_the_rest_gets_the_preset(studio: Studio) -> None:
    one, video = studio.ids(2)[0], studio.ids(30)[0]
    content = await studio.content("apply_preset", preset="Deep Blacks", photo_ids=[video, one])
    assert content["applied"] == [one]
    assert [f["photo_id"] for f in content["failed"]] == [video]


@requirement("perm.preview")
async def test_a_question_names_the_preset_as_lightroom_does(studio: Studio) -> None:
    preview = await studio.preview("apply_preset", preset="deep blacks", photo_ids=studio.ids(2))
    assert [(p.before, p.after) for p in preview.photos] == [({}, {"preset": "Deep Blacks"})]


@pytest.mark.parametrize(
    ("preset", "code", "said"),
    [
        ("Sft", "PRESET_NOT_FOUND", "Similar ones are Soft"),
        ("Velvia", "PRESET_NOT_FOUND", "See list_presets"),
        ("SOFT", "PRESET_AMBIGUOUS", "preset-1 (in Folder 1), preset-3 (in Folder 3), preset-5 (in Folder 5)"),
        ("Soft", "PRESET_AMBIGUOUS", "preset-3 (in Folder 3)"),
    ],
)
async def test_a_preset_that_is_not_one_is_refused_in_words(
    bench: Workbench, plugin: FakePlugin, preset: str, code: str, said: str
) -> None:
    error = await bench.error("apply_preset", preset=preset, set="selection")
    assert error.tool_code == code
    assert said in error.message
    assert plugin.names("write") == []


@pytest.mark.parametrize("preset", ["preset-3", "soft", "cafe", "Café"])
async def test_an_id_the_very_name_or_a_name_but_for_case_and_accents_is_enough(
    bench: Workbench, plugin: FakePlugin, preset: str
) -> None:
    content = await bench.content("apply_preset", preset=preset, set="selection")
    assert len(content["applied"]) == 3


async def test_a_preset_that_has_gone_since_changes_nothing(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.fail("apply_preset", "PRESET_NOT_FOUND")
    error = await bench.error("apply_preset", preset="Hard", set="selection")
    assert (error.tool_code, error.message) == (
        "PRESET_NOT_FOUND",
        "There is no such develop preset. See list_presets.",
    )
    assert (await bench.journal.changes())[0] == ()


@pytest.mark.parametrize(("offset", "count"), [(0, 2), (4, 1), (50, 0)])
async def test_a_page_beyond_the_end_is_empty(bench: Workbench, plugin: FakePlugin, offset: int, count: int) -> None:
    content: dict[str, Any] = await bench.content("list_presets", offset=offset, limit=2)
    assert (content["count"], len(content["presets"])) == (5, count)
