--[[
Photos by their uuid, and what is known about them. All reading is done in batches: each call is a trip into the
catalog.
]]

local LrTasks = import("LrTasks")

local Json = require("Json")

local Photos = {}

local READ_CHUNK = 200

local RAW_KEYS = {
	"uuid",
	"path",
	"rating",
	"pickStatus",
	"colorNameForLabel",
	"dateTimeOriginalISO8601",
	"isoSpeedRating",
	"width",
	"height",
	"fileFormat",
	"isVirtualCopy",
	"lastEditTime",
}
local FORMATTED_KEYS = {
	"fileName",
	"title",
	"caption",
	"label",
	"keywordTags",
	"city",
	"country",
	"cameraModel",
	"lens",
}
local FLAGS = { [1] = "pick", [0] = "none", [-1] = "reject" }
local LABEL_COLORS = { red = true, yellow = true, green = true, blue = true, purple = true }

-- Calls handle(first, last) for each run of at most size elements of a list of that length. handle may return false
-- to stop.
function Photos.chunks(count, size, handle)
	for first = 1, count, size do
		if handle(first, math.min(first + size - 1, count)) == false then
			return
		end
		LrTasks.yield()
	end
end

-- Photos for the ids that the catalog knows, in order and each once; then the ids that it does not know.
function Photos.find(catalog, ids)
	local photos, found, missing, taken = {}, {}, Json.array({}), {}
	for _, id in ipairs(ids) do
		if not taken[id] then
			taken[id] = true
			local photo = catalog:findPhotoByUuid(id)
			if photo then
				photos[#photos + 1] = photo
				found[#found + 1] = id
			else
				missing[#missing + 1] = id
			end
		end
	end
	return photos, found, missing
end

-- the uuids of photos[first..last]
function Photos.ids(catalog, photos, first, last)
	local ids = Json.array({})
	Photos.chunks(last - first + 1, READ_CHUNK, function(from, to)
		local part = {}
		for index = from, to do
			part[#part + 1] = photos[first + index - 1]
		end
		local raw = catalog:batchGetRawMetadata(part, { "uuid" })
		for _, photo in ipairs(part) do
			ids[#ids + 1] = raw[photo].uuid
		end
	end)
	return ids
end

local function textOrNil(value)
	if type(value) == "string" and value ~= "" then
		return value
	end
	return nil
end

-- neither infinite nor not-a-number, which JSON cannot hold
local function finiteOrNil(value)
	if type(value) == "number" and value - value == 0 then
		return value
	end
	return nil
end

local function wholeOrNil(value)
	value = finiteOrNil(value)
	return value and math.floor(value + 0.5)
end

-- Lightroom shows keywords as one text; none of them can hold a comma
local function keywords(text)
	local names = Json.array({})
	for name in string.gmatch(text or "", "[^,]+") do
		name = string.match(name, "^%s*(.-)%s*$")
		if name ~= "" then
			names[#names + 1] = name
		end
	end
	return names
end

-- the colour's name; a label without one of the five colours is called as the photographer calls it
local function label(raw, formatted)
	if LABEL_COLORS[raw.colorNameForLabel] then
		return raw.colorNameForLabel
	end
	return textOrNil(formatted.label)
end

local function record(raw, formatted)
	return {
		photo_id = raw.uuid,
		file_name = formatted.fileName or "",
		path = textOrNil(raw.path),
		title = textOrNil(formatted.title),
		caption = textOrNil(formatted.caption),
		rating = raw.rating or 0,
		flag = FLAGS[raw.pickStatus] or "none",
		label = label(raw, formatted),
		captured = textOrNil(raw.dateTimeOriginalISO8601),
		keywords = keywords(formatted.keywordTags),
		city = textOrNil(formatted.city),
		country = textOrNil(formatted.country),
		camera = textOrNil(formatted.cameraModel),
		lens = textOrNil(formatted.lens),
		iso = wholeOrNil(raw.isoSpeedRating),
		width = wholeOrNil(raw.width),
		height = wholeOrNil(raw.height),
		file_format = textOrNil(raw.fileFormat),
		virtual_copy = raw.isVirtualCopy == true,
		edited = finiteOrNil(raw.lastEditTime),
	}
end

-- records of all photos, in order; or nil when the deadline, if there is one, came first
function Photos.records(catalog, photos, deadline)
	local records = Json.array({})
	local isLate = false
	Photos.chunks(#photos, READ_CHUNK, function(first, last)
		isLate = deadline ~= nil and deadline.isOver()
		if isLate then
			return false
		end
		local part = {}
		for index = first, last do
			part[#part + 1] = photos[index]
		end
		local raw = catalog:batchGetRawMetadata(part, RAW_KEYS)
		local formatted = catalog:batchGetFormattedMetadata(part, FORMATTED_KEYS)
		for _, photo in ipairs(part) do
			records[#records + 1] = record(raw[photo], formatted[photo])
		end
	end)
	if isLate then
		return nil
	end
	return records
end

return Photos
