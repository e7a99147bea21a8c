--[[
The result of a write over many photos: applied (as read back), failed with a reason each, not attempted
with one reason for all.
]]

local Failure = require("Failure")
local Json = require("Json")

local WriteReport = {}

-- name: what the contract calls the list of what was done; "applied" where it is left out
function WriteReport.new(name)
	local applied = Json.array({})
	local report = { [name or "applied"] = applied, failed = Json.array({}), not_attempted = Json.array({}) }
	local result = { report = report }

	function result.applied(what)
		applied[#applied + 1] = what
	end

	function result.failed(photoId, code, message)
		report.failed[#report.failed + 1] = Failure.ofPhoto(photoId, code, message)
	end

	-- ids from first on; failure, which may be nil when there are none, says why
	function result.notAttempted(ids, first, failure)
		for index = first, #ids do
			report.not_attempted[#report.not_attempted + 1] = ids[index]
		end
		report.stopped = failure and { code = failure.code, message = failure.message }
	end

	-- What a command answers whose photos were written up to reached: the report, or nil and the failure that stopped it
	-- before the first of them.
	function result.ended(ids, reached, stopped)
		if stopped and reached == 1 then
			return nil, stopped
		end
		result.notAttempted(ids, reached, stopped)
		return report
	end

	return result
end

return WriteReport
