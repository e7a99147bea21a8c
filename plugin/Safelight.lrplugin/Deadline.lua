--[[
When a command has to be over. The plug-in stops a margin before the service does, so that its answer still arrives.
]]

local LrDate = import("LrDate")

local Contract = require("Contract")

local Deadline = {}

-- An object that tells the seconds left; seconds is what the service waits from now. None are left as soon as isEnded()
-- is true: a plug-in that is reloaded, or a Lightroom that quits, must not go on with a long command.
function Deadline.start(seconds, isEnded)
	local margin = math.min(Contract.marginSeconds, seconds / 2)
	local latest = LrDate.currentTime()
	local ends = latest + seconds - margin
	local deadline = {}
	function deadline.left()
		local now = LrDate.currentTime()
		if now < latest then
			-- the computer's clock was set back
			ends = ends - (latest - now)
		end
		latest = now
		return isEnded() and 0 or math.max(0, ends - now)
	end
	function deadline.isOver()
		return deadline.left() <= 0
	end
	return deadline
end

return Deadline
