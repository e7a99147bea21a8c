--[[
When a command has to be over. The plug-in stops a margin before the service does, so that its answer still arrives.
]]

local LrDate = import("LrDate")

local Contract = require("Contract")

local Deadline = {}

-- an object that tells the seconds left; seconds is what the service waits from now
function Deadline.start(seconds)
	local margin = math.min(Contract.marginSeconds, seconds / 2)
	local ends = LrDate.currentTime() + seconds - margin
	local deadline = {}
	function deadline.left()
		return math.max(0, ends - LrDate.currentTime())
	end
	function deadline.isOver()
		return deadline.left() <= 0
	end
	return deadline
end

return Deadline
