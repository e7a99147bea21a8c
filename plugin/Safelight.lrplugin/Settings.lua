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

function Settings.setAgentsOn(on)
	LrPrefs.prefsForPlugin().agentsOn = on
end

-- what was typed into a field, without the spaces around it; nil when that is nothing
function Settings.text(key)
	local value = LrPrefs.prefsForPlugin()[key]
	local text = type(value) == "string" and string.match(value, "^%s*(.-)%s*$") or ""
	return text ~= "" and text or nil
end

-- The model of Analyze & Index is the model of chats too; nil leaves the choice to the service.
function Settings.model()
	return Settings.text("indexModel") or Settings.text("chatModel")
end

function Settings.setIndexModel(model)
	LrPrefs.prefsForPlugin().indexModel = model
end

function Settings.chatMode()
	return LrPrefs.prefsForPlugin().chatMode
end

-- nil means the usual place of this system
function Settings.dataFolder()
	return Settings.text("dataFolder")
end

-- where the person says that the service's program is; nil leaves it to be found
function Settings.program()
	return Settings.text("program")
end

-- whether the person has agreed that chats go to this receiver
function Settings.hasAgreedTo(receiver)
	return LrPrefs.prefsForPlugin()["agreedTo_" .. receiver] == true
end

function Settings.agreeTo(receiver)
	LrPrefs.prefsForPlugin()["agreedTo_" .. receiver] = true
end

return Settings
