--[[
Commands about collections, smart collections and collection sets.
]]

local LrTasks = import("LrTasks")

local Chunks = require("Chunks")
local Collections = require("Collections")
local Failure = require("Failure")
local Gate = require("Gate")
local Json = require("Json")
local Photos = require("Photos")
local SmartRules = require("SmartRules")
local WriteReport = require("WriteReport")

local CollectionCommands = {}

local WRITE_CHUNK = 50

-- Counting costs a trip for each collection, and much time where it is large: only for the part that is asked for,
-- and only while there is time.
local function count(found, records, first, last, deadline)
	for index = first, math.min(last, #found) do
		if deadline.isOver() then
			return
		elseif records[index].kind ~= "set" then
			records[index].photos = #found[index]:getPhotos()
		end
	end
end

function CollectionCommands.find_collections(catalog, arguments, deadline)
	local found, records = {}, Json.array({})
	local isWhole = Collections.walk(catalog, deadline, function(collection, path)
		if not arguments.name or collection:getName() == arguments.name then
			found[#found + 1] = collection
			records[#records + 1] = Collections.record(collection, path)
		end
	end)
	if not isWhole then
		return nil, Failure.new("TIMEOUT", nil, true)
	end
	if arguments.count_to then
		count(found, records, (arguments.count_from or 0) + 1, arguments.count_to, deadline)
	end
	return { collections = records }
end

-- Makes one collection or set in a gate of its own; it can be read once that is closed. make(parent) makes it; parent
-- is nil at the top. Returns it, or nil and a failure.
local function makeOne(catalog, place, undoName, deadline, make)
	if deadline.isOver() then
		return nil, Failure.new("TIMEOUT", nil, true)
	end
	local parent, made = nil, nil
	if place ~= catalog then
		parent = place
	end
	local written, failure = Gate.write(catalog, undoName, deadline, function()
		made = make(parent)
	end)
	if not written then
		return nil, failure
	elseif not made then
		return nil, Failure.new("NAME_EXISTS")
	end
	return made
end

local function makeSet(catalog, place, name, deadline)
	local undoName = LOC("$$$/Safelight/Undo/CreateCollectionSet=Create Collection Set ^1", name)
	return makeOne(catalog, place, undoName, deadline, function(parent)
		return catalog:createCollectionSet(name, parent, false)
	end)
end

-- the failure of a command that has made sets before: it did change something
local function failureAfterSets(failure, sets)
	if #sets == 0 then
		return failure
	end
	local names = table.concat(sets, ", ")
	return Failure.new("LIGHTROOM_ERROR", "collection sets were made (" .. names .. "), then: " .. failure.message)
end

-- Makes what stands last in the path, in the sets before it, which are made where they are missing. Each of them needs
-- its own gate: what was made in a gate can be neither read nor filled before the gate is closed.
local function makeAt(catalog, path, undoName, deadline, make)
	local place, above, made = catalog, {}, {}
	for index = 1, #path - 1 do
		local name = path[index]
		local set = Collections.childNamed(place, name)
		if not set then
			local failure
			set, failure = makeSet(catalog, place, name, deadline)
			if not set then
				return nil, failureAfterSets(failure, made)
			end
			made[#made + 1] = name
		elseif not Collections.isSet(set) then
			return nil, Failure.new("NAME_EXISTS", name .. " is a collection, not a collection set")
		end
		place = set
		above[#above + 1] = set:getName()
	end
	local name = path[#path]
	if Collections.childNamed(place, name) then
		return nil, Failure.new("NAME_EXISTS")
	end
	local collection, failure = makeOne(catalog, place, undoName, deadline, make)
	if not collection then
		return nil, failureAfterSets(failure, made)
	end
	return Collections.record(collection, above)
end

function CollectionCommands.create_collection(catalog, arguments, deadline)
	local name = arguments.path[#arguments.path]
	local undoName = LOC("$$$/Safelight/Undo/CreateCollection=Create Collection ^1", name)
	return makeAt(catalog, arguments.path, undoName, deadline, function(parent)
		return catalog:createCollection(name, parent, false)
	end)
end

function CollectionCommands.create_smart_collection(catalog, arguments, deadline)
	local description, problem = SmartRules.description(arguments.rules)
	if not description then
		return nil, Failure.new("BAD_ARGUMENTS", problem)
	end
	local name = arguments.path[#arguments.path]
	local undoName = LOC("$$$/Safelight/Undo/CreateSmartCollection=Create Smart Collection ^1", name)
	return makeAt(catalog, arguments.path, undoName, deadline, function(parent)
		return catalog:createSmartCollection(name, description, parent, false)
	end)
end

function CollectionCommands.delete_collection(catalog, arguments, deadline)
	local collection = Collections.withId(catalog, arguments.collection_id)
	if not collection then
		return nil, Failure.new("COLLECTION_NOT_FOUND")
	elseif Collections.isSet(collection) and #collection:getChildren() > 0 then
		return nil, Failure.new("BAD_ARGUMENTS", "the collection set is not empty; delete what is in it first")
	end
	local undoName = LOC("$$$/Safelight/Undo/DeleteCollection=Delete Collection ^1", collection:getName())
	local written, failure = Gate.write(catalog, undoName, deadline, function()
		collection:delete()
	end)
	if not written then
		return nil, failure
	end
	return { deleted = Collections.withId(catalog, arguments.collection_id) == nil }
end

-- a collection that takes photos by hand, or nil and a failure
local function plainCollection(catalog, id)
	local collection = Collections.withId(catalog, id)
	if not collection then
		return nil, Failure.new("COLLECTION_NOT_FOUND")
	elseif Collections.isSet(collection) then
		return nil, Failure.new("COLLECTION_NOT_FOUND", "this is a collection set; photos stand in collections")
	elseif collection:isSmartCollection() then
		return nil, Failure.new("SMART_COLLECTION_READONLY")
	end
	return collection
end

-- which photos are in the collection now, or nil and Lightroom's words
local function members(collection)
	local isRead, photos = LrTasks.pcall(function()
		return collection:getPhotos()
	end)
	if not isRead then
		return nil, tostring(photos)
	end
	local isMember = {}
	for _, photo in ipairs(photos) do
		isMember[photo] = true
	end
	return isMember
end

-- nil when the photo reads as wanted
local function difference(isMember, photo, wanted)
	if (isMember[photo] == true) == wanted then
		return nil
	elseif wanted then
		return "the photo is not in the collection after the write"
	end
	return "the photo is still in the collection after the write"
end

-- Changes which photos are in a collection, in chunks; write(photos) runs in a gate. wanted: whether the photos are to
-- be in it then.
local function changeMembers(catalog, collection, ids, undoName, deadline, wanted, write)
	local photos, found, missing = Photos.find(catalog, ids)
	local result = WriteReport.new()
	Chunks.reportMissing(result, missing)
	local reached, stopped = Chunks.writeChunks(#photos, WRITE_CHUNK, deadline, function(first, last)
		local chunk = Chunks.part(photos, first, last)
		return Gate.write(catalog, undoName, deadline, function()
			write(chunk)
		end)
	end)
	if stopped and reached == 1 then
		return nil, stopped
	end
	local isMember, unread = members(collection)
	for index = 1, reached - 1 do
		local problem = not isMember and "written, but not read back: " .. unread
			or difference(isMember, photos[index], wanted)
		if problem then
			result.failed(found[index], "LIGHTROOM_ERROR", problem)
		else
			result.applied(found[index])
		end
	end
	result.notAttempted(found, reached, stopped)
	return result.report
end

function CollectionCommands.add_to_collection(catalog, arguments, deadline)
	local collection, failure = plainCollection(catalog, arguments.collection_id)
	if not collection then
		return nil, failure
	end
	local undoName = LOC("$$$/Safelight/Undo/AddToCollection=Add to Collection ^1", collection:getName())
	return changeMembers(catalog, collection, arguments.photo_ids, undoName, deadline, true, function(photos)
		collection:addPhotos(photos)
	end)
end

function CollectionCommands.remove_from_collection(catalog, arguments, deadline)
	local collection, failure = plainCollection(catalog, arguments.collection_id)
	if not collection then
		return nil, failure
	end
	local undoName = LOC("$$$/Safelight/Undo/RemoveFromCollection=Remove from Collection ^1", collection:getName())
	return changeMembers(catalog, collection, arguments.photo_ids, undoName, deadline, false, function(photos)
		collection:removePhotos(photos)
	end)
end

return CollectionCommands
