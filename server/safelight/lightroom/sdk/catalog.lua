--[[
LrCatalog with its write gates, and LrApplication.
]]

local kernel = ...
local Strict = kernel.Strict

local GATE_OPTIONS = { timeout = "number", callback = "function", asynchronous = "boolean" }

local function checkTimeout(call, timeout)
	if timeout then
		Strict.options(call, timeout, GATE_OPTIONS)
		if timeout.asynchronous then
			error(call .. ": the simulated Lightroom has no asynchronous gates", 3)
		end
	end
	if not timeout or not timeout.timeout then
		if kernel.host.needs_timeout() then
			error(call .. " may be blocked by another write access call, and no timeout parameters were provided", 3)
		end
	end
end

-- Waits for the catalog, runs func with write access and commits, or rolls back and throws what func threw.
local function withGate(call, kind, name, func, timeout)
	local task = kernel.needTask(call)
	if task.gate then
		error(call .. " cannot be nested inside another write access call", 3)
	end
	checkTimeout(call, timeout)
	if not coroutine.yield("gate", timeout and timeout.timeout or 0) then
		if timeout and timeout.callback then
			timeout.callback()
		end
		return "aborted"
	end
	local gate = { kind = kind }
	task.gate = gate
	kernel.host.open_gate(name)
	local done, message = kernel.pcall(func)
	task.gate = nil
	gate.isClosed = true
	kernel.host.close_gate(done)
	if not done then
		error(message, 0)
	end
	return "executed"
end

-- a read that goes over the whole catalog or changes what is seen; none of these belongs into a gate
local function outside(name, kinds, implementation)
	local call = "LrCatalog:" .. name
	return {
		kinds,
		function(_, ...)
			kernel.refuseInGate(call)
			kernel.trip(call)
			return implementation(...)
		end,
	}
end

local function batchRead(name, hostCall)
	return outside(name, { "table", "table|nil" }, function(photos, keys)
		Strict.list("LrCatalog:" .. name, 1, photos, "LrPhoto")
		if keys then
			Strict.list("LrCatalog:" .. name, 2, keys, "string")
		end
		local values = Strict.host(hostCall, kernel.idsOf(photos), keys)
		local byPhoto = {}
		for index, photo in ipairs(photos) do
			local value = values[index]
			for key, one in pairs(value) do
				value[key] = kernel.fromCatalog(key, one)
			end
			byPhoto[photo] = value
		end
		return byPhoto
	end)
end

local function children(name, kinds)
	return outside(name, {}, function()
		return kernel.collectionList(Strict.host("children", nil, kinds))
	end)
end

local CONSTANTS = {
	kAllPhotos = true,
	kLastCatalogExport = true,
	kPreviousImport = true,
	kQuickCollectionIdentifier = true,
	kTemporaryImages = true,
}
local CONTAINERS = { LrCollection = true, LrCollectionSet = true, LrFolder = true }

local function sourceOf(name)
	if CONSTANTS[name] then
		return name
	elseif type(name) == "string" then
		return kernel.folder(name)
	end
	return kernel.collection(name)
end

-- one of Lightroom's own sources, which are texts and stand alone
local function ownSource(name)
	if not CONSTANTS[name] then
		error("LrCatalog:setActiveSources: " .. tostring(name) .. " is not a source", 5)
	end
	return name
end

local function sourceIds(sources)
	local ids, places = {}, {}
	for index, source in ipairs(sources) do
		local kind = Strict.kind(source)
		if not CONTAINERS[kind] then
			error("LrCatalog:setActiveSources: " .. tostring(source) .. " is not a source that stands in a list", 5)
		end
		places[kind == "LrFolder"] = true
		ids[index] = Strict.hidden(source).id
	end
	if places[true] and places[false] then
		error("LrCatalog:setActiveSources: folders and collections cannot be mixed", 5)
	end
	return ids
end

local VIEW_FILTER = {
	columnBrowserActive = "boolean",
	columnBrowserDesc = "table",
	filtersActive = "boolean",
	minRating = "number",
	ratingOp = "string",
	searchOp = "string",
	searchString = "string",
	searchStringActive = "boolean",
	searchTarget = "string",
}

