--[[
One short write gate: the only place where this plug-in changes the catalog. Always with a time-out, since a gate
without one throws as soon as another operation holds the catalog. Photos and collections are resolved before it and
read after it, never inside.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Switches = require("Switches")

local Gate = {}

local LONGEST_WAIT = 5

local function patience(deadline)
	return math.min(LONGEST_WAIT, deadline.left())
end

local function run(enter)
	local status
	local executed, message = LrTasks.pcall(function()
		status = enter()
	end)
	if not executed then
		return nil, Failure.new("LIGHTROOM_ERROR", message)
	elseif status ~= "executed" then
		return nil, Failure.new("CATALOG_BUSY", nil, true)
	end
	return true
end

-- true, or nil and a failure: CATALOG_BUSY, TIMEOUT or what the person's switches forbid (nothing was changed), or what
-- Lightroom threw. One gate is one step of Lightroom's Undo, called undoName.
function Gate.write(catalog, undoName, deadline, change)
	if deadline.isOver() then
		-- reads before it may have been held up by a dialog, and nobody waits for the change any more
		return nil, Failure.new("TIMEOUT", nil, true)
	end
	local refused = Switches.againstChanges()
	if refused then
		return nil, refused
	end
	return run(function()
		return catalog:withWriteAccessDo(undoName, change, { timeout = patience(deadline) })
	end)
end

-- true once the catalog is free, for a call that takes it by itself and knows no time-out; or nil and a failure
function Gate.wait(catalog, deadline)
	return run(function()
		return catalog:withPrivateWriteAccessDo(function() end, { timeout = patience(deadline) })
	end)
end

-- the same for the plug-in's own fields, which take no step of Undo
function Gate.writePrivate(catalog, change)
	return run(function()
		return catalog:withPrivateWriteAccessDo(change, { timeout = LONGEST_WAIT })
	end)
end

return Gate
