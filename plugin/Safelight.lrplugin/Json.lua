--[[
A small strict JSON codec; Lightroom's SDK has none.

Json.decode(text) -> value, or nil and a message. Arrays that were decoded stay arrays when they are encoded again.
Json.encode(value) -> text. A table is an array when it has an element 1 or was made by Json.array, an object otherwise.
Json.null stands for null. Strings that are not UTF-8 are repaired with U+FFFD when they are encoded: metadata of a
photo must never cost the answer for all others.
]]

local Utf8 = require("Utf8")

local Json = {}

local MAX_DEPTH = 64
local LARGEST_WHOLE = 2 ^ 53

Json.null = {}

-- Which tables are arrays. Weak keys, so that nothing is kept alive; no metatables, which Lightroom hides in places.
local arrays = setmetatable({}, { __mode = "k" })

function Json.array(values)
	arrays[values] = true
	return values
end

-- whether a decoded value was an array
function Json.isArray(value)
	return type(value) == "table" and arrays[value] == true
end

-- whether a decoded value was an object
function Json.isObject(value)
	return type(value) == "table" and value ~= Json.null and not arrays[value]
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r" }
ESCAPES["\t"] = "\\t"
for code = 0, 31 do
	local character = string.char(code)
	ESCAPES[character] = ESCAPES[character] or string.format("\\u%04x", code)
end

local function encodeString(text)
	return '"' .. string.gsub(Utf8.repaired(text), '[%z\1-\31\\"]', ESCAPES) .. '"'
end

local function encodeNumber(number)
	if number ~= number or number == math.huge or number == -math.huge then
		error("a number that JSON cannot hold", 0)
	end
	if number == math.floor(number) and math.abs(number) <= LARGEST_WHOLE then
		-- not %d: it goes through a C long, which has 32 bits on Windows
		return string.format("%.0f", number)
	end
	-- a system's locale may write a comma
	return (string.gsub(string.format("%.17g", number), ",", "."))
end

local encodeInto

