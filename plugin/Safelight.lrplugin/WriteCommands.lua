--[[
Commands that change the catalog. Photos and collections are resolved before a gate and read back after it; one short
gate per chunk of photos; every photo's outcome is told.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Gate = require("Gate")
local PhotoChanges = require("PhotoChanges")
local Photos = require("Photos")
local WriteReport = require("WriteReport")

local WriteCommands = {}

local WRITE_CHUNK = 50

-- Runs write(first, last) for each chunk of photos as long as there is time. write returns true, or nil and a failure.
-- Returns the index of the first photo that was not attempted, and the failure that stopped it, if one did.
local function writeChunks(count, deadline, write)
	local reached, stopped = 1, nil
	Photos.chunks(count, WRITE_CHUNK, function(first, last)
		if deadline.isOver() then
			stopped = Failure.new("TIMEOUT", nil, true)
			return false
		end
		local written, failure = write(first, last)
		if not written then
			stopped = failure
			return false
		end
		reached = last + 1
	end)
	return reached, stopped
end

local function part(list, first, last)
	local taken = {}
	for index = first, last do
		taken[#taken + 1] = list[index]
	end
	return taken
end

local function reportMissing(result, missing)
	for _, id in ipairs(missing) do
		result.failed(id, "PHOTO_NOT_FOUND")
	end
end

-- the photos of one gate: refused ones with Lightroom's words, the others as they read now
local function reportChunk(result, catalog, photos, changes, refusals)
	local isRead, records = LrTasks.pcall(Photos.records, catalog, photos)
	if not isRead then
		-- the gate is through, so this must not end the command
		for _, change in ipairs(changes) do
			result.failed(change.photo_id, "LIGHTROOM_ERROR", "written, but not read back: " .. tostring(records))
		end
		return
	end
	for index, record in ipairs(records) do
		local refusal = refusals[index] or PhotoChanges.difference(changes[index], record)
		if refusal then
			result.failed(record.photo_id, "LIGHTROOM_ERROR", refusal)
		else
			result.applied(record)
		end
	end
end

function WriteCommands.write_photos(catalog, arguments, deadline)
	local problem = PhotoChanges.problem(arguments.changes)
	if problem then
		return nil, Failure.new("BAD_ARGUMENTS", problem)
	end
	local wanted, changeOf = {}, {}
	for _, change in ipairs(arguments.changes) do
		wanted[#wanted + 1] = change.photo_id
		changeOf[change.photo_id] = change
	end
	local photos, found, missing = Photos.find(catalog, wanted)
	local result = WriteReport.new()
	reportMissing(result, missing)

	local reached, stopped = writeChunks(#photos, deadline, function(first, last)
		local chunk, changes, refusals = part(photos, first, last), {}, {}
		for index = first, last do
			changes[#changes + 1] = changeOf[found[index]]
		end
		local written, failure = Gate.write(catalog, arguments.undo_name, deadline, function()
			for index, photo in ipairs(chunk) do
				refusals[index] = PhotoChanges.apply(photo, changes[index])
			end
		end)
		if written then
			reportChunk(result, catalog, chunk, changes, refusals)
		end
		return written, failure
	end)
	if stopped and reached == 1 then
		return nil, stopped
	end
	result.notAttempted(found, reached, stopped)
	return result.report
end

local function collectionNamed(catalog, name)
	for _, collection in ipairs(catalog:getChildCollections()) do
		if collection:getName() == name then
			return collection
		end
	end
	return nil
end

function WriteCommands.create_collection(catalog, arguments, deadline)
	local name = arguments.name
	if collectionNamed(catalog, name) then
		return nil, Failure.new("NAME_EXISTS")
	end
	local collection
	local undoName = LOC("$$$/Safelight/Undo/CreateCollection=Create Collection ^1", name)
	local written, failure = Gate.write(catalog, undoName, deadline, function()
		collection = catalog:createCollection(name, nil, false)
	end)
	if not written then
		return nil, failure
	elseif not collection then
		return nil, Failure.new("NAME_EXISTS")
	end
	-- the gate is closed: a new collection cannot be read in its own
	return { collection_id = tostring(collection.localIdentifier), name = collection:getName(), kind = "collection" }
end

local function collectionWithId(catalog, id)
	local number = tonumber(id)
	local collection = number and catalog:getCollectionByLocalIdentifier(number)
	if not collection or collection:type() ~= "LrCollection" then
		return nil, Failure.new("COLLECTION_NOT_FOUND")
	elseif collection:isSmartCollection() then
		return nil, Failure.new("SMART_COLLECTION_READONLY")
	end
	return collection
end

function WriteCommands.add_to_collection(catalog, arguments, deadline)
	local collection, failure = collectionWithId(catalog, arguments.collection_id)
	if not collection then
		return nil, failure
	end
	local photos, found, missing = Photos.find(catalog, arguments.photo_ids)
	local result = WriteReport.new()
	reportMissing(result, missing)

	local undoName = LOC("$$$/Safelight/Undo/AddToCollection=Add to Collection ^1", collection:getName())
	local reached, stopped = writeChunks(#photos, deadline, function(first, last)
		return Gate.write(catalog, undoName, deadline, function()
			collection:addPhotos(part(photos, first, last))
		end)
	end)
	if stopped and reached == 1 then
		return nil, stopped
	end
	local members = {}
	for _, photo in ipairs(collection:getPhotos()) do
		members[photo] = true
	end
	for index = 1, reached - 1 do
		if members[photos[index]] then
			result.applied(found[index])
		else
			result.failed(found[index], "LIGHTROOM_ERROR", "the photo is not in the collection after the write")
		end
	end
	result.notAttempted(found, reached, stopped)
	return result.report
end

return WriteCommands
