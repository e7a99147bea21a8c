--[[
How this session asks for commands: in polls that the service holds open, or, where those fail, in short ones. Nobody
can say how long a request of Lightroom stays open on each computer (proxies and virus scanners have a word in it), so
it is found out: held polls are given up after two failures in a row, and tried again later, one at a time.
]]

local LrDate = import("LrDate")

local Contract = require("Contract")
local Log = require("Log")

local Polling = {}

local MOST_FAILURES = 2
local RETRY_SECONDS = 600
-- a held poll that comes back so much later than it should was stopped by something on its way
local LATE_SECONDS = 5
-- commands rarely come alone
local BUSY_SECONDS = 5
local SHORTEST_PAUSE, LONGEST_PAUSE = 0.02, 5

local function within(value, least, most, default)
	if type(value) ~= "number" or value ~= value then
		return default
	end
	return math.max(least, math.min(most, value))
end

function Polling.new()
	local hold = Contract.holdSeconds
	local busyPause, idlePause = Contract.busyPollSeconds, Contract.idlePollSeconds
	local busyUntil = 0
	local failures = 0
	-- set while polls are short: when a held one is tried again
	local retryAt
	-- whether a held poll broke off and it is not known yet if the service was simply away
	local isDoubtful = false
	local polling = {}

	local function countFailure()
		failures = failures + 1
		if failures >= MOST_FAILURES then
			Log:info("held polls fail although the service is there: polls are short for a while")
			retryAt = LrDate.currentTime() + RETRY_SECONDS
		end
	end

	-- how many seconds hello asks for
	function polling.wish()
		return retryAt and 0 or Contract.holdSeconds
	end

	-- how many seconds the next poll may be held; 0 asks for an answer at once
	function polling.hold()
		local now = LrDate.currentTime()
		if retryAt and (now < retryAt or now < busyUntil) then
			return 0
		end
		return hold
	end

	-- The service has answered hello, so it is not away: a held poll that broke off just before did so by itself.
	function polling.greeted(welcome)
		welcome = type(welcome) == "table" and welcome or {}
		if not retryAt then
			hold = within(welcome.hold_s, 0, Contract.holdSeconds, Contract.holdSeconds)
		end
		busyPause = within(welcome.busy_poll_s, SHORTEST_PAUSE, LONGEST_PAUSE, Contract.busyPollSeconds)
		idlePause = within(welcome.idle_poll_s, SHORTEST_PAUSE, LONGEST_PAUSE, Contract.idlePollSeconds)
		if isDoubtful then
			isDoubtful = false
			countFailure()
		end
	end

	-- Hello got no answer: the service is away, which explains the poll that broke off.
	function polling.notGreeted()
		isDoubtful = false
	end

	-- a poll that asked for so many seconds got no answer
	function polling.brokeOff(asked)
		isDoubtful = asked > 0
	end

	-- a poll that asked for so many seconds was answered after so many
	function polling.answered(asked, took, hasCommand)
		if hasCommand then
			busyUntil = LrDate.currentTime() + BUSY_SECONDS
		end
		if asked > 0 and took > asked + LATE_SECONDS then
			countFailure()
		elseif asked > 0 then
			if retryAt then
				Log:info("polls are held again")
			end
			failures = 0
			retryAt = nil
		end
	end

	-- seconds until the next short poll
	function polling.pause()
		return LrDate.currentTime() < busyUntil and busyPause or idlePause
	end

	return polling
end

return Polling
