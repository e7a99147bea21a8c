"""Exports: files that are really there, a word for every photo, and nothing overwritten."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from safelight.lightroom import Catalog, SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "out"
    made.mkdir()
    return made


def ids(lightroom: SimulatedLightroom, count: int) -> list[str]:
    return [photo.uuid for photo in lightroom.catalog.photos()[:count]]


def export(bridge: FakeBridge, folder: Path, photo_ids: list[str], **more: Any) -> dict[str, Any]:
    deadline = more.pop("deadline", 60.0)
    arguments = {"folder": str(folder), "format": "jpeg", "long_edge": 200, "photo_ids": photo_ids} | more
    return bridge.ask("export_photos", {name: value for name, value in arguments.items() if value}, deadline=deadline)


def refusal(bridge: FakeBridge, folder: Path | str, photo_ids: list[str], **more: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        export(bridge, Path(folder), photo_ids, **more)
    return refused.value


@requirement("tool.list-change")
def test_each_photo_becomes_a_file_whose_path_is_told(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    wanted = ids(lightroom, 3)
    answer = export(bridge, folder, wanted)
    assert [one["photo_id"] for one in answer["exported"]] == wanted
    assert (answer["failed"], answer["not_attempted"], "stopped" in answer) == ([], [], False)
    for one, photo in zip(answer["exported"], lightroom.catalog.photos(), strict=False):
        assert Path(one["path"]) == folder / photo.file_name
        with Image.open(one["path"]) as picture:
            assert (picture.format, max(picture.size)) == ("JPEG", 200)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        Path(one["path"]).name for one in answer["exported"]
    )


@requirement("tool.list-change")
@pytest.mark.parametrize(
    ("file_format", "ending", "kind"),
    [("jpeg", ".jpg", "JPEG"), ("tiff", ".tif", "TIFF"), ("png", ".png", "PNG"), ("dng", ".dng", "TIFF")],
)
def test_a_file_is_of_the_format_that_was_asked_for(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path, file_format: str, ending: str, kind: str
) -> None:
    edge = None if file_format == "dng" else 120
    (one,) = export(bridge, folder, ids(lightroom, 1), format=file_format, long_edge=edge)["exported"]
    assert Path(one["path"]).suffix == ending
    with Image.open(one["path"], formats=(kind,)) as picture:
        assert picture.size[0] > 0


@requirement("tool.list-change")
def test_an_original_keeps_its_name(bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path) -> None:
    (one,) = export(bridge, folder, ids(lightroom, 1), format="original", long_edge=None)["exported"]
    assert Path(one["path"]).name == lightroom.catalog.photos()[0].file_name


@requirement("tool.list-change")
def test_a_lower_quality_makes_a_smaller_file(bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path) -> None:
    wanted = ids(lightroom, 1)
    (good,) = export(bridge, folder, wanted, quality=95)["exported"]
    (poor,) = export(bridge, folder, wanted, quality=10)["exported"]
    assert Path(poor["path"]).stat().st_size < Path(good["path"]).stat().st_size


@requirement("tool.list-change")
def test_nothing_is_overwritten(bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path) -> None:
    photo = lightroom.catalog.photos()[0]
    (folder / photo.file_name).write_bytes(b"the photographer's own")
    paths = {export(bridge, folder, [photo.uuid])["exported"][0]["path"] for _ in range(2)}
    assert len(paths) == 2
    assert (folder / photo.file_name).read_bytes() == b"the photographer's own"
    assert len(list(folder.iterdir())) == 3


@requirement("tool.list-change")
def test_a_virtual_copy_is_a_file_of_its_own(bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path) -> None:
    copy = next(photo for photo in lightroom.catalog.photos() if photo.copy_of is not None)
    master = lightroom.catalog.by_id(copy.copy_of or 0)
    answer = export(bridge, folder, [master.uuid, copy.uuid])
    assert len({one["path"] for one in answer["exported"]}) == 2


@requirement("tool.list-change")
def test_photos_that_cannot_be_exported_are_told_one_by_one(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    """simongaoai-coder's lightroom-mcp and LrC_Autonomous_Gateway find out late that an original is not there."""
    first, second, third = ids(lightroom, 3)
    lightroom.take_offline([second])
    answer = export(bridge, folder, [first, "nobody", second, third])
    assert [one["photo_id"] for one in answer["exported"]] == [first, third]
    assert {one["photo_id"]: one["code"] for one in answer["failed"]} == {
        "nobody": "PHOTO_NOT_FOUND",
        second: "ORIGINAL_OFFLINE",
    }
    lightroom.bring_back([second])
    assert export(bridge, folder, [second])["failed"] == []


