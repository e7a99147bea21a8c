--[[
One run of the service's index, followed to its end with a bar that the person can cancel. Must be called in a task.
]]

local LrDialogs = import("LrDialogs")
local LrProgressScope = import("LrProgressScope")
local LrTasks = import("LrTasks")

local Bridge = require("Bridge")
local Http = require("Http")
local Log = require("Log")

local IndexJob = {}

local ANSWER_SECONDS = 20
local LOOK_SECONDS = 0.5
-- the service reads the catalog through the bridge, which may only just have been started
local MOST_WAITS = 20
-- looks in a row that bring no answer, until the service is taken to be gone
local MOST_SILENCES = 6

local TITLE = LOC("$$$/Safelight/Index/Progress=Safelight: indexing photos")

local function say(message, info)
	LrDialogs.message(message, info, "warning")
end

local function begin(service)
	for _ = 1, MOST_WAITS do
		if Bridge.status() == "connected" then
			break
		end
		LrTasks.sleep(LOOK_SECONDS)
	end
	local answer, reason = Http.post(service, "sync_index", { what = "catalog" }, ANSWER_SECONDS)
	local job = answer and answer.status == 202 and answer.body
	if type(job) == "table" and type(job.job_id) == "string" then
		return job
	end
	say(LOC("$$$/Safelight/Index/Refused=The photos could not be indexed."), reason or Http.detail(answer))
	return nil
end

-- the job as it is now; false when the service no longer knows it, nil when it does not answer
local function look(service, id)
	local answer = Http.get(service, "list_jobs", ANSWER_SECONDS)
	local jobs = answer and answer.status == 200 and type(answer.body) == "table" and answer.body.jobs
	if type(jobs) ~= "table" then
		return nil
	end
	for _, job in ipairs(jobs) do
		if type(job) == "table" and job.job_id == id then
			return job
		end
	end
	return false
end

local function show(scope, job)
	if type(job.done) == "number" and type(job.total) == "number" and job.total > 0 then
		scope:setPortionComplete(math.min(job.done, job.total), job.total)
		scope:setCaption(
			LOC(
				"$$$/Safelight/Index/Count=^1 of ^2 photos",
				string.format("%d", job.done),
				string.format("%d", job.total)
			)
		)
	end
end

local function cancel(service, id)
	local answer, reason = Http.delete(service, "cancel_job", id, ANSWER_SECONDS)
	if not answer or answer.status ~= 200 then
		Log:warn("cancel_job: " .. (reason or Http.detail(answer)))
	end
end

-- Looks until the job is over; returns it as it was then, false when nobody knows, nil when the person has cancelled.
local function follow(service, scope, job)
	local id, silences = job.job_id, 0
	while true do
		if scope:isCanceled() then
			cancel(service, id)
			return nil
		end
		if job then
			silences = 0
			show(scope, job)
			if job.state ~= "running" and job.state ~= "paused" then
				return job
			end
		else
			silences = silences + 1
			if job == false or silences >= MOST_SILENCES then
				return false
			end
		end
		LrTasks.sleep(LOOK_SECONDS)
		job = look(service, id)
	end
end

local function tell(job)
	local message = job and type(job.message) == "string" and job.message or nil
	if job == false then
		say(
			LOC("$$$/Safelight/Index/Gone=Safelight went away while it indexed."),
			LOC("$$$/Safelight/Index/Again=What it had read is kept. Choose this menu item again to go on.")
		)
	elseif job and job.state == "failed" then
		say(LOC("$$$/Safelight/Index/Failed=The photos could not all be indexed."), message)
	elseif job and job.state == "done" and message then
		LrDialogs.message(LOC("$$$/Safelight/Index/DoneBut=The photos are indexed."), message, "info")
	elseif job and job.state == "done" then
		LrDialogs.showBezel(LOC("$$$/Safelight/Index/Done=Safelight: the photos are indexed"))
	end
end

function IndexJob.run(context, service)
	local scope = LrProgressScope({ title = TITLE, functionContext = context })
	scope:setCancelable(true)
	local job = begin(service)
	local ended = job and follow(service, scope, job)
	scope:done()
	if job then
		tell(ended)
	end
end

return IndexJob
