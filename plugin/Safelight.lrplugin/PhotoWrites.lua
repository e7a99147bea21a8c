--[[
A write of one change to each of many photos. Photos are resolved before a gate and read back after it; one short gate
per chunk of photos; every photo's outcome is told.
]]

local LrTasks = import("LrTasks")

local Chunks = require("Chunks")
local Failure = require("Failure")
local Gate = require("Gate")
local Photos = require("Photos")
local WriteReport = require("WriteReport")

local PhotoWrites = {}

local WRITE_CHUNK = 50

-- the photos of one gate: refused ones with Lightroom's words, the others as they read now
local function reportChunk(result, catalog, photos, changes, refusals, edit, keywordPaths)
	local isRead, records = LrTasks.pcall(Photos.records, catalog, photos, nil, keywordPaths)
	if not isRead then
		-- the gate is through, so this must not end the command
		for _, change in ipairs(changes) do
			result.failed(change.photo_id, "LIGHTROOM_ERROR", "written, but not read back: " .. tostring(records))
		end
		return
	end
	for index, record in ipairs(records) do
		local refusal = refusals[index] or edit.difference(changes[index], record)
		if refusal then
			result.failed(record.photo_id, "LIGHTROOM_ERROR", refusal)
		else
			result.applied(record)
		end
	end
end

-- the ids that the changes name, and the change of each; or nil and a problem
function PhotoWrites.changesById(changes)
	local ids, changeOf = {}, {}
	for index, change in ipairs(changes) do
		if changeOf[change.photo_id] then
			return nil, "the photo " .. change.photo_id .. " is named twice"
		end
		ids[index] = change.photo_id
		changeOf[change.photo_id] = change
	end
	return ids, changeOf
end

--[[
Carries out arguments.changes. How, tells edit:
prepare(photos, changes): before each gate; true, or nil and the failure that ends the command; may be absent
apply(photo, change): in the gate; nil, or why Lightroom refused: a refusal must not end the gate for the others
difference(change, record): nil when the record, as read back, is as the change wanted it, or a sentence
]]
function PhotoWrites.run(catalog, arguments, deadline, edit, keywordPaths)
	local ids, changeOf = PhotoWrites.changesById(arguments.changes)
	if not ids then
		return nil, Failure.new("BAD_ARGUMENTS", changeOf)
	end
	local photos, found, missing = Photos.find(catalog, ids)
	local result = WriteReport.new()
	Chunks.reportMissing(result, missing)

	local reached, stopped = Chunks.writeChunks(#photos, WRITE_CHUNK, deadline, function(first, last)
		local chunk, changes, refusals = Chunks.part(photos, first, last), {}, {}
		for index = first, last do
			changes[#changes + 1] = changeOf[found[index]]
		end
		if edit.prepare then
			local prepared, failure = edit.prepare(chunk, changes)
			if not prepared then
				return nil, failure
			end
		end
		local written, failure = Gate.write(catalog, arguments.undo_name, deadline, function()
			for index, photo in ipairs(chunk) do
				refusals[index] = edit.apply(photo, changes[index])
			end
		end)
		if written then
			reportChunk(result, catalog, chunk, changes, refusals, edit, keywordPaths)
		end
		return written, failure
	end)
	return result.ended(found, reached, stopped)
end

return PhotoWrites
