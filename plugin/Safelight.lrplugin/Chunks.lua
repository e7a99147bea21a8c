--[[
Long lists in pieces: reads that let others run between two pieces, and writes of one short gate for each piece.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Switches = require("Switches")

local Chunks = {}

-- Calls handle(first, last) for each run of at most size elements of a list of that length. handle may return false
-- to stop.
function Chunks.each(count, size, handle)
	for first = 1, count, size do
		if handle(first, math.min(first + size - 1, count)) == false then
			return
		end
		LrTasks.yield()
	end
end

-- Runs write(first, last) for each chunk as long as there is time and the person's switches allow it. write returns
-- true, or nil and a failure. Returns the index of the first element that was not attempted, and the failure that
-- stopped it, if one did.
function Chunks.writeChunks(count, size, deadline, write)
	local reached, stopped = 1, nil
	Chunks.each(count, size, function(first, last)
		if deadline.isOver() then
			stopped = Failure.new("TIMEOUT", nil, true)
			return false
		end
		stopped = Switches.againstChanges()
		if stopped then
			return false
		end
		local written, failure = write(first, last)
		if not written then
			stopped = failure
			return false
		end
		reached = last + 1
	end)
	return reached, stopped
end

-- list[first..last] as a list of its own
function Chunks.part(list, first, last)
	local taken = {}
	for index = first, last do
		taken[#taken + 1] = list[index]
	end
	return taken
end

-- result is a WriteReport; missing are the ids that the catalog does not know
function Chunks.reportMissing(result, missing)
	for _, id in ipairs(missing) do
		result.failed(id, "PHOTO_NOT_FOUND")
	end
end

return Chunks
