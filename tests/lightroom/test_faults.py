"""What can go wrong in Lightroom goes wrong here when a test says so."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path

import pytest

from safelight.lightroom import Catalog, ManualClock, PluginError, SimulatedLightroom, folder_catalog
from tests.requirement import requirement

PREAMBLE = """
local LrFileUtils = import("LrFileUtils")
local LrTasks = import("LrTasks")
local catalog = import("LrApplication").activeCatalog()
local log = import("LrLogger")("Test")
local photo = catalog:getTargetPhoto()
"""

EXPORT = (
    PREAMBLE
    + """
local function export(folder, more)
	local settings = {
		LR_format = "JPEG",
		LR_jpeg_quality = 0.5,
		LR_collisionHandling = "rename",
		LR_export_destinationType = "specificFolder",
		LR_export_destinationPathPrefix = folder,
		LR_size_doConstrain = true,
		LR_size_maxWidth = 64,
		LR_size_maxHeight = 64,
	}
	for key, value in pairs(more or {}) do
		settings[key] = value
	end
	local session = import("LrExportSession")({ photosToExport = { photo }, exportSettings = settings })
	for _, rendition in session:renditions({ stopIfCanceled = true }) do
		local done, path = rendition:waitForRender()
		log:info(tostring(done) .. " " .. path)
	end
