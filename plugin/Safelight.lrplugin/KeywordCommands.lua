--[[
Commands about keywords: listing them and editing those of photos.
]]

local Chunks = require("Chunks")
local Failure = require("Failure")
local Json = require("Json")
local KeywordChanges = require("KeywordChanges")
local KeywordPaths = require("KeywordPaths")
local KeywordWalk = require("KeywordWalk")
local PhotoWrites = require("PhotoWrites")

local KeywordCommands = {}

local NAMES_PER_TURN = 100

-- the keywords of the walk from first to last, and how many of them Lightroom failed to name
local function named(walk, first, last)
	local reader = KeywordPaths.reader()
	local records, nameless = Json.array({}), 0
	Chunks.each(last - first + 1, NAMES_PER_TURN, function(from, to)
		for place = first + from - 1, first + to - 1 do
			local keyword = walk.keywords[place]
			local names = reader.names(keyword)
			if names then
				records[#records + 1] =
					{ keyword_id = tostring(keyword.localIdentifier), path = Json.array({ unpack(names) }) }
			elseif not walk.unlisted[place] then
				nameless = nameless + 1
			end
		end
	end)
	return records, nameless
end

-- Over the whole tree, since Lightroom does not say how many keywords there are; names are read for the page alone, and
-- photos are never counted: both take long in a catalog with tens of thousands of keywords.
function KeywordCommands.list_keywords(catalog, arguments, deadline)
	local walk = KeywordWalk.take(catalog, arguments.offset)
	if not KeywordWalk.finish(walk, deadline) then
		KeywordWalk.keep(walk)
		return nil, Failure.new("TIMEOUT", nil, true)
	end
	local total = #walk.keywords
	local last = math.min(arguments.offset + arguments.limit, total)
	local records, nameless = named(walk, arguments.offset + 1, last)
	if last < total then
		KeywordWalk.keep(walk)
	end
	return { keywords = records, total = total, unreadable = walk.failures + nameless }
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
