--[[
UTF-8 over Lua's byte strings: is a string valid, the same string with every broken byte replaced by U+FFFD, and the
bytes of one code point.
]]

local Utf8 = {}

local REPLACEMENT = "\239\191\189"

-- first byte from, to; then the bounds of the second byte; length
local SEQUENCES = {
	{ 0xC2, 0xDF, 0x80, 0xBF, 2 },
	{ 0xE0, 0xE0, 0xA0, 0xBF, 3 },
	{ 0xE1, 0xEC, 0x80, 0xBF, 3 },
	{ 0xED, 0xED, 0x80, 0x9F, 3 },
	{ 0xEE, 0xEF, 0x80, 0xBF, 3 },
	{ 0xF0, 0xF0, 0x90, 0xBF, 4 },
	{ 0xF1, 0xF3, 0x80, 0xBF, 4 },
	{ 0xF4, 0xF4, 0x80, 0x8F, 4 },
}

local BY_FIRST_BYTE = {}
for _, sequence in ipairs(SEQUENCES) do
	for first = sequence[1], sequence[2] do
		BY_FIRST_BYTE[first] = sequence
	end
end

-- length of the valid sequence of several bytes at position, or nil
local function sequenceLength(text, position)
	local first, second, third, fourth = string.byte(text, position, position + 3)
	local sequence = BY_FIRST_BYTE[first]
	if not sequence or not second or second < sequence[3] or second > sequence[4] then
		return nil
	end
	local length = sequence[5]
	if length >= 3 and (not third or third < 0x80 or third > 0xBF) then
		return nil
	end
	if length == 4 and (not fourth or fourth < 0x80 or fourth > 0xBF) then
		return nil
	end
	return length
end

-- position of the first broken byte from start on, or nil
local function firstBroken(text, start)
	local position = string.find(text, "[\128-\255]", start)
	while position do
		local length = sequenceLength(text, position)
		if not length then
			return position
		end
		position = string.find(text, "[\128-\255]", position + length)
	end
	return nil
end

function Utf8.isValid(text)
	return firstBroken(text, 1) == nil
end

function Utf8.repaired(text)
	local broken = firstBroken(text, 1)
	if not broken then
		return text
	end
	local parts, start = {}, 1
	while broken do
		parts[#parts + 1] = string.sub(text, start, broken - 1)
		parts[#parts + 1] = REPLACEMENT
		start = broken + 1
		broken = firstBroken(text, start)
	end
	parts[#parts + 1] = string.sub(text, start)
	return table.concat(parts)
end

-- the bytes of a code point up to 0x10FFFF
function Utf8.character(code)
	local floor, char = math.floor, string.char
	if code < 0x80 then
		return char(code)
	elseif code < 0x800 then
		return char(0xC0 + floor(code / 0x40), 0x80 + code % 0x40)
	elseif code < 0x10000 then
		return char(0xE0 + floor(code / 0x1000), 0x80 + floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
	end
	return char(
		0xF0 + floor(code / 0x40000),
		0x80 + floor(code / 0x1000) % 0x40,
		0x80 + floor(code / 0x40) % 0x40,
		0x80 + code % 0x40
	)
end

return Utf8
