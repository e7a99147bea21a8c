--[[
New values for photos, well formed by the contract: is each photo named once, set them (inside a gate), and did they
take (from the photo's record as read back).
]]

local LrTasks = import("LrTasks")

local PhotoChanges = {}

-- nil when each change names another photo
function PhotoChanges.problem(changes)
	local named = {}
	for _, change in ipairs(changes) do
		if named[change.photo_id] then
			return "the photo " .. change.photo_id .. " is named twice"
		end
		named[change.photo_id] = true
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

local SETTERS = {
	{ "rating", setRating },
	{
		"title",
		function(photo, title)
			photo:setRawMetadata("title", title)
		end,
	},
	{
		"caption",
		function(photo, caption)
			photo:setRawMetadata("caption", caption)
		end,
	},
}

-- nil, or what Lightroom said when it refused one of the values; a refusal must not end the gate for the others
function PhotoChanges.apply(photo, change)
	for _, setter in ipairs(SETTERS) do
		local field, set = setter[1], setter[2]
		if change[field] ~= nil then
			local isSet, message = LrTasks.pcall(set, photo, change[field])
			if not isSet then
				return field .. ": " .. tostring(message)
			end
		end
	end
	return nil
end

local function trimmed(text)
	return string.match(text or "", "^%s*(.-)%s*$")
end

-- nil when the record reads as the change wanted it
function PhotoChanges.difference(change, record)
	if change.rating ~= nil and change.rating ~= record.rating then
		return "the rating reads " .. tostring(record.rating) .. " after the write"
	end
	for _, field in ipairs({ "title", "caption" }) do
		-- Lightroom may cut space at the ends
		if change[field] ~= nil and trimmed(change[field]) ~= trimmed(record[field]) then
			return "the " .. field .. " reads otherwise after the write"
		end
	end
	return nil
end

return PhotoChanges
