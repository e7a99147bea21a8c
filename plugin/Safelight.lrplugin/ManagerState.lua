--[[
What the open Plug-in Manager shows that changes: the status, and which keys are there.
]]

local LrFunctionContext = import("LrFunctionContext")
local LrPrefs = import("LrPrefs")
local LrTasks = import("LrTasks")

local Connections = require("Connections")
local Settings = require("Settings")
local StatusWords = require("StatusWords")

local ManagerState = {}

local LOOK_SECONDS = 0.5
-- ten minutes, should Lightroom not tell that its dialog was closed
local MOST_LOOKS = 1200

local HAS_KEY = LOC("$$$/Safelight/Connections/HasKey=Key is stored")
local NO_KEY = LOC("$$$/Safelight/Connections/NoKey=No key")

-- the properties of the dialog that is open; those of an earlier one are no longer filled in
local open

-- the property that tells whether a provider's key is there
function ManagerState.keyProperty(provider)
	return "keyState_" .. provider.name
end

-- must be called in a task
function ManagerState.showKey(properties, provider)
	properties[ManagerState.keyProperty(provider)] = Connections.hasKey(provider) and HAS_KEY or NO_KEY
end

local function follow(properties)
	for _, provider in ipairs(Connections.PROVIDERS) do
		ManagerState.showKey(properties, provider)
	end
	for _ = 1, MOST_LOOKS do
		if open ~= properties then
			return
		end
		properties.status = StatusWords.now()
		LrTasks.sleep(LOOK_SECONDS)
	end
end

-- Gives each control something to show; may be called again.
function ManagerState.prepare(properties)
	local prefs = LrPrefs.prefsForPlugin()
	prefs.agentsOn = Settings.areAgentsOn()
	prefs.readOnly = Settings.isReadOnly()
	properties.status = StatusWords.now()
	for _, provider in ipairs(Connections.PROVIDERS) do
		local key = ManagerState.keyProperty(provider)
		properties[key] = properties[key] or ""
	end
end

function ManagerState.open(properties)
	ManagerState.prepare(properties)
	open = properties
	LrFunctionContext.postAsyncTaskWithContext("Safelight settings", function()
		follow(properties)
	end)
end

function ManagerState.close()
	open = nil
end

return ManagerState