@requirement("tool.list-change")
def test_a_video_is_exported_as_it_is_or_not_at_all(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    photo = lightroom.catalog.photos()[0]
    lightroom.catalog.change_photo(photo.local_id, file_format="VIDEO")
    (failed,) = export(bridge, folder, [photo.uuid])["failed"]
    assert failed["message"] == "Lightroom makes no file of this photo in this format"
    assert len(export(bridge, folder, [photo.uuid], format="original", long_edge=None)["exported"]) == 1


@requirement("tool.list-change")
def test_a_folder_is_made_where_the_one_above_is_there(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    (one,) = export(bridge, folder / "new", ids(lightroom, 1))["exported"]
    assert Path(one["path"]).parent == folder / "new"
    refused = refusal(bridge, folder / "a" / "b", ids(lightroom, 1))
    assert (refused.code, refused.retriable) == ("FOLDER_NOT_WRITABLE", False)
    assert str(folder / "a") in refused.message
    assert not (folder / "a").exists()


@requirement("tool.list-change")
def test_a_drive_that_is_not_there_is_refused_in_words(catalog: Catalog) -> None:
    """It has no folder above it."""
    prepared = """
        local isReady, failure = require("ExportFolder").prepare([[Z:\\]])
        assert(not isReady and failure.code == "FOLDER_NOT_WRITABLE", failure)
        assert(string.find(failure.message, [[this drive is not there: Z:\\]], 1, true), failure.message)
    """
    with SimulatedLightroom(catalog, data_folder=None, system="WIN", home="C:\\") as lightroom:
        lightroom.run_lua(prepared)
        assert lightroom.errors == ()


@requirement("tool.list-change")
def test_a_folder_that_takes_no_files_is_refused_before_anything_is_written(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    wanted = ids(lightroom, 2)
    (folder / "a file").write_bytes(b"")
    assert "this is a file" in refusal(bridge, folder / "a file", wanted).message
    assert "full path" in refusal(bridge, "Pictures/out", wanted).message
    lightroom.make_unwritable(folder)
    for place in (folder, folder / "below"):
        assert refusal(bridge, place, wanted).code == "FOLDER_NOT_WRITABLE"
    assert [path.name for path in folder.iterdir()] == ["a file"]


@requirement("tool.list-change")
@pytest.mark.parametrize("file_format", ["dng", "original"])
def test_a_size_for_a_format_that_has_none_is_refused(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path, file_format: str
) -> None:
    refused = refusal(bridge, folder, ids(lightroom, 1), format=file_format)
    assert refused.code == "BAD_ARGUMENTS"
    assert "long_edge" in refused.message


@requirement("tool.list-change")
def test_a_full_disk_ends_the_export_and_says_so(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    wanted = ids(lightroom, 5)
    lightroom.fill_disk_after(2)
    answer = export(bridge, folder, wanted)
    assert [one["photo_id"] for one in answer["exported"]] == wanted[:2]
    assert [(one["photo_id"], one["code"]) for one in answer["failed"]] == [(wanted[2], "LIGHTROOM_ERROR")]
    assert "not enough space" in answer["failed"][0]["message"]
    assert answer["not_attempted"] == wanted[3:]
    assert answer["stopped"]["code"] == "LIGHTROOM_ERROR"
    assert answer["stopped"]["message"].startswith("The disk is full: 0 MB are left.")
    assert len(list(folder.iterdir())) == 2
    lightroom.empty_disk()
    assert len(export(bridge, folder, wanted[2:])["exported"]) == 3


@requirement("tool.list-change")
def test_a_picture_that_cannot_be_rendered_costs_no_other(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    wanted = ids(lightroom, 3)
    broken = lightroom.catalog.photo(wanted[1])
    lightroom.catalog.change_photo(broken.local_id, path="/Users/you/Pictures/nothing.jpg")
    answer = export(bridge, folder, wanted)
    assert [one["photo_id"] for one in answer["exported"]] == [wanted[0], wanted[2]]
    assert [one["photo_id"] for one in answer["failed"]] == [wanted[1]]


@requirement("bridge.delivery", "tool.list-change")
def test_an_export_stops_before_a_file_that_would_be_too_late(
    bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path
) -> None:
    wanted = ids(lightroom, 6)
    lightroom.slow_exports(0.3)
    answer = export(bridge, folder, wanted, deadline=2.0)
    done = [one["photo_id"] for one in answer["exported"]]
    assert 1 <= len(done) <= 3
    assert done + answer["not_attempted"] == wanted
    assert answer["stopped"]["code"] == "TIMEOUT"
    assert len(list(folder.iterdir())) == len(done)


@requirement("plugin.settings")
def test_nothing_is_exported_while_read_only(bridge: FakeBridge, lightroom: SimulatedLightroom, folder: Path) -> None:
    lightroom.prefs["readOnly"] = True
    assert refusal(bridge, folder, ids(lightroom, 1)).code == "READ_ONLY"
    assert list(folder.iterdir()) == []
