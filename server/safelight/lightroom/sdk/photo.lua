--[[
LrPhoto. One object per photo, as in Lightroom, where batch reads are keyed by it.
]]

local kernel = ...
local Strict = kernel.Strict

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

-- metadata whose values are objects in Lightroom
local OBJECTS = {
	masterPhoto = function(id)
		return kernel.photo(id)
	end,
	keywords = function(ids)
		return kernel.keywordList(ids)
	end,
	virtualCopies = function(id)
		return kernel.photoList(kernel.host.virtual_copies_of(id))
	end,
	countVirtualCopies = function(id)
		return #kernel.host.virtual_copies_of(id)
	end,
}

function kernel.fromCatalog(key, value)
	local make = OBJECTS[key]
	if make and value ~= nil then
		return make(value)
	end
	return value
end