end
"""
)


@pytest.fixture
def timed(plugin: Path, catalog: Catalog) -> Generator[SimulatedLightroom]:
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin, clock=ManualClock()) as simulated:
        yield simulated


def said(lightroom: SimulatedLightroom) -> list[str]:
    return [text for _, text in lightroom.log]


@requirement("lightroom.simulator")
def test_a_modal_dialog_holds_reads_until_it_is_closed(timed: SimulatedLightroom) -> None:
    timed.show_dialog_for(3)
    timed.start_lua(PREAMBLE + 'log:info("read " .. tostring(photo ~= nil))')
    timed.advance(2.9)
    assert said(timed) == []
    timed.advance(0.2)
    assert said(timed) == ["read true"]


@requirement("lightroom.simulator")
def test_a_modal_dialog_keeps_gates_closed_and_lets_other_tasks_run(timed: SimulatedLightroom) -> None:
    timed.start_lua(
        PREAMBLE
        + """
        log:info("ready")
        LrTasks.sleep(1)
        log:info(catalog:withWriteAccessDo("Test", function() end, { timeout = 2 }))
        LrTasks.yield()
        log:info(catalog:withWriteAccessDo("Test", function() end, { timeout = 2 }))
        """
    )
    timed.advance(0.5)
    timed.show_dialog_for(4)
    timed.advance(5)
    assert said(timed) == ["ready", "aborted", "executed"]


@requirement("lightroom.simulator")
def test_a_thumbnail_can_come_late(timed: SimulatedLightroom) -> None:
    timed.answer_thumbnails("ok", after=2)
    timed.start_lua(
        PREAMBLE
        + """
        local request = photo:requestJpegThumbnail(64, 64, function(jpeg) log:info(jpeg and "picture" or "error") end)
        LrTasks.sleep(5)
        log:info(request and "held")
        """
    )
    timed.advance(1.9, patience=5)
    assert said(timed) == []
    timed.advance(2, patience=5)
    assert said(timed) == ["picture"]


@requirement("lightroom.simulator")
def test_a_thumbnail_can_be_an_error_first(alone: SimulatedLightroom) -> None:
    alone.answer_thumbnails("error first")
    alone.run_lua(
        PREAMBLE
        + """
        local count = 0
        local request = photo:requestJpegThumbnail(64, 64, function(jpeg)
            count = count + 1
            log:info(jpeg and "picture" or "error")
        end)
        while count < 2 do LrTasks.sleep(0.01) end
        log:info(request and "held")
        """
    )
    assert said(alone) == ["error", "picture", "held"]


@requirement("lightroom.simulator")
def test_an_original_that_is_offline_is_nowhere_until_it_is_back(alone: SimulatedLightroom) -> None:
    copy = next(photo for photo in alone.catalog.photos() if photo.copy_of is not None)
    look = PREAMBLE + (
        f'local found = catalog:findPhotoByUuid("{copy.uuid}")'
        ' log:info(tostring(LrFileUtils.exists(found:getRawMetadata("path"))))'
    )
    alone.run_lua(look)
    alone.take_offline([copy.uuid])
    assert alone.catalog.by_id(copy.copy_of or 0).is_offline
    alone.run_lua(look)
    alone.bring_back([copy.uuid])
    alone.run_lua(look)
    assert said(alone) == ["file", "false", "file"]


@requirement("lightroom.simulator")
def test_the_word_on_an_original_is_as_old_as_the_start_of_lightroom(alone: SimulatedLightroom) -> None:
    look = PREAMBLE + "log:info(tostring(photo:checkPhotoAvailability()))"
    alone.run_lua(look)
    alone.take_offline([alone.catalog.selection[0]])
    alone.run_lua(look)
    assert said(alone) == ["true", "true"]


@requirement("lightroom.simulator")
def test_an_export_writes_a_file_and_never_over_another(alone: SimulatedLightroom, tmp_path: Path) -> None:
    alone.run_lua(EXPORT + f'export("{tmp_path}") export("{tmp_path}")')
    first, second = (text.removeprefix("true ") for text in said(alone))
    assert first != second
    assert Path(first).read_bytes()[:2] == Path(second).read_bytes()[:2] == b"\xff\xd8"


@requirement("lightroom.simulator")
def test_an_export_overwrites_or_skips_when_it_is_told_to(alone: SimulatedLightroom, tmp_path: Path) -> None:
    name = alone.catalog.photo(alone.catalog.selection[0]).file_name
    (tmp_path / name).write_bytes(b"old")
    alone.run_lua(EXPORT + f'export("{tmp_path}", {{ LR_collisionHandling = "skip" }})')
    assert (tmp_path / name).read_bytes() == b"old"
    alone.run_lua(EXPORT + f'export("{tmp_path}", {{ LR_collisionHandling = "overwrite" }})')
    assert (tmp_path / name).read_bytes() != b"old"
    assert said(alone) == [f"false {name} is there already.", f"true {tmp_path / name}"]


@requirement("lightroom.simulator")
def test_the_original_of_a_real_folder_is_copied_as_it_is(plugin: Path, tmp_path: Path) -> None:
    from safelight.lightroom import write_drawn_photos

    (path,) = write_drawn_photos(tmp_path / "photos", 1, 80)
    with SimulatedLightroom(folder_catalog(tmp_path / "photos"), data_folder=None, plugin_folder=plugin) as lightroom:
        lightroom.run_lua(EXPORT + f'export("{tmp_path}", {{ LR_format = "ORIGINAL" }})')
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()


@requirement("lightroom.simulator")
def test_what_hinders_an_export_is_told_by_the_rendition(alone: SimulatedLightroom, tmp_path: Path) -> None:
    alone.run_lua(EXPORT + f'export("{tmp_path / "missing"}")')
    alone.fill_disk_after(0)
    alone.run_lua(EXPORT + f'export("{tmp_path}")')
    alone.empty_disk()
    alone.make_unwritable(tmp_path)
    alone.run_lua(EXPORT + f'export("{tmp_path}")')
    alone.take_offline(alone.catalog.selection)
    alone.run_lua(EXPORT + f'export("{tmp_path}")')
    name = alone.catalog.photo(alone.catalog.selection[0]).file_name
    assert said(alone) == [
        f"false The folder {tmp_path / 'missing'} cannot be written to.",
        "false There is not enough space on the disk.",
        f"false The folder {tmp_path} cannot be written to.",
        f"false The file {name} is offline or missing.",
    ]


@requirement("lightroom.simulator")
def test_a_rendition_that_is_skipped_writes_nothing(alone: SimulatedLightroom, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    alone.run_lua(
        EXPORT.replace("local done, path", "rendition:skipRender() assert(rendition.wasSkipped) local done, path")
        + f'export("{out}")'
    )
    assert (said(alone), list(out.iterdir())) == (["false skipped"], [])


@requirement("lightroom.simulator")
def test_an_export_takes_as_long_as_it_is_told_to(timed: SimulatedLightroom, tmp_path: Path) -> None:
    timed.slow_exports(3)
    timed.start_lua(EXPORT + f'export("{tmp_path}")')
    timed.advance(2.9)
    assert said(timed) == []
    timed.advance(0.2, patience=5)
    assert len(said(timed)) == 1


@requirement("lightroom.simulator")
def test_folders_are_made_and_taken_away(alone: SimulatedLightroom, tmp_path: Path) -> None:
    alone.run_lua(
        PREAMBLE
        + f"""
        local root = "{tmp_path}"
        LrFileUtils.createDirectory(root .. "/a/b")
        assert(LrFileUtils.exists(root .. "/a/b") == false)
        LrFileUtils.createAllDirectories(root .. "/a/b")
        assert(LrFileUtils.exists(root .. "/a/b") == "directory")
        assert(LrFileUtils.chooseUniqueFileName(root .. "/a") == root .. "/a-2")
        assert(LrFileUtils.delete(root .. "/a"))
        assert(not LrFileUtils.delete(root .. "/a"))
        local volume = LrFileUtils.volumeAttributes(root .. "/a/b")
        assert(volume.fileSystemFreeSize > 0 and volume.fileSystemSize >= volume.fileSystemFreeSize)
        """
    )
    assert not (tmp_path / "a").exists()


@requirement("lightroom.simulator")
def test_lightroom_quits_while_an_export_is_under_way(plugin: Path, catalog: Catalog, tmp_path: Path) -> None:
    began = time.monotonic()
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin) as lightroom:
        lightroom.slow_exports(30)
        lightroom.start_lua(EXPORT + f'export("{tmp_path}")')
        with pytest.raises(PluginError, match="there"):
            lightroom.run_lua('error("there")')
    assert time.monotonic() - began < 10
