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

-- The selected photos; an empty list when none is. getTargetPhotos alone would give the whole filmstrip then.
function View.selected(catalog)
	if catalog:getTargetPhoto() == nil then
		return {}
	end
	return catalog:getTargetPhotos()
end

-- all photos of the active sources, or nil where that would not be what is seen
local function ofSources(catalog)
	local filter = catalog:getCurrentViewFilter()
	if filter and filter.filtersActive then
		return nil
	end
	local photos, taken = {}, {}
	for _, source in ipairs(catalog:getActiveSources()) do
		if not Sources.add(catalog, source, photos, taken) then
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

-- all photos of the catalog, without a filter
function View.showEverything(catalog)
	catalog:setActiveSources({ catalog.kAllPhotos })
	local filter = catalog:getCurrentViewFilter()
	if filter and filter.filtersActive then
		filter.filtersActive = false
		catalog:setViewFilter(filter)
	end
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
