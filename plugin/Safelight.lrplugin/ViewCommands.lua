--[[
Commands that change what Lightroom shows and selects, and nothing in the catalog.
]]

local LrApplicationView = import("LrApplicationView")
local LrTasks = import("LrTasks")

local Failure = require("Failure")
local Photos = require("Photos")
local View = require("View")

local ViewCommands = {}

local SETTLE_TRIES = 10
local SETTLE_SECONDS = 0.05

local function countSelected(catalog, photos)
	local selected = {}
	for _, photo in ipairs(View.selected(catalog)) do
		selected[photo] = true
	end
	local count = 0
	for _, photo in ipairs(photos) do
		if selected[photo] then
			count = count + 1
		end
	end
	return count
end

-- selects the photos and tells how many of them are selected then; Lightroom may take a moment
local function select(catalog, photos)
	catalog:setSelectedPhotos(photos[1], photos)
	local count = countSelected(catalog, photos)
	for _ = 1, SETTLE_TRIES do
		if count == #photos then
			break
		end
		LrTasks.sleep(SETTLE_SECONDS)
		count = countSelected(catalog, photos)
	end
	return count
end

function ViewCommands.show_photos(catalog, arguments)
	local photos, _, missing = Photos.find(catalog, arguments.photo_ids)
	if #photos == 0 then
		return nil, Failure.new("PHOTO_NOT_FOUND")
	end
	LrApplicationView.switchToModule("library")
	LrApplicationView.showView("grid")
	local shown = select(catalog, photos)
	if shown < #photos then
		-- some are not among what is shown now; the photographer's view is left alone where it can be
		View.showEverything(catalog)
		shown = select(catalog, photos)
	end
	return { shown = shown, missing = missing }
end

return ViewCommands
