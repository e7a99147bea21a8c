"""The section in the Plug-in Manager and modal dialogs, used as a person does."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from safelight.lightroom import Catalog, PluginError, SimulatedLightroom
from safelight.lightroom.panels import FieldRefused, Panel
from tests.requirement import requirement

PROVIDER = """
local LrPrefs, LrTasks, LrView = import("LrPrefs"), import("LrTasks"), import("LrView")
local prefs = LrPrefs.prefsForPlugin()
prefs.name = prefs.name or "before"
return {
	startDialog = function(properties) properties.opened = "yes" end,
	endDialog = function(properties) prefs.ended = properties.opened end,
	sectionsForTopOfDialog = function(f, properties)
		local function bound(key, object) return LrView.bind({ key = key, bind_to_object = object }) end
		return { {
			title = "Nothing",
			f:row({
				f:static_text({ title = bound("opened", properties) }),
				f:edit_field({
					value = bound("name", prefs),
					validate = function(_, text) return text ~= "", text, "a name is needed" end,
				}),
				f:push_button({ title = "Wait", action = function() LrTasks.sleep(1) end }),
				f:push_button({ title = "Work", action = function()
					LrTasks.startAsyncTask(function() LrTasks.yield() properties.opened = "worked" end)
				end }),
				f:push_button({ title = "Dead", action = function() end, enabled = false }),
			}),
		} }
	end,
}
"""


@requirement("lightroom.simulator")
def test_a_section_is_read_filled_in_and_pressed_as_by_a_person(plugin: Path, catalog: Catalog) -> None:
    info = (plugin / "Info.lua").read_text("utf-8").replace("return {", 'return { LrPluginInfoProvider = "P.lua",')
    (plugin / "Info.lua").write_text(info, encoding="utf-8")
    (plugin / "P.lua").write_text(PROVIDER, encoding="utf-8")
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin) as lightroom:
        panel = lightroom.open_manager()
        assert panel.texts() == ["yes", "Wait", "Work", "Dead"]
        with pytest.raises(FieldRefused, match="a name is needed"):
            panel.fill("name", "")
        assert panel.value("name") == "before"
        panel.fill("name", "after")
        assert lightroom.prefs["name"] == "after"
        with pytest.raises(ValueError, match="not enabled"):
            panel.press("Dead")
        with pytest.raises(ValueError, match="nothing is bound to 'other'"):
            panel.fill("other", "x")
        with pytest.raises(PluginError, match=r"LrTasks.sleep must be called from within a task"):
            panel.press("Wait")
        panel.press("Work")
        lightroom.wait_for_buttons(panel)
        assert panel.texts()[0] == "worked"
        panel.close()
        assert lightroom.prefs["ended"] == "worked"


DIALOG = """
local LrView = import("LrView")
import("LrFunctionContext").callWithContext("x", function(context)
	local properties = import("LrBinding").makePropertyTable(context)
	properties.word = "secret?"
	local field = LrView.osFactory():password_field({
		value = LrView.bind({ key = "word", bind_to_object = properties }),
	})
	local answer = import("LrDialogs").presentModalDialog({ title = "Say", contents = field })
	import("LrDialogs").showBezel(answer .. " " .. properties.word)
end)
"""


@requirement("lightroom.simulator")
def test_a_dialog_is_answered_by_the_next_visitor_and_else_cancelled(alone: SimulatedLightroom) -> None:
    def visit(panel: Panel) -> Literal["ok"]:
        panel.fill("word", "open sesame")
        return "ok"

    alone.screen.visitors.append(visit)
    alone.run_lua(DIALOG)
    alone.run_lua(DIALOG)
    said = [dialog.text for dialog in alone.dialogs()]
    assert said == ["Say", "ok open sesame", "Say", "cancel secret?"]


@requirement("lightroom.simulator")
def test_a_visitor_that_fails_is_told_to_whoever_waits(alone: SimulatedLightroom) -> None:
    def visit(panel: Panel) -> Literal["ok"]:
        panel.fill("nothing", "x")
        return "ok"

    alone.screen.visitors.append(visit)
    with pytest.raises(PluginError, match=r"visitor of 'Say' failed.*nothing is bound"):
        alone.run_lua(DIALOG)
