--[[
Lightroom may tell the old values for up to a second after a write. Reading goes on, outside of any gate, until it tells
the new ones.
]]

local LrDate = import("LrDate")
local LrTasks = import("LrTasks")

local Settle = {}

local PAUSE = 0.1

Settle.SECONDS = 1

-- Calls isSettled(item) until it has been true of each item, or until patience(item) seconds are over. Without patience
-- it is Settle.SECONDS.
function Settle.all(items, deadline, isSettled, patience)
	local began = LrDate.currentTime()
	local open = items
	while true do
		local left = {}
		for _, item in ipairs(open) do
			if not isSettled(item) then
				left[#left + 1] = item
			end
		end
		local waited = LrDate.currentTime() - began
		open = {}
		for _, item in ipairs(left) do
			if waited < (patience and patience(item) or Settle.SECONDS) then
				open[#open + 1] = item
			end
		end
		if #open == 0 or deadline.isOver() then
			return
		end
		LrTasks.sleep(PAUSE)
	end
end

return Settle
