--[[
Writing develop settings of many photos: read before, one short gate per ten photos, read until it has settled, and one
outcome per photo.
]]

local LrTasks = import("LrTasks")

local Chunks = require("Chunks")
local DevelopSettings = require("DevelopSettings")
local Gate = require("Gate")
local Photos = require("Photos")
local Settle = require("Settle")
local WriteReport = require("WriteReport")

local DevelopWrites = {}

local WRITE_CHUNK = 10

-- what is known about each photo of a chunk; a problem keeps it from being written
local function prepared(catalog, photos, ids, kind)
	local raw = catalog:batchGetRawMetadata(photos, { "fileFormat" })
	local entries = {}
	for index, photo in ipairs(photos) do
		local entry = { id = ids[index], photo = photo, fileFormat = raw[photo].fileFormat }
		entries[index] = entry
		local isRead, settings = LrTasks.pcall(DevelopSettings.read, photo)
		if entry.fileFormat == "VIDEO" then
			entry.code, entry.problem = "UNSUPPORTED", "a video takes no develop settings"
		elseif not isRead then
			entry.problem = "its develop settings could not be read: " .. tostring(settings)
		else
			entry.before = settings
			entry.isRaw = DevelopSettings.isRaw(entry.fileFormat, settings)
			entry.plan = kind.plan(entry)
		end
	end
	return entries
end

local function write(catalog, undoName, deadline, entries, kind)
	local due = {}
	for _, entry in ipairs(entries) do
		if entry.plan then
			due[#due + 1] = entry
		end
	end
	if #due == 0 then
		return true
	end
	return Gate.write(catalog, undoName, deadline, function()
		for _, entry in ipairs(due) do
			-- a refusal must not end the gate for the others
			local isSet, message = LrTasks.pcall(kind.apply, entry.photo, entry.plan)
			if not isSet then
				entry.problem = tostring(message)
			end
		end
	end)
end

local function settle(entries, deadline, kind)
	Settle.all(entries, deadline, function(entry)
		if entry.problem then
			return true
		end
		local isRead, settings = LrTasks.pcall(DevelopSettings.read, entry.photo)
		if not isRead then
			entry.unread = tostring(settings)
			return false
		end
		entry.now = settings
		return not entry.plan or kind.isSettled(entry)
	end, kind.patience)
end

local function report(result, entries, kind)
	for _, entry in ipairs(entries) do
		local problem, code = entry.problem, entry.code
		if not problem and not entry.now then
			problem = "written, but not read back: " .. entry.unread
		elseif not problem and entry.plan then
			problem, code = kind.problem(entry)
		end
		if problem then
			result.failed(entry.id, code or "LIGHTROOM_ERROR", problem)
		else
			result.applied({ photo_id = entry.id, raw = entry.isRaw, settings = entry.now })
		end
	end
end

--[[
kind says what is written and when it is done:
  plan(entry)        what to write to the photo of entry (id, photo, isRaw, before); nil when there is nothing to do
  apply(photo, plan) writes it; called in the gate
  isSettled(entry)   whether entry.now, as it reads at present, is what the write comes to
  patience(entry)    for how many seconds to go on reading; absent for the usual
  problem(entry)     nil when entry.now is good, or a sentence and perhaps a code of the contract
Returns the report, or nil and a failure when nothing was changed.
]]
function DevelopWrites.run(catalog, photoIds, undoName, deadline, kind)
	local photos, found, missing = Photos.find(catalog, photoIds)
	local result = WriteReport.new()
	Chunks.reportMissing(result, missing)
	local reached, stopped = Chunks.writeChunks(#photos, WRITE_CHUNK, deadline, function(first, last)
		local chunk, ids = Chunks.part(photos, first, last), Chunks.part(found, first, last)
		local entries = prepared(catalog, chunk, ids, kind)
		local written, failure = write(catalog, undoName, deadline, entries, kind)
		if written then
			settle(entries, deadline, kind)
			report(result, entries, kind)
		end
		return written, failure
	end)
	return result.ended(found, reached, stopped)
end

return DevelopWrites
