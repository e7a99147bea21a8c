--[[
What each menu item needs before it can do its work: agents are on, the service runs and fits this plug-in, and the
bridge runs. Must be called in a task.
]]

local LrDialogs = import("LrDialogs")

local Bridge = require("Bridge")
local Launcher = require("Launcher")
local Settings = require("Settings")

local Ready = {}

local function say(message, info)
	LrDialogs.message(message, info, "warning")
end

-- the service; or nil, when the person has been told what to set up
function Ready.service()
	if not Settings.areAgentsOn() then
		say(
			LOC("$$$/Safelight/Chat/AgentsOff=AI agents are turned off."),
			LOC("$$$/Safelight/Chat/HowToTurnOn=Turn them on in File > Plug-in Manager > Safelight.")
		)
		return nil
	end
	local service, problem = Launcher.service()
	if not service then
		say(problem.message, problem.info)
		return nil
	end
	local mismatch = Bridge.mismatch()
	if mismatch then
		say(LOC("$$$/Safelight/Chat/Mismatch=Safelight and its plug-in are of different versions."), mismatch)
		return nil
	end
	Bridge.ensure()
	return service
end

return Ready
