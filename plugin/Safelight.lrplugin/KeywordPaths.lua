--[[
A keyword's path: its names from the top, as a list or as one text ("Animals > Dog"). The same name under another
parent is another keyword.
]]

local LrStringUtils = import("LrStringUtils")
local LrTasks = import("LrTasks")

local KeywordPaths = {}

local SEPARATOR = " > "

-- What two spellings of a name or of a path's text have in common. The computer's own rules for lower case are used,
-- which plain Lua has only for ASCII; names that differ in how their accents are composed stay different, since
-- neither Lua nor the SDK can compose them.
function KeywordPaths.fold(text)
	return LrStringUtils.lower(LrStringUtils.trimWhitespace(text))
end

function KeywordPaths.trimmed(names)
	local trimmed = {}
	for index, name in ipairs(names) do
		trimmed[index] = LrStringUtils.trimWhitespace(name)
	end
	return trimmed
end

function KeywordPaths.text(names)
	return table.concat(KeywordPaths.trimmed(names), SEPARATOR)
end

-- Reads the paths of LrKeyword objects, asking Lightroom once about each keyword; meant for one command, since keywords
-- can be renamed.
function KeywordPaths.reader()
	local known = {}
	local reader = {}

	local function read(keyword)
		local isRead, name, parent = LrTasks.pcall(function()
			return keyword:getName(), keyword:getParent()
		end)
		if not isRead then
			return nil
		elseif not parent then
			return { name }
		end
		local above = reader.names(parent)
		if not above then
			return nil
		end
		local names = { unpack(above) }
		names[#names + 1] = name
		return names
	end

	-- nil where Lightroom fails to tell, as it does for some keywords
	function reader.names(keyword)
		local id = keyword.localIdentifier
		if known[id] == nil then
			known[id] = read(keyword) or false
		end
		return known[id] or nil
	end

	-- the path as one text, or nil
	function reader.text(keyword)
		local names = reader.names(keyword)
		return names and KeywordPaths.text(names)
	end

	return reader
end

return KeywordPaths
