--[[
How the connection to the service stands, in words.
]]

local Bridge = require("Bridge")

local StatusWords = {}

local WORDS = {
	connected = LOC("$$$/Safelight/Status/Connected=Connected to the Safelight service."),
	away = LOC("$$$/Safelight/Status/Away=The Safelight service is not running."),
	off = LOC("$$$/Safelight/Status/Off=The bridge is off."),
	superseded = LOC(
		"$$$/Safelight/Status/Superseded=Safelight works with another Lightroom now. Open the chat here to come back."
	),
}
local SHORT_POLLS =
	LOC("$$$/Safelight/Status/ShortPolls=Something on this computer ends long requests, so short ones are used.")

function StatusWords.now()
	local status = Bridge.status()
	local words = WORDS[status] or status
	if status == "connected" and Bridge.hasShortPolls() then
		words = words .. " " .. SHORT_POLLS
	end
	return words
end

return StatusWords
