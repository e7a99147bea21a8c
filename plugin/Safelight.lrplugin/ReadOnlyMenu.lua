--[[
Library > Plug-in Extras > Turn Read-Only Mode On or Off: while it is on, no command changes anything in Lightroom.
]]

local LrDialogs = import("LrDialogs")

local Settings = require("Settings")

local on = not Settings.isReadOnly()
Settings.setReadOnly(on)
if on then
	LrDialogs.showBezel(LOC("$$$/Safelight/ReadOnly/On=Safelight: read-only mode is on"))
else
	LrDialogs.showBezel(LOC("$$$/Safelight/ReadOnly/Off=Safelight: read-only mode is off"))
end
