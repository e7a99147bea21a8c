--[[
The plug-in's preferences, by meaning. A preference that was never set reads as its default.
]]

local LrPrefs = import("LrPrefs")

local Settings = {}

-- Every start of the bridge takes the next number and so ends the loops with an older one. It lives in the preferences
-- because a reloaded plug-in has new modules while tasks of the old ones still run.
function Settings.nextGeneration()
	local prefs = LrPrefs.prefsForPlugin()
	prefs.bridgeGeneration = (prefs.bridgeGeneration or 0) + 1
	return prefs.bridgeGeneration
end

function Settings.generation()
	return LrPrefs.prefsForPlugin().bridgeGeneration or 0
end

function Settings.isReadOnly()
	return LrPrefs.prefsForPlugin().readOnly == true
end

function Settings.setReadOnly(on)
	LrPrefs.prefsForPlugin().readOnly = on
end

function Settings.areAgentsOn()
	return LrPrefs.prefsForPlugin().agentsOn ~= false
end

-- nil leaves the choice to the service
function Settings.chatModel()
	return LrPrefs.prefsForPlugin().chatModel
end

function Settings.chatMode()
	return LrPrefs.prefsForPlugin().chatMode
end

-- nil means the usual place of this system
function Settings.dataFolder()
	return LrPrefs.prefsForPlugin().dataFolder
end

return Settings