local methods = {
	getPath = {
		{},
		function()
			return kernel.host.catalog_path()
		end,
	},
	getAllPhotos = outside("getAllPhotos", {}, function()
		return kernel.photoList(kernel.host.all_photos())
	end),
	findPhotoByUuid = outside("findPhotoByUuid", { "string" }, function(uuid)
		return kernel.photo(kernel.host.find_uuid(uuid))
	end),
	batchGetRawMetadata = batchRead("batchGetRawMetadata", "batch_raw"),
	batchGetFormattedMetadata = batchRead("batchGetFormattedMetadata", "batch_formatted"),
	getTargetPhoto = outside("getTargetPhoto", {}, function()
		return kernel.photo(kernel.host.active_photo())
	end),
	getTargetPhotos = outside("getTargetPhotos", {}, function()
		return kernel.photoList(kernel.host.target_photos())
	end),
	getMultipleSelectedOrAllPhotos = outside("getMultipleSelectedOrAllPhotos", {}, function()
		return kernel.photoList(kernel.host.selected_or_all())
	end),
	setSelectedPhotos = outside("setSelectedPhotos", { "LrPhoto", "table" }, function(active, others)
		Strict.list("LrCatalog:setSelectedPhotos", 2, others, "LrPhoto")
		kernel.host.select(Strict.hidden(active).id, kernel.idsOf(others))
	end),
	getActiveSources = outside("getActiveSources", {}, function()
		local sources = {}
		for index, name in ipairs(kernel.host.active_sources()) do
			sources[index] = sourceOf(name)
		end
		return sources
	end),
	setActiveSources = outside("setActiveSources", { "table|string" }, function(sources)
		Strict.host("set_sources", type(sources) == "table" and sourceIds(sources) or { ownSource(sources) })
	end),
	getCurrentViewFilter = outside("getCurrentViewFilter", {}, function()
		return kernel.host.view_filter()
	end),
	setViewFilter = outside("setViewFilter", { "table" }, function(filter)
		Strict.options("LrCatalog:setViewFilter", filter, VIEW_FILTER)
		return kernel.host.set_view_filter(filter)
	end),
	getChildCollections = children("getChildCollections", "collections"),
	getChildCollectionSets = children("getChildCollectionSets", "sets"),
	getCollectionByLocalIdentifier = outside("getCollectionByLocalIdentifier", { "number" }, function(id)
		return kernel.collection(kernel.host.find_collection(id))
	end),
	getPropertyForPlugin = {
		{ "LrPlugin|string", "string" },
		function(_, _, field)
			kernel.trip("LrCatalog:getPropertyForPlugin")
			return kernel.host.get_property(field)
		end,
	},
	setPropertyForPlugin = {
		{ "LrPlugin", "string", "string|number|boolean|nil" },
		function(_, _, field, value)
			kernel.needGate("LrCatalog:setPropertyForPlugin", "write", "private write")
			kernel.trip("LrCatalog:setPropertyForPlugin")
			kernel.host.set_property(field, value)
		end,
	},
	withWriteAccessDo = {
		{ "string", "function", "table|nil" },
		function(_, name, func, timeout)
			return withGate("LrCatalog:withWriteAccessDo", "write", name, func, timeout)
		end,
	},
	withPrivateWriteAccessDo = {
		{ "function", "table|nil" },
		function(_, func, timeout)
			return withGate("LrCatalog:withPrivateWriteAccessDo", "private write", nil, func, timeout)
		end,
	},
}

local function constant(value)
	return function()
		return value
	end
end

local fields = {
	hasWriteAccess = function()
		return kernel.current ~= nil and kernel.current.gate ~= nil
	end,
}
for name in pairs(CONSTANTS) do
	fields[name] = constant(name)
end

kernel.catalog = Strict.class("LrCatalog", methods, fields)({})

kernel.sdk.LrApplication = Strict.namespace("LrApplication", {
	activeCatalog = {
		{},
		function()
			return kernel.catalog
		end,
	},
	versionString = {
		{},
		function()
			return "14.1"
		end,
	},
	developPresetFolders = kernel.presetsOfApplication.developPresetFolders,
	developPresetByUuid = kernel.presetsOfApplication.developPresetByUuid,
})

local MODULES = { library = true, develop = true, map = true, book = true, slideshow = true, print = true, web = true }
local VIEWS = {
	loupe = true,
	grid = true,
	compare = true,
	survey = true,
	people = true,
	develop_loupe = true,
}

kernel.sdk.LrApplicationView = Strict.namespace("LrApplicationView", {
	getCurrentModuleName = {
		{},
		function()
			return kernel.host.current_module()
		end,
	},
	switchToModule = {
		{ "string" },
		function(name)
			if not MODULES[name] then
				error("LrApplicationView.switchToModule: no module '" .. name .. "'", 3)
			end
			kernel.host.show_module(name)
		end,
	},
	showView = {
		{ "string" },
		function(name)
			if not VIEWS[name] then
				error("LrApplicationView.showView: no view '" .. name .. "'", 3)
			end
			kernel.host.show_view(name)
		end,
	},
})
