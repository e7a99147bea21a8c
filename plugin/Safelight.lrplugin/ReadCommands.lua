--[[
Commands that change nothing: state, ids, records.
Each handler gets (catalog, arguments, deadline) and returns a result, or nil and a failure.
]]

local LrApplication = import("LrApplication")
local LrPathUtils = import("LrPathUtils")

local Chunks = require("Chunks")
local Collections = require("Collections")
local Contract = require("Contract")
local Failure = require("Failure")
local Identity = require("Identity")
local Json = require("Json")
local Photos = require("Photos")
local Settings = require("Settings")
local Sources = require("Sources")
local View = require("View")

local ReadCommands = {}

local ID_CHUNK = 500

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
	collection = function(catalog, arguments)
		local collection = Collections.withId(catalog, arguments.collection_id or "")
		if not collection then
			return nil, Failure.new("COLLECTION_NOT_FOUND")
		end
		local photos = {}
		Sources.add(catalog, collection, photos, {})
		return photos
	end,
	adjusted = function(catalog)
		return catalog:findPhotos({
			searchDesc = { criteria = "hasAdjustments", operation = "isTrue", value = true },
			sort = "captureTime",
			ascending = true,
		})
	end,
}

-- Lightroom may not say when a photo was edited, or say what JSON cannot hold
local function secondsOrZero(value)
	if type(value) == "number" and value - value == 0 then
		return value
	end
	return 0
end

-- the uuids of photos[first..last], and when each was edited
local function readIds(catalog, photos, first, last)
	local ids, edited = Json.array({}), Json.array({})
	Chunks.each(last - first + 1, ID_CHUNK, function(from, to)
		local part = Chunks.part(photos, first + from - 1, first + to - 1)
		local raw = catalog:batchGetRawMetadata(part, { "uuid", "lastEditTime" })
		for _, photo in ipairs(part) do
			ids[#ids + 1] = raw[photo].uuid
			edited[#edited + 1] = secondsOrZero(raw[photo].lastEditTime)
		end
	end)
	return ids, edited
end

-- Only the page that is asked for is read; the photos themselves cost one trip, however many they are.
function ReadCommands.list_photo_ids(catalog, arguments)
	local photos, failure = SOURCES[arguments.source](catalog, arguments)
	if not photos then
		return nil, failure
	end
	local first = arguments.offset + 1
	local last = math.min(arguments.offset + arguments.limit, #photos)
	local ids, edited = readIds(catalog, photos, first, last)
	return { photo_ids = ids, edited = arguments.with_edited and edited or nil, total = #photos }
end

function ReadCommands.read_photos(catalog, arguments, deadline)
	local photos, _, missing = Photos.find(catalog, arguments.photo_ids)
	local records = Photos.records(catalog, photos, deadline)
	if not records then
		return nil, Failure.new("TIMEOUT", nil, true)
	end
	return { photos = records, missing = missing }
end

return ReadCommands
