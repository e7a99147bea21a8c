--[[
Photos by their uuid, and what is known about them. All reading is done in batches: each call is a trip into the
catalog.
]]

local Chunks = require("Chunks")
local Json = require("Json")
local KeywordPaths = require("KeywordPaths")

local Photos = {}

local READ_CHUNK = 200

local RAW_KEYS = {
	"uuid",
	"path",
	"rating",
	"pickStatus",
	"colorNameForLabel",
	"dateTimeOriginalISO8601",
	"keywords",
	"gps",
	"isoSpeedRating",
	"aperture",
	"shutterSpeed",
	"focalLength",
	"width",
	"height",
	"fileFormat",
	"isVirtualCopy",
	"masterPhoto",
	"lastEditTime",
}
local FORMATTED_KEYS = {
	"fileName",
	"title",
	"caption",
	"label",
	"headline",
	"creator",
	"copyright",
	"location",
	"city",
	"stateProvince",
	"country",
	"copyName",
	"cameraModel",
	"lens",
}
local FLAGS = { [1] = "pick", [0] = "none", [-1] = "reject" }
local LABEL_COLORS = { red = true, yellow = true, green = true, blue = true, purple = true }

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

-- a keyword that Lightroom fails to name is left out
local function keywordTexts(keywords, paths)
	local texts = Json.array({})
	for _, keyword in ipairs(keywords or {}) do
		texts[#texts + 1] = paths.text(keyword)
	end
	table.sort(texts)
	return texts
end

-- the colour's name; a label without one of the five colours is called as the photographer calls it
local function label(raw, formatted)
	if LABEL_COLORS[raw.colorNameForLabel] then
		return raw.colorNameForLabel
	end
	return textOrNil(formatted.label)
end

-- masters: the uuid of each virtual copy's master, by the master's object
local function record(raw, formatted, masters, keywordPaths)
	local gps = raw.gps or {}
	local isCopy = raw.isVirtualCopy == true
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
		keywords = keywordTexts(raw.keywords, keywordPaths),
		headline = textOrNil(formatted.headline),
		creator = textOrNil(formatted.creator),
		copyright = textOrNil(formatted.copyright),
		location = textOrNil(formatted.location),
		city = textOrNil(formatted.city),
		state = textOrNil(formatted.stateProvince),
		country = textOrNil(formatted.country),
		latitude = finiteOrNil(gps.latitude),
		longitude = finiteOrNil(gps.longitude),
		camera = textOrNil(formatted.cameraModel),
		lens = textOrNil(formatted.lens),
		iso = wholeOrNil(raw.isoSpeedRating),
		aperture = finiteOrNil(raw.aperture),
		shutter = finiteOrNil(raw.shutterSpeed),
		focal_length = finiteOrNil(raw.focalLength),
		width = wholeOrNil(raw.width),
		height = wholeOrNil(raw.height),
		file_format = textOrNil(raw.fileFormat),
		virtual_copy = isCopy,
		copy_name = isCopy and textOrNil(formatted.copyName) or nil,
		master_id = isCopy and raw.masterPhoto and masters[raw.masterPhoto].uuid or nil,
		edited = finiteOrNil(raw.lastEditTime),
	}
end

local function mastersOf(catalog, raw)
	local masters, taken = {}, {}
	for _, values in pairs(raw) do
		local master = values.isVirtualCopy and values.masterPhoto
		if master and not taken[master] then
			taken[master] = true
			masters[#masters + 1] = master
		end
	end
	return #masters > 0 and catalog:batchGetRawMetadata(masters, { "uuid" }) or {}
end

-- Records of all photos, in order; or nil when the deadline, if there is one, came first. keywordPaths is a
-- KeywordPaths.reader, where a command has one already.
function Photos.records(catalog, photos, deadline, keywordPaths)
	local paths = keywordPaths or KeywordPaths.reader()
	local records = Json.array({})
	local isLate = false
	Chunks.each(#photos, READ_CHUNK, function(first, last)
		isLate = deadline ~= nil and deadline.isOver()
		if isLate then
			return false
		end
		local part = Chunks.part(photos, first, last)
		local raw = catalog:batchGetRawMetadata(part, RAW_KEYS)
		local formatted = catalog:batchGetFormattedMetadata(part, FORMATTED_KEYS)
		local masters = mastersOf(catalog, raw)
		for _, photo in ipairs(part) do
			records[#records + 1] = record(raw[photo], formatted[photo], masters, paths)
		end
	end)
	if isLate then
		return nil
	end
	return records
end

return Photos
