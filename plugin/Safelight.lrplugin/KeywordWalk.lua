--[[
All keywords of the catalog, depth first. Lightroom tells what stands below one keyword at a time, which takes long
where there are tens of thousands. So a walk is kept for the further pages of its list, and one that ran out of time
goes on where it was when the list is asked for again.
]]

local LrDate = import("LrDate")
local LrTasks = import("LrTasks")

local KeywordWalk = {}

local KEYWORDS_PER_TURN = 100
-- how far apart two pages of one list may be asked for
local KEPT_SECONDS = 60

local kept

local function push(stack, keywords)
	for index = #keywords, 1, -1 do
		stack[#stack + 1] = keywords[index]
	end
end

--[[
The walk for a page that begins at offset; whoever takes it has it alone:
  keywords    the LrKeyword objects that have been come to
  unlisted    by their places in it, those of which Lightroom failed to tell the children
  failures    how many these are
]]
function KeywordWalk.take(catalog, offset)
	local walk = kept
	kept = nil
	local isFit = walk ~= nil
		and walk.catalogPath == catalog:getPath()
		and LrDate.currentTime() - walk.at <= KEPT_SECONDS
		and (offset > 0 or #walk.stack > 0)
	if isFit then
		return walk
	end
	walk = { catalogPath = catalog:getPath(), keywords = {}, unlisted = {}, failures = 0, stack = {} }
	push(walk.stack, catalog:getKeywords())
	return walk
end

-- Walks on; false when the deadline came before the end.
function KeywordWalk.finish(walk, deadline)
	local keywords, stack = walk.keywords, walk.stack
	while #stack > 0 do
		local keyword = table.remove(stack)
		keywords[#keywords + 1] = keyword
		local isListed, children = LrTasks.pcall(function()
			return keyword:getChildren()
		end)
		if isListed then
			push(stack, children)
		else
			walk.unlisted[#keywords] = true
			walk.failures = walk.failures + 1
		end
		if #keywords % KEYWORDS_PER_TURN == 0 then
			LrTasks.yield()
			if deadline.isOver() then
				return #stack == 0
			end
		end
	end
	return true
end

-- for the next page
function KeywordWalk.keep(walk)
	walk.at = LrDate.currentTime()
	kept = walk
end

return KeywordWalk
