--[[
Commands that change nothing: state, ids, records, thumbnails.
Each handler gets (catalog, arguments, deadline) and returns a result, or nil and a failure.
]]

local LrApplication = import("LrApplication")
local LrPathUtils = import("LrPathUtils")
local LrStringUtils = import("LrStringUtils")
local LrTasks = import("LrTasks")

local Contract = require("Contract")
local Failure = require("Failure")
local Identity = require("Identity")
local Json = require("Json")
local Photos = require("Photos")
local Settings = require("Settings")
local View = require("View")

local ReadCommands = {}

local THUMBNAIL_PAUSE = 0.02

function ReadCommands.get_state(catalog)
	local catalogId, failure = Identity.ofCatalog(catalog)
	if not catalogId then
		return nil, failure
	end
	return {
		catalog_id = catalogId,
		catalog_name = LrPathUtils.removeExtension(LrPathUtils.leafName(catalog:getPath())),
		photo_count = #catalog:getAllPhotos(),
		selected_count = #View.selected(catalog),
		view = View.name(catalog),
		read_only = Settings.isReadOnly(),
		agents_on = Settings.areAgentsOn(),
		lightroom_version = LrApplication.versionString(),
		plugin_version = Contract.version,
	}
end

local SOURCES = {
	all = function(catalog)
		return catalog:getAllPhotos()
	end,
	selection = function(catalog)
		local photos = View.selected(catalog)
		if #photos == 0 then
			return nil, Failure.new("NO_SELECTION")
		end
		return photos
	end,
	view = View.shown,
}

function ReadCommands.list_photo_ids(catalog, arguments)
	local photos, failure = SOURCES[arguments.source](catalog)
	if not photos then
		return nil, failure
	end
	local first = arguments.offset + 1
	local last = math.min(arguments.offset + arguments.limit, #photos)
	return { photo_ids = Photos.ids(catalog, photos, first, last), total = #photos }
end

function ReadCommands.read_photos(catalog, arguments, deadline)
	local photos, _, missing = Photos.find(catalog, arguments.photo_ids)
	local records = Photos.records(catalog, photos, deadline)
	if not records then
		return nil, Failure.new("TIMEOUT", nil, true)
	end
	return { photos = records, missing = missing }
end

-- Requests that are under way: Lightroom drops a request as soon as nothing holds it, and then never calls back.
local held = {}

-- the JPEG's bytes, or nil and Lightroom's reason
local function thumbnail(photo, size, deadline)
	local jpeg, reason
	local request = photo:requestJpegThumbnail(size, size, function(data, message)
		-- may be called several times, an early failure included
		jpeg = data or jpeg
		reason = message
	end)
	held[request] = true
	while held[request] and not jpeg and not reason and not deadline.isOver() do
		LrTasks.sleep(THUMBNAIL_PAUSE)
	end
	held[request] = nil
	return jpeg, reason
end

function ReadCommands.get_thumbnail(catalog, arguments, deadline)
	local photo = catalog:findPhotoByUuid(arguments.photo_id)
	if not photo then
		return nil, Failure.new("PHOTO_NOT_FOUND")
	end
	local jpeg, reason = thumbnail(photo, arguments.size, deadline)
	if not jpeg then
		return nil, Failure.new("THUMBNAIL_UNAVAILABLE", reason, true)
	end
	return { jpeg_base64 = (string.gsub(LrStringUtils.encodeBase64(jpeg), "%s", "")) }
end

local function collectionRecord(collection)
	return {
		collection_id = tostring(collection.localIdentifier),
		name = collection:getName(),
		kind = collection:isSmartCollection() and "smart" or "collection",
	}
end

-- parent is the catalog or a collection set; both list their children the same way
local function addCollections(parent, wanted, records)
	for _, collection in ipairs(parent:getChildCollections()) do
		local record = collectionRecord(collection)
		if not wanted or record.name == wanted then
			records[#records + 1] = record
		end
	end
	for _, set in ipairs(parent:getChildCollectionSets()) do
		local name = set:getName()
		if not wanted or name == wanted then
			records[#records + 1] = { collection_id = tostring(set.localIdentifier), name = name, kind = "set" }
		end
		LrTasks.yield()
		addCollections(set, wanted, records)
	end
end

function ReadCommands.find_collections(catalog, arguments)
	local records = Json.array({})
	addCollections(catalog, arguments.name, records)
	return { collections = records }
end

return ReadCommands