local function encodeArray(out, values, depth)
	out[#out + 1] = "["
	for index = 1, #values do
		if index > 1 then
			out[#out + 1] = ","
		end
		encodeInto(out, values[index], depth)
	end
	out[#out + 1] = "]"
end

local function encodeObject(out, object, depth)
	out[#out + 1] = "{"
	local first = true
	for key, value in pairs(object) do
		if type(key) ~= "string" then
			error("a key of an object that is a " .. type(key), 0)
		end
		if not first then
			out[#out + 1] = ","
		end
		first = false
		out[#out + 1] = encodeString(key)
		out[#out + 1] = ":"
		encodeInto(out, value, depth)
	end
	out[#out + 1] = "}"
end

encodeInto = function(out, value, depth)
	local kind = type(value)
	if kind == "string" then
		out[#out + 1] = encodeString(value)
	elseif kind == "number" then
		out[#out + 1] = encodeNumber(value)
	elseif kind == "boolean" then
		out[#out + 1] = value and "true" or "false"
	elseif value == Json.null then
		out[#out + 1] = "null"
	elseif kind ~= "table" then
		error("a " .. kind .. " cannot be written as JSON", 0)
	elseif depth >= MAX_DEPTH then
		error("nested too deeply for JSON", 0)
	elseif arrays[value] or value[1] ~= nil then
		encodeArray(out, value, depth + 1)
	else
		encodeObject(out, value, depth + 1)
	end
end

function Json.encode(value)
	local out = {}
	encodeInto(out, value, 0)
	return table.concat(out)
end

local function fail(message, position)
	error(message .. " at byte " .. position, 0)
end

local function skipSpace(text, position)
	return string.find(text, "[^ \t\r\n]", position) or #text + 1
end

local UNESCAPES = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function hexUnit(text, position)
	local digits = string.match(text, "^%x%x%x%x", position)
	return digits and tonumber(digits, 16) or fail("a broken \\u escape", position)
end

-- position stands behind "\u"; returns the character and the position behind the escape (or pair of escapes)
local function decodeUnicodeEscape(text, position)
	local unit = hexUnit(text, position)
	position = position + 4
	if unit >= 0xDC00 and unit <= 0xDFFF then
		fail("half of a surrogate pair", position)
	end
	if unit >= 0xD800 and unit <= 0xDBFF then
		if string.sub(text, position, position + 1) ~= "\\u" then
			fail("half of a surrogate pair", position)
		end
		local low = hexUnit(text, position + 2)
		if low < 0xDC00 or low > 0xDFFF then
			fail("half of a surrogate pair", position)
		end
		unit = 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00)
		position = position + 6
	end
	return Utf8.character(unit), position
end

-- position stands behind the opening quote
local function decodeString(text, position)
	local parts = {}
	while true do
		local stop = string.find(text, '[%z\1-\31"\\]', position)
		if not stop then
			fail("a string without an end", position)
		end
		parts[#parts + 1] = string.sub(text, position, stop - 1)
		local mark = string.sub(text, stop, stop)
		if mark == '"' then
			return table.concat(parts), stop + 1
		elseif mark ~= "\\" then
			fail("a control character in a string", stop)
		end
		local escape = string.sub(text, stop + 1, stop + 1)
		if escape == "u" then
			parts[#parts + 1], position = decodeUnicodeEscape(text, stop + 2)
		else
			parts[#parts + 1] = UNESCAPES[escape] or fail("an unknown escape", stop)
			position = stop + 2
		end
	end
end

local function decodeNumber(text, position)
	local _, stop = string.find(text, "^-?[1-9]%d*", position)
	if not stop then
		_, stop = string.find(text, "^-?0", position)
	end
	if not stop then
		fail("no value", position)
	end
	local _, fraction = string.find(text, "^%.%d+", stop + 1)
	stop = fraction or stop
	local _, exponent = string.find(text, "^[eE][+-]?%d+", stop + 1)
	stop = exponent or stop
	local digits = string.sub(text, position, stop)
	-- the second form is for a locale whose decimal sign is a comma
	local number = tonumber(digits) or tonumber((string.gsub(digits, "%.", ",")))
	if number == math.huge or number == -math.huge then
		fail("a number out of range", position)
	end
	return number, stop + 1
end

local decodeValue

local function decodeArray(text, position, depth)
	local values = Json.array({})
	position = skipSpace(text, position)
	if string.sub(text, position, position) == "]" then
		return values, position + 1
	end
	while true do
		values[#values + 1], position = decodeValue(text, position, depth)
		position = skipSpace(text, position)
		local mark = string.sub(text, position, position)
		if mark == "]" then
			return values, position + 1
		elseif mark ~= "," then
			fail("no comma or end of an array", position)
		end
		position = position + 1
	end
end

local function decodeObject(text, position, depth)
	local object = {}
	position = skipSpace(text, position)
	if string.sub(text, position, position) == "}" then
		return object, position + 1
	end
	while true do
		position = skipSpace(text, position)
		if string.sub(text, position, position) ~= '"' then
			fail("no key", position)
		end
		local key
		key, position = decodeString(text, position + 1)
		position = skipSpace(text, position)
		if string.sub(text, position, position) ~= ":" then
			fail("no colon", position)
		end
		object[key], position = decodeValue(text, position + 1, depth)
		position = skipSpace(text, position)
		local mark = string.sub(text, position, position)
		if mark == "}" then
			return object, position + 1
		elseif mark ~= "," then
			fail("no comma or end of an object", position)
		end
		position = position + 1
	end
end

local WORDS = { t = { "true", true }, f = { "false", false }, n = { "null", Json.null } }

decodeValue = function(text, position, depth)
	if depth >= MAX_DEPTH then
		fail("nested too deeply", position)
	end
	position = skipSpace(text, position)
	local mark = string.sub(text, position, position)
	if mark == '"' then
		return decodeString(text, position + 1)
	elseif mark == "{" then
		return decodeObject(text, position + 1, depth + 1)
	elseif mark == "[" then
		return decodeArray(text, position + 1, depth + 1)
	end
	local word = WORDS[mark]
	if word and string.sub(text, position, position + #word[1] - 1) == word[1] then
		return word[2], position + #word[1]
	end
	return decodeNumber(text, position)
end

function Json.decode(text)
	if type(text) ~= "string" then
		return nil, "no text"
	end
	if not Utf8.isValid(text) then
		return nil, "not UTF-8"
	end
	-- nothing in here yields, so the plain pcall is right
	local decoded, value, position = pcall(decodeValue, text, 1, 0)
	if not decoded then
		return nil, value
	end
	if skipSpace(text, position) <= #text then
		return nil, "more text after the value at byte " .. position
	end
	return value
end

return Json
