--[[
Ids: the catalog's own, which is stored in the catalog so that it survives moving and renaming, and random ones.
]]

local LrDate = import("LrDate")
local LrMD5 = import("LrMD5")

local Gate = require("Gate")

local Identity = {}

local CATALOG_ID = "catalogId"

local counter = 0

-- The clock, the addresses of fresh tables and a counter: Lightroom offers no source of randomness of its own.
function Identity.random(salt)
	counter = counter + 1
	local seeds = { salt or "", LrDate.currentTime(), tostring({}), tostring({}), math.random(), counter }
	for index, seed in ipairs(seeds) do
		seeds[index] = tostring(seed)
	end
	return LrMD5.digest(table.concat(seeds, "|"))
end

-- the id, or nil and a failure when it could not be stored yet
function Identity.ofCatalog(catalog)
	local id = catalog:getPropertyForPlugin(_PLUGIN, CATALOG_ID)
	if type(id) == "string" and id ~= "" then
		return id
	end
	id = Identity.random(catalog:getPath())
	local stored, failure = Gate.writePrivate(catalog, function()
		catalog:setPropertyForPlugin(_PLUGIN, CATALOG_ID, id)
	end)
	if not stored then
		return nil, failure
	end
	return id
end

return Identity
