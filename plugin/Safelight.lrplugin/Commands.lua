--[[
Every command of the contract, behind the photographer's two switches and the contract's checks.
]]

local LrApplication = import("LrApplication")
local LrTasks = import("LrTasks")

local Arguments = require("Arguments")
local CollectionCommands = require("CollectionCommands")
local Contract = require("Contract")
local DevelopCommands = require("DevelopCommands")
local ExportCommands = require("ExportCommands")
local Failure = require("Failure")
local KeywordCommands = require("KeywordCommands")
local Log = require("Log")
local ReadCommands = require("ReadCommands")
local SnapshotCommands = require("SnapshotCommands")
local Switches = require("Switches")
local Thumbnails = require("Thumbnails")
local ViewCommands = require("ViewCommands")
local VirtualCopies = require("VirtualCopies")
local WriteCommands = require("WriteCommands")

local Commands = {}

local GROUPS = {
	ReadCommands,
	ViewCommands,
	WriteCommands,
	CollectionCommands,
	ExportCommands,
	Thumbnails,
	KeywordCommands,
	DevelopCommands,
	SnapshotCommands,
	VirtualCopies,
}

local HANDLERS = {}
for _, group in ipairs(GROUPS) do
	for name, handler in pairs(group) do
		HANDLERS[name] = handler
	end
end

-- what the person's switches say about the command
local function forbidden(name, kind)
	if name == "get_state" then
		-- the switches are part of the state
		return nil
	elseif kind == "read" then
		return Switches.againstReading()
	end
	return Switches.againstChanges()
end

-- nil, or the failure that keeps the command from Lightroom
local function refusal(name, arguments)
	local spec = Contract.commands[name]
	if not spec or not HANDLERS[name] then
		return Failure.new("UNKNOWN_COMMAND", "the plug-in does not know the command " .. tostring(name))
	end
	local problem = Arguments.check(arguments, spec.arguments)
	return forbidden(name, spec.kind) or (problem and Failure.new("BAD_ARGUMENTS", problem)) or nil
end

-- whether the command may change anything in Lightroom
function Commands.canChange(name)
	local spec = Contract.commands[name]
	return spec ~= nil and spec.kind ~= "read"
end

-- the failure of a command that had begun when something went wrong
function Commands.failureAfterStart(name, message)
	if Commands.canChange(name) then
		message = "part of the change may have been made: " .. tostring(message)
	end
	return Failure.new("LIGHTROOM_ERROR", message)
end

-- a result, or nil and a failure; never throws
function Commands.run(name, arguments, deadline)
	local refused = refusal(name, arguments)
	if refused then
		return nil, refused
	end
	local ran, result, failure = LrTasks.pcall(HANDLERS[name], LrApplication.activeCatalog(), arguments, deadline)
	if not ran then
		Log:error(name .. ": " .. tostring(result))
		return nil, Commands.failureAfterStart(name, result)
	end
	return result, failure
end

return Commands
