--[[
LrPhoto, LrCollection, LrCollectionSet. One object per photo and per collection, as in Lightroom, where batch reads are
keyed by it.
]]

local kernel = ...
local Strict = kernel.Strict

-- What was made in a write gate cannot be read before the gate is closed.
local function readable(self, call)
	local secret = Strict.hidden(self)
	if secret.born and not secret.born.isClosed then
		error(call .. ": an object that was made in a write gate cannot be used before the gate is closed", 3)
	end
	return secret.id
end

-- the open gate of the running task, of one of the given kinds
function kernel.needGate(call, ...)
	local gate = kernel.current and kernel.current.gate
	for index = 1, select("#", ...) do
		if gate and gate.kind == select(index, ...) then
			return gate
		end
	end
	error(call .. " must be called inside " .. table.concat({ ... }, " or ") .. " access", 3)
end

function kernel.idsOf(objects)
	local ids = {}
	for index, object in ipairs(objects) do
		ids[index] = Strict.hidden(object).id
	end
	return ids
end

-- Thumbnail requests that a plug-in still holds; one that it dropped is never answered.
local requests = setmetatable({}, { __mode = "v" })
local callbacks = {}
local nextRequest = 0
local newRequest = Strict.class("a thumbnail request", {})

function kernel.deliverThumbnail(number, jpeg, reason)
	collectgarbage("collect")
	local callback = callbacks[number]
	if requests[number] and callback then
		callback(jpeg, reason)
		return true
	end
	callbacks[number] = nil
	return false
end

local function requestThumbnail(self, width, height, callback)
	local call = "LrPhoto:requestJpegThumbnail"
	kernel.trip(call)
	kernel.refuseInGate(call)
	nextRequest = nextRequest + 1
	local request = newRequest({})
	requests[nextRequest] = request
	callbacks[nextRequest] = callback
	kernel.host.request_thumbnail(nextRequest, Strict.hidden(self).id, math.max(width, height))
	return request
end

local newPhoto = Strict.class("LrPhoto", {
	getRawMetadata = {
		{ "string" },
		function(self, key)
			kernel.trip("LrPhoto:getRawMetadata")
			return kernel.fromCatalog(key, Strict.host("read_raw", Strict.hidden(self).id, key))
		end,
	},
	getFormattedMetadata = {
		{ "string" },
		function(self, key)
			kernel.trip("LrPhoto:getFormattedMetadata")
			return Strict.host("read_formatted", Strict.hidden(self).id, key)
		end,
	},
	setRawMetadata = {
		{ "string", "any" },
		function(self, key, value)
			kernel.needGate("LrPhoto:setRawMetadata", "write")
			kernel.trip("LrPhoto:setRawMetadata")
			Strict.host("write_metadata", Strict.hidden(self).id, key, value)
		end,
	},
	requestJpegThumbnail = { { "number", "number", "function" }, requestThumbnail },
}, {
	catalog = function()
		return kernel.catalog
	end,
	localIdentifier = function(self)
		return Strict.hidden(self).id
	end,
})

local photos = {}

function kernel.photo(id)
	if id == nil then
		return nil
	end
	local photo = photos[id]
	if not photo then
		photo = newPhoto({ id = id })
		photos[id] = photo
	end
	return photo
end

function kernel.photoList(ids)
	local list = {}
	for index, id in ipairs(ids) do
		list[index] = kernel.photo(id)
	end
	return list
end

-- values that are objects in Lightroom
function kernel.fromCatalog(key, value)
	if key == "masterPhoto" then
		return kernel.photo(value)
	end
	return value
end

local fields = {
	catalog = function()
		return kernel.catalog
	end,
	localIdentifier = function(self)
		return readable(self, "localIdentifier")
	end,
}

local function getName(class)
	return {
		{},
		function(self)
			kernel.trip(class .. ":getName")
			return Strict.host("collection_name", readable(self, class .. ":getName"))
		end,
	}
end

local newCollection = Strict.class("LrCollection", {
	getName = getName("LrCollection"),
	isSmartCollection = {
		{},
		function(self)
			kernel.trip("LrCollection:isSmartCollection")
			return Strict.host("is_smart", readable(self, "LrCollection:isSmartCollection"))
		end,
	},
	getPhotos = {
		{},
		function(self)
			kernel.trip("LrCollection:getPhotos")
			return kernel.photoList(Strict.host("collection_photos", readable(self, "LrCollection:getPhotos")))
		end,
	},
	addPhotos = {
		{ "table" },
		function(self, added)
			Strict.list("LrCollection:addPhotos", 1, added, "LrPhoto")
			kernel.needGate("LrCollection:addPhotos", "write")
			kernel.trip("LrCollection:addPhotos")
			Strict.host("add_to_collection", readable(self, "LrCollection:addPhotos"), kernel.idsOf(added))
		end,
	},
}, fields)

local function children(class, name, kinds)
	return {
		{},
		function(self)
			local call = class .. ":" .. name
			kernel.trip(call)
			return kernel.collectionList(Strict.host("children", readable(self, call), kinds))
		end,
	}
end

local newSet = Strict.class("LrCollectionSet", {
	getName = getName("LrCollectionSet"),
	getChildCollections = children("LrCollectionSet", "getChildCollections", "collections"),
	getChildCollectionSets = children("LrCollectionSet", "getChildCollectionSets", "sets"),
	getChildren = children("LrCollectionSet", "getChildren", "all"),
}, fields)

local newFolder = Strict.class("LrFolder", {
	getName = {
		{},
		function(self)
			kernel.trip("LrFolder:getName")
			return string.match(Strict.hidden(self).id, "([^/]*)/*$")
		end,
	},
	getPath = {
		{},
		function(self)
			return Strict.hidden(self).id
		end,
	},
	getPhotos = {
		{ "boolean|nil" },
		function(self, withChildren)
			kernel.trip("LrFolder:getPhotos")
			return kernel.photoList(Strict.host("folder_photos", Strict.hidden(self).id, withChildren ~= false))
		end,
	},
})

local folders = {}

function kernel.folder(path)
	folders[path] = folders[path] or newFolder({ id = path })
	return folders[path]
end

local collections = {}

-- born: the gate in which the collection is being made, if it is
function kernel.collection(id, born)
	if id == nil then
		return nil
	end
	local collection = collections[id]
	if not collection then
		local make = Strict.host("is_set", id) and newSet or newCollection
		collection = make({ id = id, born = born })
		collections[id] = collection
	end
	return collection
end

function kernel.collectionList(ids)
	local list = {}
	for index, id in ipairs(ids) do
		list[index] = kernel.collection(id)
	end
	return list
end
