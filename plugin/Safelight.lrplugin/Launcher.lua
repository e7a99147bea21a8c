--[[
Starts the service where none runs. It goes on when Lightroom quits, and is found again by the next one. Must be called
in a task.
]]

local LrDate = import("LrDate")
local LrDialogs = import("LrDialogs")
local LrFileUtils = import("LrFileUtils")
local LrPathUtils = import("LrPathUtils")
local LrTasks = import("LrTasks")

local CommandLine = require("CommandLine")
local Log = require("Log")
local Service = require("Service")
local Settings = require("Settings")

local Launcher = {}

local START_SECONDS = 60
local LOOK_SECONDS = 0.5

local IN_TERMINAL =
	LOC("$$$/Safelight/Launch/Terminal=Start it in a terminal with: safelight serve. What it says there tells more.")

-- Programs that are started from the desktop do not have the terminal's search path.
local function usualPlaces()
	local child = LrPathUtils.child
	local own = child(child(LrPathUtils.getStandardFilePath("home"), ".local"), "bin")
	if WIN_ENV then
		return { child(own, "safelight.exe") }
	end
	return { child(own, "safelight"), "/opt/homebrew/bin/safelight", "/usr/local/bin/safelight" }
end

-- path of the service's program; nil when it is not where it is looked for
function Launcher.program()
	local chosen = Settings.program()
	for _, path in ipairs(chosen and { chosen } or usualPlaces()) do
		if LrFileUtils.exists(path) == "file" then
			return path
		end
	end
	return nil
end

local function notInstalled()
	local chosen = Settings.program()
	if chosen then
		return {
			message = LOC(
				"$$$/Safelight/Launch/NoProgram=Safelight is not running, and there is no program ^1.",
				chosen
			),
			info = LOC("$$$/Safelight/Launch/Choose=Correct the path in File > Plug-in Manager > Safelight.")
				.. " "
				.. IN_TERMINAL,
		}
	end
	return {
		message = LOC("$$$/Safelight/Launch/NotFound=Safelight is not running, and its program was not found."),
		info = LOC("$$$/Safelight/Launch/Install=Install it, or name its place in File > Plug-in Manager > Safelight.")
			.. " "
			.. IN_TERMINAL,
	}
end

local function notStarted(message)
	return { message = message, info = IN_TERMINAL }
end

local function start(program)
	local words = { program, "serve" }
	local folder = Settings.dataFolder()
	if folder then
		words[#words + 1] = "--data-dir"
		words[#words + 1] = folder
	end
	local line = CommandLine.detached(words)
	if not line then
		return LOC(
			"$$$/Safelight/Launch/BadPath=Safelight is not running: its path has a character that cannot be used here."
		)
	end
	local status = LrTasks.execute(line)
	if status ~= 0 then
		Log:warn("the service's program ended with " .. tostring(status))
		return LOC("$$$/Safelight/Launch/Refused=Safelight is not running, and could not be started.")
	end
	return nil
end

-- The service, started if needed; or nil and { message, info }: what is wrong and what to do.
function Launcher.service()
	local service = Service.reach()
	if service then
		return service
	end
	local program = Launcher.program()
	if not program then
		return nil, notInstalled()
	end
	LrDialogs.showBezel(LOC("$$$/Safelight/Launch/Starting=Safelight is starting..."))
	local problem = start(program)
	if problem then
		return nil, notStarted(problem)
	end
	local ends = LrDate.currentTime() + START_SECONDS
	repeat
		LrTasks.sleep(LOOK_SECONDS)
		service = Service.reach()
	until service or LrDate.currentTime() >= ends
	if not service then
		return nil,
			notStarted(
				LOC(
					"$$$/Safelight/Launch/Silent=Safelight was started and did not answer within ^1 seconds.",
					START_SECONDS
				)
			)
	end
	return service
end

return Launcher
