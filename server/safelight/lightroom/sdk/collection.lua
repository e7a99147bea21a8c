--[[
LrCollection, LrCollectionSet and LrFolder, and what LrCatalog and LrPhoto offer about them.
]]

local kernel = ...
local Strict = kernel.Strict

local fields = {
	catalog = function()
		return kernel.catalog
	end,
	localIdentifier = function(self)
		return Strict.readable(self, "localIdentifier")
	end,
}

-- a read of one collection or set; answer may turn what the simulated catalog says into objects
local function read(class, name, hostCall, answer, ...)
	local call = class .. ":" .. name
	local more = { ... }
	return {
		{},
		function(self)
			kernel.trip(call)
			local value = Strict.host(hostCall, Strict.readable(self, call), unpack(more))
			return answer and answer(value) or value
		end,
	}
end

-- a read that may go over much of the catalog, which holds up everybody where it is done in a gate
local function readList(class, name, hostCall, answer, ...)
	local call = class .. ":" .. name
	local more = { ... }
	return {
		{},
		function(self)
			local id = Strict.readable(self, call)
			kernel.refuseInGate(call)
			kernel.trip(call)
			return answer(Strict.host(hostCall, id, unpack(more)))
		end,
	}
end

local function toCollection(id)
	return kernel.collection(id)
end

local function toCollections(ids)
	return kernel.collectionList(ids)
end

local function toPhotos(ids)
	return kernel.photoList(ids)
end

local function delete(class)
	local call = class .. ":delete"
	return {
		{},
		function(self)
			kernel.needGate(call, "write")
			kernel.trip(call)
			Strict.host("delete_collection", Strict.readable(self, call))
		end,
	}
end

local function changePhotos(name, hostCall)
	local call = "LrCollection:" .. name
	return {
		{ "table" },
		function(self, photos)
			Strict.list(call, 1, photos, "LrPhoto")
			kernel.needGate(call, "write")
			kernel.trip(call)
			Strict.host(hostCall, Strict.readable(self, call), kernel.idsOf(photos))
		end,
	}
end

local newCollection = Strict.class("LrCollection", {
	getName = read("LrCollection", "getName", "collection_name"),
	getParent = read("LrCollection", "getParent", "collection_parent", toCollection),
	isSmartCollection = read("LrCollection", "isSmartCollection", "is_smart"),
	getSearchDescription = read("LrCollection", "getSearchDescription", "search_description"),
	getPhotos = readList("LrCollection", "getPhotos", "collection_photos", toPhotos),
	addPhotos = changePhotos("addPhotos", "add_to_collection"),
	removePhotos = changePhotos("removePhotos", "remove_from_collection"),
	delete = delete("LrCollection"),
}, fields)

local newSet = Strict.class("LrCollectionSet", {
	getName = read("LrCollectionSet", "getName", "collection_name"),
	getParent = read("LrCollectionSet", "getParent", "collection_parent", toCollection),
	getChildCollections = readList("LrCollectionSet", "getChildCollections", "children", toCollections, "collections"),
	getChildCollectionSets = readList("LrCollectionSet", "getChildCollectionSets", "children", toCollections, "sets"),
	getChildren = readList("LrCollectionSet", "getChildren", "children", toCollections, "all"),
	delete = delete("LrCollectionSet"),
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
	getChildren = {
		{},
		function(self)
			kernel.refuseInGate("LrFolder:getChildren")
			kernel.trip("LrFolder:getChildren")
			local list = {}
			for index, path in ipairs(kernel.host.subfolders(Strict.hidden(self).id)) do
				list[index] = kernel.folder(path)
			end
			return list
		end,
	},
	getPhotos = {
		{ "boolean|nil" },
		function(self, withChildren)
			kernel.refuseInGate("LrFolder:getPhotos")
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

-- Makes a collection, a smart one or a set in the open gate. A set that was made in the same gate is no place for it:
-- its children cannot be looked at yet. Answers nil when the name is taken and the prior one is not wanted.
local function create(name, hostCall)
	local call = "LrCatalog:" .. name
	return function(newName, parent, canReturnPrior, ...)
		local gate = kernel.needGate(call, "write")
		kernel.trip(call)
		local parentId = parent and Strict.readable(parent, call)
		local made = Strict.host(hostCall, newName, parentId, canReturnPrior == true, ...)
		return kernel.collection(made.id, made.isNew and gate or nil)
	end
end

local createCollection = create("createCollection", "create_collection")
local createCollectionSet = create("createCollectionSet", "create_collection_set")
local createSmartCollection = create("createSmartCollection", "create_smart_collection")

Strict.extend("LrCatalog", {
	createCollection = {
		{ "string", "LrCollectionSet|nil", "boolean|nil" },
		function(_, ...)
			return createCollection(...)
		end,
	},
	createCollectionSet = {
		{ "string", "LrCollectionSet|nil", "boolean|nil" },
		function(_, ...)
			return createCollectionSet(...)
		end,
	},
	createSmartCollection = {
		{ "string", "table", "LrCollectionSet|nil", "boolean|nil" },
		function(_, name, searchDesc, parent, canReturnPrior)
			return createSmartCollection(name, parent, canReturnPrior, searchDesc)
		end,
	},
	findPhotos = {
		{ "table" },
		function(_, arguments)
			local call = "LrCatalog:findPhotos"
			Strict.options(call, arguments, { searchDesc = "table", sort = "string", ascending = "boolean" })
			if not arguments.searchDesc then
				error(call .. ": searchDesc is missing", 3)
			end
			kernel.refuseInGate(call)
			kernel.trip(call)
			return kernel.photoList(
				Strict.host(
					"find_photos",
					arguments.searchDesc,
					arguments.sort or "captureTime",
					arguments.ascending == true
				)
			)
		end,
	},
})

Strict.extend("LrPhoto", {
	getContainedCollections = {
		{},
		function(self)
			kernel.refuseInGate("LrPhoto:getContainedCollections")
			kernel.trip("LrPhoto:getContainedCollections")
			return kernel.collectionList(Strict.host("collections_of_photo", Strict.hidden(self).id))
		end,
	},
})
