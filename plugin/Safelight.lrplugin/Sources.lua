--[[
The photos of what the Library can show: all photos, collections, collection sets and folders.
]]

local Sources = {}

local function addPhotos(photos, taken, more)
	for _, photo in ipairs(more) do
		if not taken[photo] then
			taken[photo] = true
			photos[#photos + 1] = photo
		end
	end
end

-- Adds the photos of a source to photos, each that is not in taken yet. False when the source is one whose photos the
-- SDK does not give (the quick collection, the last import, ...).
function Sources.add(catalog, source, photos, taken)
	if source == catalog.kAllPhotos then
		addPhotos(photos, taken, catalog:getAllPhotos())
		return true
	elseif type(source) == "string" then
		return false
	end
	local kind = source:type()
	if kind == "LrFolder" then
		addPhotos(photos, taken, source:getPhotos(true))
	elseif kind == "LrCollectionSet" then
		for _, child in ipairs(source:getChildren()) do
			Sources.add(catalog, child, photos, taken)
		end
	elseif kind == "LrCollection" or kind == "LrPublishedCollection" then
		addPhotos(photos, taken, source:getPhotos())
	else
		return false
	end
	return true
end

return Sources
