--[[
Do a command's arguments fit the contract? The checks run from the contract's own table, so that they cannot differ
from it.
]]

local Json = require("Json")

local Arguments = {}

-- code points, as the contract counts them
local function length(text)
	local _, continuations = string.gsub(text, "[\128-\191]", "")
	return #text - continuations
end

local function isOutside(size, least, most)
	return (least and size < least) or (most and size > most)
end

local function isOneOf(value, choices)
	for _, choice in ipairs(choices) do
		if value == choice then
			return true
		end
	end
	return false
end

local CHECKS = {
	string = function(value, spec)
		if type(value) ~= "string" then
			return "must be a text"
		elseif spec.enum and not isOneOf(value, spec.enum) then
			return "must be one of " .. table.concat(spec.enum, ", ")
		elseif isOutside(length(value), spec.minLength, spec.maxLength) then
			return "is too short or too long"
		end
	end,
	integer = function(value, spec)
		if type(value) ~= "number" or value ~= math.floor(value) then
			return "must be a whole number"
		elseif isOutside(value, spec.minimum, spec.maximum) then
			return "is out of range"
		end
	end,
	number = function(value, spec)
		if type(value) ~= "number" then
			return "must be a number"
		elseif isOutside(value, spec.minimum, spec.maximum) then
			return "is out of range"
		end
	end,
	boolean = function(value)
		if type(value) ~= "boolean" then
			return "must be true or false"
		end
	end,
	array = function(value, spec)
		if not Json.isArray(value) then
			return "must be a list"
		elseif isOutside(#value, spec.minItems, spec.maxItems) then
			return "has too few or too many elements"
		end
	end,
	object = function(value)
		if not Json.isObject(value) then
			return "must be an object"
		end
	end,
}

local problemOfFields

-- nil when the value and all that it holds fit, or a sentence that names the place of the first that does not
local function problemOf(place, value, spec)
	local problem = CHECKS[spec.type](value, spec)
	if problem then
		return place .. " " .. problem
	elseif spec.properties then
		return problemOfFields(place .. ".", value, spec.properties)
	elseif spec.type == "array" then
		for index, item in ipairs(value) do
			problem = problemOf(place .. "[" .. index .. "]", item, spec.items)
			if problem then
				return problem
			end
		end
	end
	return nil
end

problemOfFields = function(prefix, object, specs)
	local known = {}
	for _, spec in ipairs(specs) do
		local value = object[spec.name]
		known[spec.name] = true
		if value == nil and spec.required then
			return prefix .. spec.name .. " is missing"
		end
		local problem = value ~= nil and problemOf(prefix .. spec.name, value, spec)
		if problem then
			return problem
		end
	end
	for name in pairs(object) do
		if not known[name] then
			return prefix .. tostring(name) .. " is not an argument of this command"
		end
	end
	return nil
end

-- nil when all arguments fit, or a sentence that names the first one that does not; elements count from 1
function Arguments.check(arguments, specs)
	if not Json.isObject(arguments) then
		return "the arguments must be an object"
	end
	return problemOfFields("", arguments, specs)
end

return Arguments
