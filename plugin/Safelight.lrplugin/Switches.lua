--[[
The photographer's two switches, as whatever a command is about to do meets them. A long command asks again and again:
the person may turn one of them while it is under way.
]]

local Failure = require("Failure")
local Settings = require("Settings")

local Switches = {}

-- the failure that keeps a command from reading, or nil
function Switches.againstReading()
	return not Settings.areAgentsOn() and Failure.new("AGENTS_OFF") or nil
end

-- the failure that keeps a command from changing anything in Lightroom, or nil
function Switches.againstChanges()
	return Switches.againstReading() or (Settings.isReadOnly() and Failure.new("READ_ONLY")) or nil
end

return Switches
