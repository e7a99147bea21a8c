--[[
Virtual copies. Lightroom copies whatever is selected, so each photo is selected alone and checked to be the active one,
and the copy is checked to be one of it. No write gate: Lightroom takes the catalog itself.
]]

local LrTasks = import("LrTasks")

local Chunks = require("Chunks")
local Gate = require("Gate")
local Photos = require("Photos")
local Selection = require("Selection")
local Settle = require("Settle")
local WriteReport = require("WriteReport")

local VirtualCopies = {}

-- the photo itself, or the one that it is a copy of: a copy of a copy is one more copy of the original
local function original(photo)
	return photo:getRawMetadata("masterPhoto") or photo
end

-- uuids of all copies of the original
local function copyIds(photo)
	local ids = {}
	for _, copy in ipairs(photo:getRawMetadata("virtualCopies") or {}) do
		ids[copy:getRawMetadata("uuid")] = true
	end
	return ids
end

local function newId(before, after)
	local found
	for id in pairs(after) do
		if not before[id] then
			if found then
				return nil
			end
			found = id
		end
	end
	return found
end

local function whyNot(ran, copies, masterId)
	if not ran then
		return tostring(copies)
	end
	for _, copy in ipairs(copies or {}) do
		local master = copy:getRawMetadata("masterPhoto")
		if not master or master:getRawMetadata("uuid") ~= masterId then
			return "Lightroom copied another photo; take that back with Undo in Lightroom"
		end
	end
	return "Lightroom made no copy of the photo, or more than one"
end

-- the uuid of the new copy, or nil and why there is none
local function copyOf(catalog, photo, uuid, name, remembered, deadline)
	local master = original(photo)
	local before = copyIds(master)
	if not Selection.narrow(catalog, photo, uuid, remembered) then
		return nil, "Lightroom did not select the photo, so it was not copied"
	end
	local ran, copies = LrTasks.pcall(function()
		return catalog:createVirtualCopies(name)
	end)
	-- what is there afterwards counts, not what the call answered
	local id
	Settle.all({ master }, deadline, function()
		id = newId(before, copyIds(master))
		return id ~= nil
	end)
	if not id then
		return nil, whyNot(ran, copies, master:getRawMetadata("uuid"))
	end
	return id
end

-- write for Chunks.writeChunks, one photo at a time
local function copying(catalog, photos, found, name, result, remembered, deadline)
	return function(index)
		local isFree, failure = Gate.wait(catalog, deadline)
		if not isFree then
			return nil, failure
		end
		local ran, id, reason = LrTasks.pcall(copyOf, catalog, photos[index], found[index], name, remembered, deadline)
		if ran and id then
			result.applied({ photo_id = found[index], copy_id = id })
		else
			result.failed(found[index], "LIGHTROOM_ERROR", ran and reason or tostring(id))
		end
		return true
	end
end

function VirtualCopies.create_virtual_copies(catalog, arguments, deadline)
	local photos, found, missing = Photos.find(catalog, arguments.photo_ids)
	local result = WriteReport.new("copies")
	Chunks.reportMissing(result, missing)
	local name = arguments.name ~= "" and arguments.name or nil
	local remembered = Selection.remember(catalog)
	local ran, reached, stopped = LrTasks.pcall(function()
		local copy = copying(catalog, photos, found, name, result, remembered, deadline)
		return Chunks.writeChunks(#photos, 1, deadline, copy)
	end)
	Selection.restore(catalog, remembered)
	if not ran then
		error(reached, 0)
	end
	return result.ended(found, reached, stopped)
end

return VirtualCopies
