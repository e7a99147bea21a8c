--[[
The plug-in's log file (LrClassicLogs/Safelight.log). Tokens never go in here.
]]

local LrLogger = import("LrLogger")

local logger = LrLogger("Safelight")
logger:enable("logfile")

return logger
