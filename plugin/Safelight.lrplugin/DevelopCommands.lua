--[[
Commands about develop settings and presets.
]]

local LrApplication = import("LrApplication")
local LrTasks = import("LrTasks")

local DevelopDefaults = require("DevelopDefaults")
local DevelopSettings = require("DevelopSettings")
local DevelopWrites = require("DevelopWrites")
local Failure = require("Failure")
local Json = require("Json")
local PhotoWrites = require("PhotoWrites")
local Photos = require("Photos")
local Settle = require("Settle")

local DevelopCommands = {}

-- Auto needs about a second a photo, longer where Lightroom has to load it first
local AUTO_SECONDS = 10
-- while Auto is under way, tones read as a number far below every slider
local PENDING_BELOW = -1000
local TONES = {
	"Exposure2012",
	"Contrast2012",
	"Highlights2012",
	"Shadows2012",
	"Whites2012",
	"Blacks2012",
	"Vibrance",
	"Saturation",
}

function DevelopCommands.read_develop(catalog, arguments)
	local photos, found, missing = Photos.find(catalog, arguments.photo_ids)
	local raw = catalog:batchGetRawMetadata(photos, { "fileFormat" })
	local records = Json.array({})
	for index, photo in ipairs(photos) do
		local settings = DevelopSettings.read(photo)
		local isRaw = DevelopSettings.isRaw(raw[photo].fileFormat, settings)
		records[index] = { photo_id = found[index], raw = isRaw, settings = settings }
	end
	return { photos = records, missing = missing }
end

-- for plans that are settings
local function isTaken(entry)
	return #DevelopSettings.kept(entry.plan, entry.now) == 0
end

local function difference(entry)
	return DevelopSettings.difference(entry.plan, entry.now)
end

local function applySettings(undoName)
	return function(photo, settings)
		photo:applyDevelopSettings(settings, undoName)
	end
end

function DevelopCommands.write_develop(catalog, arguments, deadline)
	local ids, changeOf = PhotoWrites.changesById(arguments.changes)
	if not ids then
		return nil, Failure.new("BAD_ARGUMENTS", changeOf)
	end
	for _, change in ipairs(arguments.changes) do
		local problem = DevelopSettings.problem(change.settings)
		if problem then
			return nil, Failure.new("BAD_ARGUMENTS", problem)
		end
	end
	return DevelopWrites.run(catalog, ids, arguments.undo_name, deadline, {
		plan = function(entry)
			return changeOf[entry.id].settings
		end,
		apply = applySettings(arguments.undo_name),
		isSettled = isTaken,
		problem = difference,
	})
end

function DevelopCommands.reset_develop(catalog, arguments, deadline)
	return DevelopWrites.run(catalog, arguments.photo_ids, arguments.undo_name, deadline, {
		plan = function(entry)
			return DevelopDefaults.changes(entry.before, entry.isRaw)
		end,
		apply = applySettings(arguments.undo_name),
		isSettled = isTaken,
		problem = difference,
	})
end

local function isPending(settings)
	for _, name in ipairs(TONES) do
		if type(settings[name]) == "number" and settings[name] < PENDING_BELOW then
			return true
		end
	end
	return false
end

local function hasChanged(entry)
	return #DevelopSettings.kept(entry.now, entry.before) > 0
end

--[[
Auto as a setting of its own works on any photo, active or not; LrDevelopController.setAutoTone works on the active one
only, and the quickDevelop calls have changed the active photo instead of the one that they were called on. The third
argument asks Lightroom to work the tones out at once; it may still take its time. Tones that stay as they were are no
fault: Auto may find what is set already.
]]
function DevelopCommands.auto_tone(catalog, arguments, deadline)
	return DevelopWrites.run(catalog, arguments.photo_ids, arguments.undo_name, deadline, {
		plan = function()
			return { AutoTone = true }
		end,
		apply = function(photo, settings)
			photo:applyDevelopSettings(settings, arguments.undo_name, true)
		end,
		isSettled = function(entry)
			return hasChanged(entry) and not isPending(entry.now)
		end,
		patience = function(entry)
			return entry.now and isPending(entry.now) and AUTO_SECONDS or Settle.SECONDS
		end,
		problem = function(entry)
			if isPending(entry.now) then
				return "Lightroom is still working out the tones; read the settings again in a while", "TIMEOUT"
			end
		end,
	})
end

function DevelopCommands.list_presets()
	local presets = Json.array({})
	for _, folder in ipairs(LrApplication.developPresetFolders()) do
		local name = folder:getName()
		for _, preset in ipairs(folder:getDevelopPresets()) do
			presets[#presets + 1] = { preset_id = preset:getUuid(), name = preset:getName(), folder = name }
		end
		LrTasks.yield()
	end
	return { presets = presets }
end

-- what the preset sets of the settings that the photo has
local function shared(settings, before)
	local both = {}
	for name, value in pairs(settings) do
		if before[name] ~= nil then
			both[name] = value
		end
	end
	return both
end

-- A preset may set what the SDK names otherwise or not at all, so it has been applied when the photo reads as the
-- preset says, or at least otherwise than before.
function DevelopCommands.apply_preset(catalog, arguments, deadline)
	local preset = LrApplication.developPresetByUuid(arguments.preset_id)
	if not preset then
		return nil, Failure.new("PRESET_NOT_FOUND")
	end
	local settings = preset:getSetting() or {}
	local function isAsTold(entry)
		return next(entry.plan) ~= nil and isTaken(entry)
	end
	return DevelopWrites.run(catalog, arguments.photo_ids, arguments.undo_name, deadline, {
		plan = function(entry)
			return shared(settings, entry.before)
		end,
		apply = function(photo)
			photo:applyDevelopPreset(preset)
		end,
		isSettled = isAsTold,
		problem = function(entry)
			if not isAsTold(entry) and not hasChanged(entry) then
				return "Lightroom left the develop settings as they were"
			end
		end,
	})
end

return DevelopCommands
