"""Tasks, gates and time in the simulated Lightroom, with a clock that the test moves."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from safelight.lightroom import Catalog, ManualClock, PluginError, SimulatedLightroom
from tests.requirement import requirement

PREAMBLE = """
local LrTasks = import("LrTasks")
local catalog = import("LrApplication").activeCatalog()
local log = import("LrLogger")("Test")
local function gate(name, func, seconds)
	return catalog:withWriteAccessDo(name, func, { timeout = seconds or 1 })
end
local photo = catalog:getTargetPhoto()
"""


@pytest.fixture
def timed(plugin: Path, catalog: Catalog) -> Generator[SimulatedLightroom]:
    clock = ManualClock()
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin, clock=clock) as simulated:
        yield simulated


def said(lightroom: SimulatedLightroom) -> list[str]:
    return [text for _, text in lightroom.log]


@requirement("lightroom.simulator")
def test_a_task_sleeps_as_long_as_it_says(timed: SimulatedLightroom) -> None:
    timed.start_lua(PREAMBLE + "LrTasks.sleep(1.5) log:info('awake')")
    timed.advance(1.4)
    assert said(timed) == []
    timed.advance(0.2)
    assert said(timed) == ["awake"]


@requirement("lightroom.simulator")
def test_tasks_take_turns_when_one_yields(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        import("LrTasks").startAsyncTask(function() log:info("second") end)
        log:info("first")
        LrTasks.yield()
        log:info("third")
        """
    )
    assert said(alone) == ["first", "second", "third"]


@requirement("lightroom.simulator")
def test_a_gate_is_one_step_of_undo(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        gate("Rate Three", function() photo:setRawMetadata("rating", 3) end)
        gate("Nothing", function() end)
        gate("Caption", function() photo:setRawMetadata("caption", "x") photo:setRawMetadata("title", "y") end)
        """
    )
    assert alone.catalog.undo_names == ("Rate Three", "Caption")


@requirement("lightroom.simulator")
def test_a_gate_that_throws_changes_nothing(alone: SimulatedLightroom) -> None:
    before = alone.catalog.photos()
    with pytest.raises(PluginError, match="halfway"):
        alone.run_lua(
            PREAMBLE + 'gate("Fail", function() photo:setRawMetadata("rating", 1) error("halfway") end)',
        )
    assert alone.catalog.photos() == before
    assert alone.catalog.undo_names == ()


@requirement("lightroom.simulator")
def test_a_private_gate_takes_no_step_of_undo(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        catalog:withPrivateWriteAccessDo(function() catalog:setPropertyForPlugin(_PLUGIN, "a", "b") end, {timeout = 1})
        assert(catalog:getPropertyForPlugin(_PLUGIN, "a") == "b")
        """
    )
    assert alone.catalog.undo_names == ()
    assert alone.catalog.properties == {"a": "b"}


@requirement("lightroom.simulator")
def test_a_gate_waits_for_a_busy_catalog(timed: SimulatedLightroom) -> None:
    timed.busy_for(3)
    timed.start_lua(PREAMBLE + 'log:info(gate("Wait", function() end, 5))')
    timed.advance(2.9)
    assert said(timed) == []
    timed.advance(0.2)
    assert said(timed) == ["executed"]


@requirement("lightroom.simulator")
def test_a_gate_gives_up_after_its_time_out(timed: SimulatedLightroom) -> None:
    timed.busy_for(30)
    timed.start_lua(PREAMBLE + 'log:info(gate("Wait", function() log:info("never") end, 5))')
    timed.advance(5.1)
    assert said(timed) == ["aborted"]


