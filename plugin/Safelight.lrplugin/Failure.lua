--[[
What a command answers when it could not be done: a code of the contract, a sentence, and whether the same command may
be sent again because nothing was changed. Failures are returned, never thrown: Lightroom may turn a thrown table into
text.
]]

local LrStringUtils = import("LrStringUtils")

local Contract = require("Contract")
local Utf8 = require("Utf8")

local Failure = {}

local LONGEST_MESSAGE = 1000

function Failure.new(code, message, retriable)
	local text = message or Contract.errors[code] or code
	return {
		code = code,
		message = LrStringUtils.truncate(Utf8.repaired(tostring(text)), LONGEST_MESSAGE),
		retriable = retriable == true,
	}
end

function Failure.ofPhoto(photoId, code, message)
	local failure = Failure.new(code, message)
	return { photo_id = photoId, code = failure.code, message = failure.message }
end

return Failure
