--[[
Borrowing the selection: some calls of the SDK work on what is selected and on nothing else. What the photographer had
selected and was looking at is put back afterwards.
]]

local LrSelection = import("LrSelection")
local LrTasks = import("LrTasks")

local Log = require("Log")
local View = require("View")

local Selection = {}

local SETTLE_TRIES = 20
local SETTLE_SECONDS = 0.05

-- what to hand to Selection.restore
function Selection.remember(catalog)
	return {
		active = catalog:getTargetPhoto(),
		selected = View.selected(catalog),
		sources = catalog:getActiveSources(),
		filter = catalog:getCurrentViewFilter(),
		isViewChanged = false,
	}
end

local function isAlone(catalog, uuid)
	local active = catalog:getTargetPhoto()
	return active ~= nil and active:getRawMetadata("uuid") == uuid and #catalog:getTargetPhotos() == 1
end

local function select(catalog, photo, uuid)
	catalog:setSelectedPhotos(photo, {})
	for _ = 1, SETTLE_TRIES do
		if isAlone(catalog, uuid) then
			return true
		end
		LrTasks.sleep(SETTLE_SECONDS)
	end
	return false
end

-- Whether the photo with that uuid is now active and the only one selected. A photo that is not seen cannot be
-- selected: then everything is shown.
function Selection.narrow(catalog, photo, uuid, remembered)
	if select(catalog, photo, uuid) then
		return true
	end
	remembered.isViewChanged = true
	View.showEverything(catalog)
	return select(catalog, photo, uuid)
end

local function try(what, action)
	local done, message = LrTasks.pcall(action)
	if not done then
		Log:warn("could not put back " .. what .. ": " .. tostring(message))
	end
end

-- never throws; each part is put back as far as Lightroom lets it
function Selection.restore(catalog, remembered)
	if remembered.isViewChanged then
		try("the sources", function()
			View.showSources(catalog, remembered.sources)
		end)
		try("the filter", function()
			if remembered.filter then
				catalog:setViewFilter(remembered.filter)
			end
		end)
	end
	try("the selection", function()
		if remembered.active then
			catalog:setSelectedPhotos(remembered.active, remembered.selected)
		else
			LrSelection.selectNone()
		end
	end)
end

return Selection
