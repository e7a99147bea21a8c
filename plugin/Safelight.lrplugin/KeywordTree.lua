--[[
The catalog's keywords by path, for one command: levels of the tree are read only where a path leads, each once, and
missing keywords are made, each once and in a write gate of its own. A keyword that was made in a gate cannot be used
there, and asked for twice in one gate Lightroom fails or makes it twice.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Gate = require("Gate")
local KeywordPaths = require("KeywordPaths")

local KeywordTree = {}

local NAMES_PER_TURN = 100

local function unlisted(message)
	return Failure.new("LIGHTROOM_ERROR", "Lightroom cannot list its keywords: " .. tostring(message))
end

-- the keywords right below parent, or of the top, by name; or nil and a failure
local function readLevel(catalog, parent, deadline)
	local isListed, keywords = LrTasks.pcall(function()
		if parent then
			return parent:getChildren()
		end
		return catalog:getKeywords()
	end)
	if not isListed then
		return nil, unlisted(keywords)
	end
	local level = { exact = {}, folded = {} }
	for index, keyword in ipairs(keywords) do
		local isRead, name = LrTasks.pcall(function()
			return keyword:getName()
		end)
		-- one without a readable name costs only itself
		if isRead then
			level.exact[name] = level.exact[name] or keyword
			local folded = KeywordPaths.fold(name)
			level.folded[folded] = level.folded[folded] or keyword
		end
		if index % NAMES_PER_TURN == 0 then
			LrTasks.yield()
			if deadline.isOver() then
				return nil, Failure.new("TIMEOUT", nil, true)
			end
		end
	end
	return level
end

function KeywordTree.new(catalog, deadline)
	local levels, refusals = {}, {}
	local tree = {}

	local function levelBelow(parent)
		local place = parent and parent.localIdentifier or "top"
		local failure
		if not levels[place] then
			levels[place], failure = readLevel(catalog, parent, deadline)
		end
		return levels[place], failure
	end

	local function make(name, parent, level)
		local made
		local undoName = LOC("$$$/Safelight/Undo/CreateKeyword=Create Keyword ^1", name)
		local written, failure = Gate.write(catalog, undoName, deadline, function()
			-- Included on export: without the third argument keywords never leave the catalog. With the last one a
			-- keyword that somebody made meanwhile is taken instead of refused.
			made = catalog:createKeyword(name, {}, true, parent, true)
		end)
		if not written then
			return nil, failure
		elseif not made then
			return nil, Failure.new("LIGHTROOM_ERROR", "Lightroom did not make the keyword " .. name)
		end
		level.exact[name] = made
		level.folded[KeywordPaths.fold(name)] = made
		return made
	end

	local function child(name, parent)
		local level, failure = levelBelow(parent)
		if not level then
			return nil, failure
		end
		local found = level.exact[name] or level.folded[KeywordPaths.fold(name)]
		if found then
			return found
		end
		return make(name, parent, level)
	end

	local function walk(names)
		local keyword
		for _, name in ipairs(names) do
			local below, failure = child(name, keyword)
			if not below then
				return nil, failure
			end
			keyword = below
		end
		return keyword
	end

	-- The keyword with these names from the top, made where it is missing; or nil and a failure. LIGHTROOM_ERROR is
	-- about this path alone; any other failure would befall the next path too.
	function tree.ensure(names)
		local path = KeywordPaths.text(names)
		if refusals[path] then
			return nil, refusals[path]
		elseif deadline.isOver() then
			return nil, Failure.new("TIMEOUT", nil, true)
		end
		local keyword, failure = walk(KeywordPaths.trimmed(names))
		if failure and failure.code == "LIGHTROOM_ERROR" then
			failure = Failure.new(failure.code, 'keyword "' .. path .. '": ' .. failure.message)
			refusals[path] = failure
		end
		return keyword, failure
	end

	return tree
end

return KeywordTree
