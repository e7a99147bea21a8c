--[[
What all doubles are built from: namespaces and classes whose every unknown name throws, and calls whose arguments are
checked. A double may refuse more than Lightroom does, never less.
]]

local kernel = ...

local Strict = {}
kernel.Strict = Strict

-- class of every SDK object, and what is known about it behind its back
local classOf = setmetatable({}, { __mode = "k" })
local hidden = setmetatable({}, { __mode = "k" })

function Strict.kind(value)
	return value ~= nil and classOf[value] or type(value)
end

function Strict.hidden(object)
	return hidden[object]
end

local function accepts(kinds, value)
	local kind = Strict.kind(value)
	for accepted in string.gmatch(kinds, "[^|]+") do
		if accepted == kind or accepted == "any" then
			return true
		end
	end
	return false
end

-- kinds: one text per argument, with alternatives ("string|nil"); an argument too many throws as well
function Strict.arguments(call, kinds, ...)
	local count = select("#", ...)
	if count > #kinds then
		error(call .. " takes " .. #kinds .. " arguments, got " .. count, 3)
	end
	for position = 1, #kinds do
		local value = select(position, ...)
		if not accepts(kinds[position], value) then
			local wanted = kinds[position]
			error(
				string.format(
					"bad argument #%d to %s (%s expected, got %s)",
					position,
					call,
					wanted,
					Strict.kind(value)
				),
				3
			)
		end
	end
end

-- checks that every element of a list is of one kind, and that there are no holes
function Strict.list(call, position, values, kind)
	local count = 0
	for _ in pairs(values) do
		count = count + 1
	end
	for index = 1, count do
		if Strict.kind(values[index]) ~= kind then
			local got = Strict.kind(values[index])
			error(string.format("bad argument #%d to %s (a list of %s expected, got %s)", position, call, kind, got), 3)
		end
	end
end

-- checks that a table has only the named keys, of the given kinds
function Strict.options(call, options, kinds)
	for key, value in pairs(options) do
		if not kinds[key] then
			error(call .. " knows no option '" .. tostring(key) .. "'", 3)
		elseif not accepts(kinds[key], value) then
			error(string.format("%s: option %s must be %s, got %s", call, key, kinds[key], Strict.kind(value)), 3)
		end
	end
end

local function checked(call, kinds, implementation)
	return function(...)
		Strict.arguments(call, kinds, ...)
		return implementation(...)
	end
end

local function refuseChange(name)
	return function(_, key)
		error(name .. " cannot be changed (" .. tostring(key) .. ")", 2)
	end
end

-- every name of the SDK that is simulated, by module or class; tests hold them against the SDK's own list
Strict.names = {}

local function remember(class, members, fields)
	local names = Strict.names[class] or {}
	for _, part in ipairs({ members, fields or {} }) do
		for name in pairs(part) do
			names[#names + 1] = name
		end
	end
	Strict.names[class] = names
end

-- members: name -> { kinds, function } for a function, or { value = constant }
function Strict.namespace(name, members, onCall)
	remember(name, members)
	local resolved = {}
	for key, member in pairs(members) do
		resolved[key] = member.value
		if member.value == nil then
			resolved[key] = checked(name .. "." .. key, member[1], member[2])
		end
	end
	return setmetatable({}, {
		__index = function(_, key)
			if resolved[key] == nil then
				error(name .. " has no '" .. tostring(key) .. "'", 2)
			end
			return resolved[key]
		end,
		__newindex = refuseChange(name),
		__call = onCall,
		__metatable = false,
	})
end

local function checkedMethod(call, class, kinds, implementation)
	return function(self, ...)
		if classOf[self] ~= class then
			error(call .. " must be called with ':' on a " .. class, 2)
		end
		Strict.arguments(call, kinds, ...)
		return implementation(self, ...)
	end
end

-- What other files add to a class that is made after them.
local added = {}

-- methods: as for Strict.class
function Strict.extend(class, methods)
	added[class] = added[class] or {}
	for name, member in pairs(methods) do
		added[class][name] = member
	end
end

-- Returns make(secret) -> object. methods: name -> { kinds, function(self, ...) }; fields: name -> function(self).
function Strict.class(class, methods, fields)
	for name, member in pairs(added[class] or {}) do
		methods[name] = member
	end
	remember(class, methods, fields)
	local resolved = { type = checkedMethod(class .. ":type", class, {}, function()
		return class
	end) }
	for name, member in pairs(methods) do
		resolved[name] = checkedMethod(class .. ":" .. name, class, member[1], member[2])
	end
	local metatable = {
		__index = function(self, key)
			if fields and fields[key] then
				return fields[key](self)
			elseif resolved[key] == nil then
				error(class .. " has no '" .. tostring(key) .. "'", 2)
			end
			return resolved[key]
		end,
		__newindex = refuseChange(class),
		__metatable = false,
	}
	return function(secret)
		local object = setmetatable({}, metatable)
		classOf[object] = class
		hidden[object] = secret
		return object
	end
end

-- What was made in a write gate cannot be read before the gate is closed; secret.born is that gate.
function Strict.readable(self, call)
	local secret = hidden[self]
	if secret.born and not secret.born.isClosed then
		error(call .. ": an object that was made in a write gate cannot be used before the gate is closed", 3)
	end
	return secret.id
end

-- Calls into the simulated catalog and system. They answer true and a value, or false and why Lightroom refuses.
function Strict.host(name, ...)
	local done, value = kernel.host[name](...)
	if not done then
		error(value, 3)
	end
	return value
end