@requirement("lightroom.simulator")
def test_two_tasks_never_write_at_a_time(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local inside = 0
        for _ = 1, 2 do
            LrTasks.startAsyncTask(function()
                gate("Together", function()
                    inside = inside + 1
                    photo:setRawMetadata("rating", inside)
                    assert(inside == 1)
                    inside = inside - 1
                end)
            end)
        end
        """
    )
    assert alone.errors == ()


@requirement("lightroom.simulator")
@pytest.mark.parametrize(
    ("starter", "lives"),
    [
        ('import("LrTasks").startAsyncTask(function() %s end)', False),
        ('import("LrFunctionContext").postAsyncTaskWithContext("t", function() %s end)', True),
    ],
    ids=["started plainly, it dies", "posted with a context, it lives"],
)
def test_a_task_of_the_start_script(plugin: Path, catalog: Catalog, starter: str, lives: bool) -> None:
    body = 'import("LrTasks").sleep(1) import("LrLogger")("Test"):info("alive")'
    (plugin / "Init.lua").write_text(starter % body, encoding="utf-8")
    info = (plugin / "Info.lua").read_text("utf-8")
    (plugin / "Info.lua").write_text(info.replace('LrInitPlugin = "Nothing.lua"', 'LrInitPlugin = "Init.lua"'), "utf-8")
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin, clock=ManualClock()) as timed:
        timed.advance(2)
        assert said(timed) == (["alive"] if lives else [])


@requirement("lightroom.simulator")
def test_a_start_script_that_throws_is_an_error_of_start(plugin: Path, catalog: Catalog) -> None:
    (plugin / "Nothing.lua").write_text("error('broken start')", encoding="utf-8")
    lightroom = SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin)
    with pytest.raises(PluginError, match="broken start"):
        lightroom.start()
    with pytest.raises(PluginError, match="broken start"):
        lightroom.close()


@requirement("lightroom.simulator")
def test_cleanup_and_failure_handlers_run_when_a_task_throws(alone: SimulatedLightroom) -> None:
    with pytest.raises(PluginError, match="on purpose"):
        alone.run_lua(
            PREAMBLE
            + """
            import("LrFunctionContext").callWithContext("t", function(context)
                context:addCleanupHandler(function() log:info("cleaned") end)
                context:addFailureHandler(function(_, message) log:info("failed: " .. message) end)
                error("on purpose", 0)
            end)
            """
        )
    assert said(alone) == ["failed: on purpose", "cleaned"]


@requirement("lightroom.simulator")
def test_a_thumbnail_whose_request_is_dropped_never_comes(alone: SimulatedLightroom) -> None:
    alone.run_lua(
        PREAMBLE
        + """
        local held, came
        photo:requestJpegThumbnail(64, 64, function() log:info("dropped came") end)
        held = photo:requestJpegThumbnail(64, 64, function() came = true log:info("held came") end)
        while held and not came do
            LrTasks.sleep(0.01)
        end
        """
    )
    assert said(alone) == ["held came"]
    assert alone.dropped_thumbnails == 1


@requirement("lightroom.simulator")
def test_nothing_selected_targets_the_whole_filmstrip(alone: SimulatedLightroom) -> None:
    alone.catalog.select([])
    alone.run_lua(
        PREAMBLE + "assert(photo == nil) assert(#catalog:getTargetPhotos() == #catalog:getAllPhotos())",
    )


@requirement("lightroom.simulator")
def test_each_script_has_its_own_environment_and_modules_are_shared(plugin: Path, catalog: Catalog) -> None:
    (plugin / "Shared.lua").write_text("return { count = 0 }", encoding="utf-8")
    (plugin / "Menu.lua").write_text(
        'local s = require("Shared") s.count = s.count + 1 import("LrDialogs").showBezel("count " .. s.count)', "utf-8"
    )
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin) as lightroom:
        lightroom.choose_menu_item("Do")
        lightroom.choose_menu_item("Do")
        assert [dialog.message for dialog in lightroom.dialogs()] == ["count 1", "count 2"]
        lightroom.reload_plugin()
        lightroom.choose_menu_item("Do")
        assert lightroom.dialogs()[-1].message == "count 1"
