--[[
The bridge to the service: this plug-in is the HTTP client. Says hello, asks for commands, runs one at a time and hands
back what it came to. Runs from Lightroom's start to its end; backs off while the service is away. Ends for good when a
newer loop or another Lightroom has taken over, until a person starts it again.
]]

local LrApplication = import("LrApplication")
local LrDate = import("LrDate")
local LrFunctionContext = import("LrFunctionContext")
local LrTasks = import("LrTasks")

local Commands = require("Commands")
local Contract = require("Contract")
local Deadline = require("Deadline")
local Failure = require("Failure")
local Http = require("Http")
local Identity = require("Identity")
local Journal = require("Journal")
local Json = require("Json")
local Log = require("Log")
local Polling = require("Polling")
local Service = require("Service")
local Settings = require("Settings")

local Bridge = {}

-- Lightroom quits slowly while a task sleeps long
local LONGEST_SLEEP = 0.5
local FIRST_BACKOFF, LONGEST_BACKOFF = 1, 5
local ANSWER_SECONDS = 10
-- a poll that comes back empty sooner than this was not held, and must not become a busy loop
local SOON = 0.2

local session = Identity.random("session")
local journal = Journal.new()
local polling = Polling.new()
local isStopped = false
local status = "off"
-- whether plug-in and service are of different versions, as status then says in words
local isMismatch = false
-- generation of the loop that runs, if one does
local running

local function setStatus(text, code)
	status = text
	isMismatch = code == "wrong_protocol"
end

local function isCurrent(generation)
	return not isStopped and Settings.generation() == generation
end

-- Sleeps in short pieces; ends early when the loop has to end. Not by the clock, which may be set back.
local function pause(seconds, generation)
	local left = seconds
	while left > 0 and isCurrent(generation) do
		local piece = math.min(left, LONGEST_SLEEP)
		LrTasks.sleep(piece)
		left = left - piece
	end
end

-- Posts a result until the service has taken it, or nobody waits for it any more.
local function deliver(service, answer, deadline, generation)
	local tooLate = deadline.left() + 2 * Contract.marginSeconds
	local ends = LrDate.currentTime() + tooLate
	repeat
		local taken, reason = Http.post(service, "bridge_result", answer, ANSWER_SECONDS)
		if taken and taken.status < 500 then
			if taken.status ~= 200 then
				Log:warn("a result was refused: " .. Http.detail(taken))
			end
			return taken.status
		end
		Log:warn("a result was not taken: " .. (reason or Http.detail(taken)))
		pause(LONGEST_SLEEP, generation)
		-- the service may be back on another port
		service = Service.find() or service
	until LrDate.currentTime() >= ends or not isCurrent(generation)
	return nil
end

local function answerOf(id, result, failure)
	if result then
		return { session = session, command_id = id, ok = true, result = result }
	end
	return { session = session, command_id = id, ok = false, error = failure or Failure.new("LIGHTROOM_ERROR") }
end

-- what to answer to a command that came before, or nil when it has to be run
local function earlierAnswer(command)
	local id = command.command_id
	local state = journal.state(id)
	if state == "finished" then
		return journal.answer(id)
	end
	if state == "forgotten" and Commands.canChange(command.name) then
		return answerOf(id, nil, Failure.new("TIMEOUT_UNKNOWN_OUTCOME"))
	end
	return nil
end

local function handle(service, command, generation, catalogPath)
	local id = command.command_id
	local deadline = Deadline.start(command.deadline_s, function()
		return not isCurrent(generation)
	end)
	if journal.state(id) == "running" then
		-- an older loop of this session is at it and will answer
		return
	end
	local answer = earlierAnswer(command)
	if not answer then
		journal.begin(id)
		if LrApplication.activeCatalog():getPath() == catalogPath then
			answer = answerOf(id, Commands.run(command.name, command.arguments, deadline))
		else
			answer = answerOf(id, nil, Failure.new("CATALOG_CHANGED"))
		end
		journal.finish(id, answer)
	end
	local wasSent, outcome = LrTasks.pcall(deliver, service, answer, deadline, generation)
	if not wasSent or outcome == 413 then
		local message = wasSent and "the answer is too large" or "the answer cannot be sent: " .. tostring(outcome)
		deliver(service, answerOf(id, nil, Commands.failureAfterStart(command.name, message)), deadline, generation)
	end
end

-- how a connection goes on after an answer that is not the one that was hoped for
local function afterRefusal(what, answer, reason)
	local code = answer and type(answer.body) == "table" and answer.body.code
	Log:info(what .. ": " .. (reason or Http.detail(answer)))
	if code == "hello_needed" then
		return "again"
	elseif code == "superseded" then
		setStatus("superseded")
		return "over"
	end
	if answer and answer.status < 500 then
		setStatus(Http.detail(answer), code)
	end
	return "lost"
