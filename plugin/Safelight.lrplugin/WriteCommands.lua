--[[
Commands that change metadata.
]]

local Failure = require("Failure")
local PhotoChanges = require("PhotoChanges")
local PhotoWrites = require("PhotoWrites")

local WriteCommands = {}

function WriteCommands.write_photos(catalog, arguments, deadline)
	local problem = PhotoChanges.problem(arguments.changes)
	if problem then
		return nil, Failure.new("BAD_ARGUMENTS", problem)
	end
	return PhotoWrites.run(catalog, arguments, deadline, PhotoChanges)
end

return WriteCommands
