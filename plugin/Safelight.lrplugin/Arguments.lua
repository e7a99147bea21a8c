--[[
Do a command's arguments fit the contract? The checks run from the contract's own table, so that they cannot differ
from it.
]]

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

-- what a list of ids holds, where the contract's table does not say it
local A_TEXT = { type = "string" }

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
		if type(value) ~= "table" then
			return "must be a list"
		elseif isOutside(#value, spec.minItems, spec.maxItems) then
			return "has too few or too many elements"
		end
		local items = spec.items or (string.find(spec.name, "_ids$") and A_TEXT)
		for _, item in ipairs(value) do
			local problem = items and Arguments.problem(item, items)
			if problem then
				return "holds an element that " .. problem
			end
		end
	end,
	object = function(value)
		if type(value) ~= "table" then
			return "must be an object"
		end
	end,
}

-- nil when the value fits its description
function Arguments.problem(value, spec)
	local check = CHECKS[spec.type]
	return check and check(value, spec)
end

-- nil when all arguments fit, or a sentence that names the first one that does not
function Arguments.check(arguments, specs)
	local known = {}
	for _, spec in ipairs(specs) do
		local value = arguments[spec.name]
		known[spec.name] = true
		if value == nil and spec.required then
			return spec.name .. " is missing"
		end
		local problem = value ~= nil and Arguments.problem(value, spec)
		if problem then
			return spec.name .. " " .. problem
		end
	end
	for name in pairs(arguments) do
		if not known[name] then
			return tostring(name) .. " is not an argument of this command"
		end
	end
	return nil
end

return Arguments
