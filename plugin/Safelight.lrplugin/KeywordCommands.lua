--[[
Commands about keywords: listing them and editing those of photos.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Json = require("Json")
local KeywordChanges = require("KeywordChanges")
local KeywordPaths = require("KeywordPaths")
local PhotoWrites = require("PhotoWrites")

local KeywordCommands = {}

local KEYWORDS_PER_TURN = 100

local function push(stack, keywords)
	for index = #keywords, 1, -1 do
		stack[#stack + 1] = keywords[index]
	end
end

-- Depth first over the whole tree, since Lightroom does not say how many keywords there are; names are read for the
-- page alone, and photos are never counted: both take long in a catalog with tens of thousands of keywords.
function KeywordCommands.list_keywords(catalog, arguments, deadline)
	local reader = KeywordPaths.reader()
	local records, total, unreadable, stack = Json.array({}), 0, 0, {}
	push(stack, catalog:getKeywords())
	while #stack > 0 do
		local keyword = table.remove(stack)
		total = total + 1
		local isListed, children = LrTasks.pcall(function()
			return keyword:getChildren()
		end)
		if isListed then
			push(stack, children)
		end
		local isInPage = total > arguments.offset and total <= arguments.offset + arguments.limit
		local names = isInPage and reader.names(keyword)
		if names then
			records[#records + 1] =
				{ keyword_id = tostring(keyword.localIdentifier), path = Json.array({ unpack(names) }) }
		end
		if not isListed or (isInPage and not names) then
			unreadable = unreadable + 1
		end
		if total % KEYWORDS_PER_TURN == 0 then
			LrTasks.yield()
			if deadline.isOver() then
				return nil, Failure.new("TIMEOUT", nil, true)
			end
		end
	end
	return { keywords = records, total = total, unreadable = unreadable }
end

function KeywordCommands.edit_keywords(catalog, arguments, deadline)
	local problem = KeywordChanges.problem(arguments.changes)
	if problem then
		return nil, Failure.new("BAD_ARGUMENTS", problem)
	end
	local reader = KeywordPaths.reader()
	return PhotoWrites.run(catalog, arguments, deadline, KeywordChanges.edit(catalog, reader, deadline), reader)
end

return KeywordCommands
