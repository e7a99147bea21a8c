--[[
New values for photos, well formed by the contract: do they go together, set them (inside a gate), and did they take
(from the photo's record as read back).
]]

local LrStringUtils = import("LrStringUtils")
local LrTasks = import("LrTasks")

local PhotoChanges = {}

-- the fields that are plain texts, each with Lightroom's name for it
local TEXTS = {
	{ "title", "title" },
	{ "caption", "caption" },
	{ "headline", "headline" },
	{ "creator", "creator" },
	{ "copyright", "copyright" },
	{ "location", "location" },
	{ "city", "city" },
	{ "state", "stateProvince" },
	{ "country", "country" },
}
local PICK_STATUS = { pick = 1, none = 0, reject = -1 }
local LABEL_NAMES = { red = true, yellow = true, green = true, blue = true, purple = true, none = true }

-- Degrees. Lightroom keeps coordinates in minutes with a few decimals; this is about a metre.
local GPS_TOLERANCE = 0.00001

-- nil when the values of each change go together
function PhotoChanges.problem(changes)
	for _, change in ipairs(changes) do
		local hasPlace = change.latitude ~= nil
		if hasPlace ~= (change.longitude ~= nil) then
			return "latitude and longitude are given together or not at all"
		elseif hasPlace and change.clear_gps then
			return "a place is either given or taken away with clear_gps"
		end
	end
	return nil
end

local function setRating(photo, rating)
	if rating == 0 then
		-- Lightroom refuses 0; no rating is nil. Not "rating ~= 0 and rating or nil": said outright, it stays so.
		photo:setRawMetadata("rating", nil)
	else
		photo:setRawMetadata("rating", rating)
	end
end

local function setFlag(photo, flag)
	photo:setRawMetadata("pickStatus", PICK_STATUS[flag])
end

-- a colour by its name, which Lightroom turns into the text of its label set; anything else is a label's own text
local function setLabel(photo, label)
	if LABEL_NAMES[label] then
		photo:setRawMetadata("colorNameForLabel", label)
	else
		photo:setRawMetadata("label", label)
	end
end

local function setPlace(photo, latitude, change)
	photo:setRawMetadata("gps", { latitude = latitude, longitude = change.longitude })
end

local function clearPlace(photo, isCleared)
	if isCleared then
		photo:setRawMetadata("gps", nil)
	end
end

local SETTERS = {
	{ "rating", setRating },
	{ "flag", setFlag },
	{ "label", setLabel },
	{ "latitude", setPlace },
	{ "clear_gps", clearPlace },
}
for _, names in ipairs(TEXTS) do
	local function setText(photo, text)
		photo:setRawMetadata(names[2], text)
	end
	SETTERS[#SETTERS + 1] = { names[1], setText }
end

-- nil, or what Lightroom said when it refused one of the values; a refusal must not end the gate for the others
function PhotoChanges.apply(photo, change)
	for _, setter in ipairs(SETTERS) do
		local field, set = setter[1], setter[2]
		if change[field] ~= nil then
			local isSet, message = LrTasks.pcall(set, photo, change[field], change)
			if not isSet then
				return field .. ": " .. tostring(message)
			end
		end
	end
	return nil
end

-- Lightroom may cut space at the ends
local function trimmed(text)
	return LrStringUtils.trimWhitespace(text or "")
end

local function isOtherLabel(wanted, label)
	local text = wanted == "none" and "" or wanted
	return LrStringUtils.lower(trimmed(text)) ~= LrStringUtils.lower(trimmed(label))
end

-- half a turn west is half a turn east
local function isOtherDegree(wanted, degrees)
	if degrees == nil then
		return true
	end
	local distance = math.abs(wanted - degrees)
	return math.min(distance, 360 - distance) > GPS_TOLERANCE
end

local function isOtherPlace(change, record)
	if change.clear_gps then
		return record.latitude ~= nil or record.longitude ~= nil
	end
	return change.latitude ~= nil
		and (isOtherDegree(change.latitude, record.latitude) or isOtherDegree(change.longitude, record.longitude))
end

-- nil when the record reads as the change wanted it
function PhotoChanges.difference(change, record)
	if change.rating ~= nil and change.rating ~= record.rating then
		return "the rating reads " .. tostring(record.rating) .. " after the write"
	elseif change.flag ~= nil and change.flag ~= record.flag then
		return "the flag reads " .. record.flag .. " after the write"
	elseif change.label ~= nil and isOtherLabel(change.label, record.label) then
		return "the label reads " .. (record.label or "none") .. " after the write"
	elseif isOtherPlace(change, record) then
		return "the GPS place reads otherwise after the write"
	end
	for _, names in ipairs(TEXTS) do
		local field = names[1]
		if change[field] ~= nil and trimmed(change[field]) ~= trimmed(record[field]) then
			return "the " .. field .. " reads otherwise after the write"
		end
	end
	return nil
end

return PhotoChanges
