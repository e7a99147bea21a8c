--[[
What the photographer has selected and sees in the Library.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Settings = require("Settings")

local View = {}

local SETTLE_TRIES = 20
local SETTLE_SECONDS = 0.05

-- The selected photos; an empty list when none is. getTargetPhotos alone would give the whole filmstrip then.
function View.selected(catalog)
	if catalog:getTargetPhoto() == nil then
		return {}
	end
	return catalog:getTargetPhotos()
end

local function addPhotos(photos, taken, more)
	for _, photo in ipairs(more) do
		if not taken[photo] then
			taken[photo] = true
			photos[#photos + 1] = photo
		end
	end
end

-- false when the source is one whose photos the SDK does not give (the quick collection, the last import, ...)
local function addSource(catalog, source, photos, taken)
	if source == catalog.kAllPhotos then
		addPhotos(photos, taken, catalog:getAllPhotos())
		return true
	elseif type(source) == "string" then
		return false
	end
	local kind = source:type()
	if kind == "LrFolder" then
		addPhotos(photos, taken, source:getPhotos(true))
	elseif kind == "LrCollectionSet" then
		for _, child in ipairs(source:getChildren()) do
			addSource(catalog, child, photos, taken)
		end
	elseif kind == "LrCollection" or kind == "LrPublishedCollection" then
		addPhotos(photos, taken, source:getPhotos())
	else
		return false
	end
	return true
end

-- all photos of the active sources, or nil where that would not be what is seen
local function ofSources(catalog)
	local filter = catalog:getCurrentViewFilter()
	if filter and filter.filtersActive then
		return nil
	end
	local photos, taken = {}, {}
	for _, source in ipairs(catalog:getActiveSources()) do
		if not addSource(catalog, source, photos, taken) then
			return nil
		end
	end
	return photos
end

-- Selects the active photo alone for a moment: then, and only then, Lightroom tells all photos that are seen.
local function byNarrowing(catalog, selected)
	local active = catalog:getTargetPhoto()
	catalog:setSelectedPhotos(active, {})
	local photos
	local isRead, message = LrTasks.pcall(function()
		for _ = 1, SETTLE_TRIES do
			if #catalog:getTargetPhotos() == 1 then
				photos = catalog:getMultipleSelectedOrAllPhotos()
				return
			end
			LrTasks.sleep(SETTLE_SECONDS)
		end
	end)
	catalog:setSelectedPhotos(active, selected)
	if not isRead or not photos then
		return nil, Failure.new("LIGHTROOM_ERROR", message or "the photos in view could not be read")
	end
	return photos
end

-- All photos now shown in the Library, or nil and a failure. The SDK tells them directly only while at most one photo
-- is selected.
function View.shown(catalog)
	local selected = View.selected(catalog)
	if #selected <= 1 then
		return catalog:getMultipleSelectedOrAllPhotos()
	end
	local photos = ofSources(catalog)
	if photos then
		return photos
	elseif Settings.isReadOnly() then
		return nil,
			Failure.new(
				"READ_ONLY",
				"the photos in view can only be read while at most one photo is selected, "
					.. "and the read-only switch forbids to change the selection"
			)
	end
	return byNarrowing(catalog, selected)
end

-- the names of the active sources, for people
function View.name(catalog)
	local names = {}
	for _, source in ipairs(catalog:getActiveSources()) do
		if source == catalog.kAllPhotos then
			names[#names + 1] = LOC("$$$/Safelight/View/All=All Photographs")
		elseif type(source) == "string" then
			names[#names + 1] = source
		else
			names[#names + 1] = source:getName()
		end
	end
	return table.concat(names, ", ")
end

return View
