--[[
A photo's develop settings as they travel: Lightroom's own names and values; and whether a photo reads as it was
written.
]]

local Json = require("Json")
local Utf8 = require("Utf8")

local DevelopSettings = {}

-- masks nest, but no deeper than this
local MAX_DEPTH = 24

-- "list", "object", or nil for a table that JSON has no form for
local function form(values)
	local count, texts = 0, 0
	for key in pairs(values) do
		count = count + 1
		texts = texts + (type(key) == "string" and 1 or 0)
	end
	if texts == count then
		return "object"
	end
	for index = 1, count do
		if values[index] == nil then
			return nil
		end
	end
	return "list"
end

local held

local function heldTable(values, depth)
	local kind = depth < MAX_DEPTH and form(values)
	if not kind then
		return nil
	end
	local copy = kind == "list" and Json.array({}) or {}
	for key, value in pairs(values) do
		copy[key] = held(value, depth + 1)
		if copy[key] == nil then
			-- half a mask must never be written back
			return nil
		end
	end
	return copy
end

-- the value as JSON can hold it whole, or nil
held = function(value, depth)
	local kind = type(value)
	if kind == "table" then
		return heldTable(value, depth)
	elseif kind == "string" then
		return Utf8.repaired(value) == value and value or nil
	elseif kind == "boolean" or (kind == "number" and value - value == 0) then
		return value
	end
	return nil
end

-- All settings of the photo that JSON can hold; objects and binary texts are left out. Throws what Lightroom throws.
function DevelopSettings.read(photo)
	local settings = {}
	for name, value in pairs(photo:getDevelopSettings()) do
		settings[name] = held(value, 0)
	end
	return settings
end

-- whether white balance is in kelvin; Lightroom gives photos that are no raw files steps instead
function DevelopSettings.isRaw(fileFormat, settings)
	return (fileFormat == "RAW" or fileFormat == "DNG") and settings.IncrementalTemperature == nil
end

local function holdsNull(value)
	if value == Json.null then
		return true
	elseif type(value) == "table" then
		for _, item in pairs(value) do
			if holdsNull(item) then
				return true
			end
		end
	end
	return false
end

-- nil when Lightroom can be given these settings
function DevelopSettings.problem(settings)
	for name, value in pairs(settings) do
		if holdsNull(value) then
			return "the setting " .. name .. " holds null, which Lightroom does not have"
		end
	end
	return nil
end

-- Whether Lightroom has taken the value: it rounds numbers, and adds to tables what it knows itself.
function DevelopSettings.isTaken(wanted, now)
	if type(wanted) ~= type(now) then
		return false
	elseif type(wanted) == "number" then
		return math.abs(wanted - now) <= 0.0005 + 0.002 * math.abs(wanted)
	elseif type(wanted) ~= "table" then
		return wanted == now
	elseif #wanted ~= #now or (next(wanted) == nil) ~= (next(now) == nil) then
		return false
	end
	for key, value in pairs(wanted) do
		if not DevelopSettings.isTaken(value, now[key]) then
			return false
		end
	end
	return true
end

-- names of the settings that do not read as wanted, in order
function DevelopSettings.kept(wanted, now)
	local names = {}
	for name, value in pairs(wanted) do
		if not DevelopSettings.isTaken(value, now[name]) then
			names[#names + 1] = name
		end
	end
	table.sort(names)
	return names
end

-- tables are too long to be told
local function said(name, wanted, now)
	if type(wanted) == "table" or type(now) == "table" then
		return name
	end
	return string.format("%s at %s, not %s", name, tostring(now), tostring(wanted))
end

-- nil when all settings read as wanted
function DevelopSettings.difference(wanted, now)
	local parts = {}
	for index, name in ipairs(DevelopSettings.kept(wanted, now)) do
		parts[index] = said(name, wanted[name], now[name])
	end
	if #parts == 0 then
		return nil
	end
	return "Lightroom kept " .. table.concat(parts, "; ")
end

return DevelopSettings
