--[[
Collections, smart collections and collection sets: finding and describing them. All of it are trips into the catalog
and belongs outside of gates.
]]

local LrTasks = import("LrTasks")

local Json = require("Json")

local Collections = {}

-- the collection or the set with this id, or nil
function Collections.withId(catalog, id)
	if not string.match(id, "^%d+$") then
		return nil
	end
	return catalog:getCollectionByLocalIdentifier(tonumber(id))
end

function Collections.isSet(collection)
	return collection:type() == "LrCollectionSet"
end

-- parent is the catalog or a set, which list their children the same way; the child may be a collection or a set
function Collections.childNamed(parent, name)
	for _, children in ipairs({ parent:getChildCollections(), parent:getChildCollectionSets() }) do
		for _, child in ipairs(children) do
			if child:getName() == name then
				return child
			end
		end
	end
	return nil
end

local function kind(collection)
	if Collections.isSet(collection) then
		return "set"
	end
	return collection:isSmartCollection() and "smart" or "collection"
end

-- as the contract has it; path: the names of the sets above it, from the top
function Collections.record(collection, path)
	return {
		collection_id = tostring(collection.localIdentifier),
		name = collection:getName(),
		path = Json.array(path),
		kind = kind(collection),
	}
end

local function below(path, name)
	local longer = { unpack(path) }
	longer[#longer + 1] = name
	return longer
end

-- Calls visit(collection, path) for all collections and sets in parent, a set before what is in it. False when the
-- deadline came first.
function Collections.walk(parent, deadline, visit, path)
	path = path or {}
	if deadline.isOver() then
		return false
	end
	for _, collection in ipairs(parent:getChildCollections()) do
		visit(collection, path)
	end
	for _, set in ipairs(parent:getChildCollectionSets()) do
		visit(set, path)
		LrTasks.yield()
		if not Collections.walk(set, deadline, visit, below(path, set:getName())) then
			return false
		end
	end
	return true
end

return Collections
