--[[
Commands about develop snapshots. A photo and its virtual copies have their snapshots in common.
]]

local LrTasks = import("LrTasks")

local Chunks = require("Chunks")
local Gate = require("Gate")
local Json = require("Json")
local Photos = require("Photos")
local Settle = require("Settle")
local WriteReport = require("WriteReport")

local SnapshotCommands = {}

local WRITE_CHUNK = 10

function SnapshotCommands.list_snapshots(catalog, arguments)
	local photos, found, missing = Photos.find(catalog, arguments.photo_ids)
	local records = Json.array({})
	for index, photo in ipairs(photos) do
		for _, snapshot in ipairs(photo:getDevelopSnapshots()) do
			records[#records + 1] = {
				photo_id = found[index],
				snapshot_id = tostring(snapshot.snapshotID),
				name = snapshot.name,
			}
		end
	end
	return { snapshots = records, missing = missing }
end

local function hasSnapshot(photo, name)
	local isRead, snapshots = LrTasks.pcall(function()
		return photo:getDevelopSnapshots()
	end)
	for _, snapshot in ipairs(isRead and snapshots or {}) do
		if snapshot.name == name then
			return true
		end
	end
	return false
end

-- a snapshot that is there already is never written over
local function make(entry, name)
	local ran, isMade = LrTasks.pcall(function()
		return entry.photo:createDevelopSnapshot(name, false)
	end)
	if not ran then
		entry.code, entry.problem = "LIGHTROOM_ERROR", tostring(isMade)
	elseif isMade == false then
		entry.code = "NAME_EXISTS"
		entry.problem = "the photo or one of its virtual copies already has a snapshot with this name"
	end
end

local function report(result, entry)
	if not entry.problem and not entry.isThere then
		entry.code, entry.problem = "LIGHTROOM_ERROR", "the snapshot is not there after the write"
	end
	if entry.problem then
		result.failed(entry.id, entry.code, entry.problem)
	else
		result.applied(entry.id)
	end
end

function SnapshotCommands.create_snapshots(catalog, arguments, deadline)
	local photos, found, missing = Photos.find(catalog, arguments.photo_ids)
	local result = WriteReport.new()
	Chunks.reportMissing(result, missing)
	local undoName = LOC("$$$/Safelight/Undo/CreateSnapshot=Create Snapshot ^1", arguments.name)
	local reached, stopped = Chunks.writeChunks(#photos, WRITE_CHUNK, deadline, function(first, last)
		local entries = {}
		for index = first, last do
			entries[#entries + 1] = { id = found[index], photo = photos[index] }
		end
		local written, failure = Gate.write(catalog, undoName, deadline, function()
			for _, entry in ipairs(entries) do
				make(entry, arguments.name)
			end
		end)
		if not written then
			return nil, failure
		end
		Settle.all(entries, deadline, function(entry)
			entry.isThere = entry.problem == nil and hasSnapshot(entry.photo, arguments.name)
			return entry.isThere or entry.problem ~= nil
		end)
		for _, entry in ipairs(entries) do
			report(result, entry)
		end
		return true
	end)
	return result.ended(found, reached, stopped)
end

return SnapshotCommands
