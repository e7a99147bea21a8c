--[[
LrKeyword, and what the catalog and photos do with keywords. One object per keyword, as in Lightroom.
]]

local kernel = ...
local Strict = kernel.Strict

local function read(name, hostCall, make)
	local call = "LrKeyword:" .. name
	return {
		{},
		function(self)
			kernel.trip(call)
			local value = Strict.host(hostCall, Strict.readable(self, call))
			if make then
				return make(value)
			end
			return value
		end,
	}
end

-- a read that may go over much of the catalog, which holds up everybody where it is done in a gate
local function readList(name, hostCall, make)
	local call = "LrKeyword:" .. name
	return {
		{},
		function(self)
			local id = Strict.readable(self, call)
			kernel.refuseInGate(call)
			kernel.trip(call)
			return make(Strict.host(hostCall, id))
		end,
	}
end

local newKeyword = Strict.class("LrKeyword", {
	getName = read("getName", "keyword_name"),
	getSynonyms = read("getSynonyms", "keyword_synonyms"),
	getAttributes = read("getAttributes", "keyword_attributes"),
	getParent = read("getParent", "keyword_parent", function(id)
		return kernel.keyword(id)
	end),
	getChildren = readList("getChildren", "keyword_children", function(ids)
		return kernel.keywordList(ids)
	end),
	getPhotos = readList("getPhotos", "keyword_photos", function(ids)
		return kernel.photoList(ids)
	end),
}, {
	catalog = function()
		return kernel.catalog
	end,
	localIdentifier = function(self)
		return Strict.readable(self, "localIdentifier")
	end,
})

local keywords = {}

-- born: the gate in which the keyword is being made, if it is
function kernel.keyword(id, born)
	if id == nil then
		return nil
	end
	local keyword = keywords[id]
	if not keyword then
		keyword = newKeyword({ id = id, born = born })
		keywords[id] = keyword
	end
	return keyword
end

function kernel.keywordList(ids)
	local list = {}
	for index, id in ipairs(ids) do
		list[index] = kernel.keyword(id)
	end
	return list
end

-- In one gate Lightroom does not find what createKeyword has just made there, and fails or makes it a second time.
local function noteMade(gate, place)
	gate.made = gate.made or {}
	if gate.made[place] then
		error("LrCatalog:createKeyword was called twice for one keyword in one write gate", 4)
	end
	gate.made[place] = true
end

local function createKeyword(_, name, synonyms, includeOnExport, parent, returnExisting)
	local call = "LrCatalog:createKeyword"
	local gate = kernel.needGate(call, "write")
	Strict.list(call, 2, synonyms, "string")
	local parentId = parent and Strict.readable(parent, call)
	kernel.trip(call)
	noteMade(gate, Strict.host("keyword_place", name, parentId))
	local id, isNew = kernel.host.create_keyword(name, synonyms, includeOnExport == true, parentId)
	if not isNew and not returnExisting then
		return false
	end
	return kernel.keyword(id, isNew and gate or nil)
end

Strict.extend("LrCatalog", {
	getKeywords = {
		{},
		function()
			local call = "LrCatalog:getKeywords"
			kernel.refuseInGate(call)
			kernel.trip(call)
			return kernel.keywordList(Strict.host("keyword_children", nil))
		end,
	},
	getKeywordsByLocalId = {
		{ "table" },
		function(_, ids)
			local call = "LrCatalog:getKeywordsByLocalId"
			Strict.list(call, 1, ids, "number")
			kernel.refuseInGate(call)
			kernel.trip(call)
			return kernel.keywordList(kernel.host.keywords_with_ids(ids))
		end,
	},
	createKeyword = { { "string", "table", "boolean|nil", "LrKeyword|nil", "boolean|nil" }, createKeyword },
})

local function edit(name, hostCall)
	local call = "LrPhoto:" .. name
	return {
		{ "LrKeyword" },
		function(self, keyword)
			kernel.needGate(call, "write")
			local id = Strict.readable(keyword, call)
			kernel.trip(call)
			Strict.host(hostCall, Strict.hidden(self).id, id)
		end,
	}
end

Strict.extend("LrPhoto", {
	addKeyword = edit("addKeyword", "add_keyword"),
	removeKeyword = edit("removeKeyword", "remove_keyword"),
})
