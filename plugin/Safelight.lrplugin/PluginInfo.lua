--[[
The section in Lightroom's Plug-in Manager. Lightroom runs this file each time the manager opens, so it starts nothing.
]]

local LrPrefs = import("LrPrefs")
local LrView = import("LrView")

local Bridge = require("Bridge")
local Contract = require("Contract")
local Settings = require("Settings")

local STATUS = {
	connected = LOC("$$$/Safelight/Status/Connected=Connected to the Safelight service."),
	away = LOC("$$$/Safelight/Status/Away=The Safelight service is not running."),
	off = LOC("$$$/Safelight/Status/Off=The bridge is off."),
	superseded = LOC(
		"$$$/Safelight/Status/Superseded=Safelight works with another Lightroom now. Open the chat here to come back."
	),
}

local function checkbox(factory, title, key)
	return factory:row({
		factory:checkbox({
			title = title,
			value = LrView.bind({ key = key, bind_to_object = LrPrefs.prefsForPlugin() }),
		}),
	})
end

local function sections(factory)
	local prefs = LrPrefs.prefsForPlugin()
	-- a checkbox needs a value to show
	prefs.agentsOn = Settings.areAgentsOn()
	prefs.readOnly = Settings.isReadOnly()
	local status = Bridge.status()
	return {
		{
			title = LOC("$$$/Safelight/Manager/Title=Safelight"),
			synopsis = STATUS[status] or status,
			factory:row({
				factory:static_text({
					title = LOC(
						"$$$/Safelight/Manager/Version=Version ^1. ^2",
						Contract.version,
						STATUS[status] or status
					),
				}),
			}),
			checkbox(
				factory,
				LOC("$$$/Safelight/Manager/Agents=AI agents may work with this catalog, under the rules of the chat"),
				"agentsOn"
			),
			checkbox(
				factory,
				LOC("$$$/Safelight/Manager/ReadOnly=Read-only: agents can look, and change nothing in Lightroom"),
				"readOnly"
			),
		},
	}
end

return { sectionsForTopOfDialog = sections }
