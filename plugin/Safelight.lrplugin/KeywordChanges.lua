--[[
Keywords to add to photos and to remove from them: what is wrong with the changes, what each photo needs (outside a
gate), doing it (inside one), and whether it took.
]]

local LrTasks = import("LrTasks")

local KeywordPaths = require("KeywordPaths")
local KeywordTree = require("KeywordTree")

local KeywordChanges = {}

local function folded(names)
	return KeywordPaths.fold(KeywordPaths.text(names))
end

local function setOf(paths)
	local set = {}
	for _, names in ipairs(paths) do
		set[folded(names)] = true
	end
	return set
end

-- nil when no keyword is both added and removed
function KeywordChanges.problem(changes)
	for _, change in ipairs(changes) do
		local removed = setOf(change.remove)
		for _, names in ipairs(change.add) do
			if removed[folded(names)] then
				return "the keyword " .. KeywordPaths.text(names) .. " is both added and removed"
			end
		end
	end
	return nil
end

-- those of a photo's keywords whose path is named
local function named(keywords, paths, reader)
	local wanted, found = setOf(paths), {}
	for _, keyword in ipairs(keywords) do
		local text = reader.text(keyword)
		if text and wanted[KeywordPaths.fold(text)] then
			found[#found + 1] = keyword
		end
	end
	return found
end

-- the keywords to add, made where they are missing; or nil and a failure
local function ensured(tree, paths)
	local keywords = {}
	for _, names in ipairs(paths) do
		local keyword, failure = tree.ensure(names)
		if not keyword then
			return nil, failure
		end
		keywords[#keywords + 1] = keyword
	end
	return keywords
end

-- What PhotoWrites needs to carry the changes out. reader is a KeywordPaths.reader.
function KeywordChanges.edit(catalog, reader, deadline)
	local tree = KeywordTree.new(catalog, deadline)
	local plans = {}
	local edit = {}

	-- A keyword that Lightroom refuses costs the photos that were to get it, which then stay as they are. Where this ends
	-- the command, keywords may have been made already; another try finds them.
	function edit.prepare(photos, changes)
		local present = catalog:batchGetRawMetadata(photos, { "keywords" })
		for index, change in ipairs(changes) do
			local added, failure = ensured(tree, change.add)
			if failure and failure.code ~= "LIGHTROOM_ERROR" then
				return nil, failure
			end
			plans[change.photo_id] = {
				added = added,
				refusal = failure and failure.message,
				removed = named(present[photos[index]].keywords or {}, change.remove, reader),
			}
		end
		return true
	end

	function edit.apply(photo, change)
		local plan = plans[change.photo_id]
		if plan.refusal then
			return plan.refusal
		end
		local isDone, message = LrTasks.pcall(function()
			for _, keyword in ipairs(plan.removed) do
				photo:removeKeyword(keyword)
			end
			for _, keyword in ipairs(plan.added) do
				photo:addKeyword(keyword)
			end
		end)
		if not isDone then
			return "keywords: " .. tostring(message)
		end
		return nil
	end

	function edit.difference(change, record)
		local has = {}
		for _, text in ipairs(record.keywords) do
			has[KeywordPaths.fold(text)] = true
		end
		for _, names in ipairs(change.add) do
			if not has[folded(names)] then
				return "the keyword " .. KeywordPaths.text(names) .. " is not there after the write"
			end
		end
		for _, names in ipairs(change.remove) do
			if has[folded(names)] then
				return "the keyword " .. KeywordPaths.text(names) .. " is still there after the write"
			end
		end
		return nil
	end

	return edit
end

return KeywordChanges