end

local function hello(service, generation, catalog, catalogId)
	return Http.post(service, "bridge_hello", {
		protocol = Contract.protocol,
		session = session,
		generation = generation,
		plugin_version = Contract.version,
		lightroom_version = LrApplication.versionString(),
		catalog_id = catalogId,
		catalog_path = catalog:getPath(),
		hold_s = polling.wish(),
	}, ANSWER_SECONDS)
end

local function isCommand(command)
	return type(command) == "table"
		and type(command.command_id) == "string"
		and type(command.name) == "string"
		and type(command.deadline_s) == "number"
end

-- One poll and what follows from it; tells how to go on, or nil for the next poll.
local function pollOnce(service, generation, catalogPath)
	local hold, began = polling.hold(), LrDate.currentTime()
	local answer, reason = Http.post(
		service,
		"bridge_poll",
		{ session = session, generation = generation, hold_s = hold, seen = Json.array(journal.seen()) },
		hold + ANSWER_SECONDS
	)
	if not isCurrent(generation) then
		-- a command in this answer belongs to the newer loop, which does not report it as seen
		return "over"
	elseif not answer or answer.status ~= 200 then
		if not answer then
			polling.brokeOff(hold)
		end
		return afterRefusal("poll", answer, reason)
	end
	local command = type(answer.body) == "table" and answer.body.command
	local took = LrDate.currentTime() - began
	polling.answered(hold, took, isCommand(command))
	if isCommand(command) then
		handle(service, command, generation, catalogPath)
	elseif hold == 0 then
		pause(polling.pause(), generation)
	elseif took < SOON then
		pause(LONGEST_SLEEP, generation)
	end
	return nil
end

-- Polls until the connection is lost, another catalog is open, or a newer loop runs; tells how to go on.
local function serve(service, generation, catalogPath)
	while isCurrent(generation) and LrApplication.activeCatalog():getPath() == catalogPath do
		local outcome = pollOnce(service, generation, catalogPath)
		if outcome then
			return outcome
		end
	end
	return "again"
end

-- One connection, from hello to its end; tells how to go on: "lost" (after a pause), "again" (at once), "over".
local function connect(generation)
	local service = Service.find()
	if not service then
		setStatus("away")
		return "lost", false
	end
	local catalog = LrApplication.activeCatalog()
	local catalogId, failure = Identity.ofCatalog(catalog)
	if not catalogId then
		Log:warn("catalog id: " .. failure.message)
		return "lost", false
	end
	local answer, reason = hello(service, generation, catalog, catalogId)
	if not answer or answer.status ~= 200 then
		setStatus("away")
		polling.notGreeted()
		return afterRefusal("hello", answer, reason), false
	end
	polling.greeted(answer.body)
	setStatus("connected")
	local outcome = serve(service, generation, catalog:getPath())
	if status == "connected" and isCurrent(generation) then
		setStatus("away")
	end
	return outcome, true
end

local function loop(generation)
	local backoff = FIRST_BACKOFF
	while isCurrent(generation) do
		local ran, outcome, wasConnected = LrTasks.pcall(connect, generation)
		if not ran then
			Log:error("bridge: " .. tostring(outcome))
			setStatus(tostring(outcome))
		elseif outcome == "over" then
			return
		end
		if ran and wasConnected then
			backoff = FIRST_BACKOFF
		end
		-- "again" needs a connection that worked, or a service that refuses each hello would be asked without a pause
		if not (ran and wasConnected and outcome == "again") then
			pause(backoff, generation)
			backoff = math.min(backoff * 2, LONGEST_BACKOFF)
		end
	end
end

-- Starts a loop and ends any that runs; may be called again.
function Bridge.start()
	isStopped = false
	local generation = Settings.nextGeneration()
	LrFunctionContext.postAsyncTaskWithContext("Safelight bridge", function()
		running = generation
		loop(generation)
		if running == generation then
			running = nil
			if status ~= "superseded" then
				setStatus("off")
			end
		end
	end)
end

-- Starts a loop where none runs: another Lightroom may have taken over and be gone by now.
function Bridge.ensure()
	if not running or isStopped then
		Bridge.start()
	end
end

-- Ends the loop at its next step; waits for nothing.
function Bridge.stop()
	isStopped = true
	setStatus("off")
end

-- "connected", "away", "off", "superseded" (another Lightroom has taken over), or a sentence about what is wrong
function Bridge.status()
	return status
end

-- whether commands are fetched in short polls, because held ones break off on this computer
function Bridge.hasShortPolls()
	return polling.wish() == 0
end

-- which of plug-in and service to update, as a sentence; nil when they fit together as far as is known
function Bridge.mismatch()
	return isMismatch and status or nil
end

return Bridge
