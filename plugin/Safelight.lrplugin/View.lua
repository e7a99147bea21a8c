--[[
What the photographer has selected and sees in the Library.
]]

local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Settings = require("Settings")
local Sources = require("Sources")

local View = {}

local SETTLE_TRIES = 20
local SETTLE_SECONDS = 0.05
-- the bars of the Library filter, each of which is on or off by itself: Attribute, Text, Metadata
local FILTER_BARS = { "filtersActive", "searchStringActive", "columnBrowserActive" }

-- Lightroom's own sources, which have no name that can be asked for
local OWN_SOURCES = {
	kAllPhotos = LOC("$$$/Safelight/View/All=All Photographs"),
	kPreviousImport = LOC("$$$/Safelight/View/PreviousImport=Previous Import"),
	kQuickCollectionIdentifier = LOC("$$$/Safelight/View/QuickCollection=Quick Collection"),
	kLastCatalogExport = LOC("$$$/Safelight/View/PreviousExport=Previous Export as Catalog"),
	kTemporaryImages = LOC("$$$/Safelight/View/Temporary=Temporary Photos"),
}

-- The selected photos; an empty list when none is. getTargetPhotos alone would give the whole filmstrip then.
function View.selected(catalog)
	if catalog:getTargetPhoto() == nil then
		return {}
	end
	return catalog:getTargetPhotos()
end

-- the filter, or nil when none of its bars is on
local function activeFilter(catalog)
	local filter = catalog:getCurrentViewFilter()
	for _, bar in ipairs(FILTER_BARS) do
		if filter and filter[bar] then
			return filter
		end
	end
	return nil
end

-- Lightroom shows a folder with or without what is in those below it, and does not tell which.
local function isUnsure(source)
	return type(source) ~= "string" and source:type() == "LrFolder" and #source:getChildren() > 0
end

-- all photos of the active sources, or nil where that would not be what is seen
local function ofSources(catalog)
	if activeFilter(catalog) then
		return nil
	end
	local photos, taken = {}, {}
	for _, source in ipairs(catalog:getActiveSources()) do
		if isUnsure(source) or not Sources.add(catalog, source, photos, taken) then
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

-- Shows what getActiveSources told. Lightroom's own sources, which are texts, it takes alone and not in a list.
function View.showSources(catalog, sources)
	for _, source in ipairs(sources) do
		if type(source) == "string" then
			catalog:setActiveSources(source)
			return
		end
	end
	catalog:setActiveSources(sources)
end

-- all photos of the catalog, without a filter
function View.showEverything(catalog)
	catalog:setActiveSources(catalog.kAllPhotos)
	local filter = activeFilter(catalog)
	if filter then
		for _, bar in ipairs(FILTER_BARS) do
			filter[bar] = false
		end
		catalog:setViewFilter(filter)
	end
end

local function sourceName(catalog, source)
	for constant, name in pairs(OWN_SOURCES) do
		if source == catalog[constant] then
			return name
		end
	end
	return type(source) == "string" and source or source:getName()
end

-- the names of the active sources, for people
function View.name(catalog)
	local names = {}
	for index, source in ipairs(catalog:getActiveSources()) do
		names[index] = sourceName(catalog, source)
	end
	return table.concat(names, ", ")
end

return View
