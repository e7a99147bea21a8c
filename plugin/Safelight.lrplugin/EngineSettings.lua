--[[
How the service is to run a model, as the person has typed it: numbers within the contract's bounds, or nothing.
]]

local Settings = require("Settings")

local EngineSettings = {}

EngineSettings.FIELDS = {
	{
		key = "temperature",
		name = "temperature",
		least = 0,
		most = 2,
		label = LOC("$$$/Safelight/Engine/Temperature=Temperature (0 to 2)"),
	},
	{
		key = "contextTokens",
		name = "context_tokens",
		least = 1024,
		most = 1048576,
		isWhole = true,
		label = LOC("$$$/Safelight/Engine/Context=Context in tokens"),
	},
	{
		key = "parallel",
		name = "parallel",
		least = 1,
		most = 16,
		isWhole = true,
		label = LOC("$$$/Safelight/Engine/Parallel=Photos in parallel"),
	},
}

-- the number, or nil when the text is none that fits the field
local function numberOf(field, text)
	-- decimals with a comma are at home in many countries
	local plain = string.gsub(text, ",", ".", 1)
	local number = string.find(plain, "^%d*%.?%d*$") and tonumber(plain)
	if not number or number < field.least or number > field.most or (field.isWhole and number % 1 ~= 0) then
		return nil
	end
	return number
end

-- nil, or what is wrong with the text
function EngineSettings.problem(field, text)
	if not string.find(text, "%S") or numberOf(field, (string.gsub(text, "%s", ""))) then
		return nil
	end
	return LOC(
		"$$$/Safelight/Engine/Bounds=^1: a number from ^2 to ^3, or nothing.",
		field.label,
		string.format("%d", field.least),
		string.format("%d", field.most)
	)
end

-- the contract's EngineSettings, or nil when everything is left to the service
function EngineSettings.chosen()
	local engine
	for _, field in ipairs(EngineSettings.FIELDS) do
		local text = Settings.text(field.key)
		local number = text and numberOf(field, text)
		if number then
			engine = engine or {}
			engine[field.name] = number
		end
	end
	return engine
end

return EngineSettings
