--[[
LrTasks and LrFunctionContext. Tasks are coroutines; every call that yields in Lightroom yields here, so that a plain
pcall around it fails as it does there. A scheduler outside resumes them.
]]

local kernel = ...
local Strict = kernel.Strict

local tasks = {}
-- the task that is running; nil in start scripts, menu scripts and callbacks
kernel.current = nil
-- what new tasks belong to: "init", a menu item's run, ...
kernel.origin = "init"

function kernel.pcall(func, ...)
	-- a coroutine cannot be made of a function of C, such as error
	local co = coroutine.create(function(...)
		return func(...)
	end)
	local function pass(resumed, ...)
		if not resumed or coroutine.status(co) == "dead" then
			return resumed, ...
		end
		return pass(coroutine.resume(co, coroutine.yield(...)))
	end
	return pass(coroutine.resume(co, ...))
end

-- A task that a task posts for the background belongs to nobody who waits for an end.
function kernel.newTask(func, name, isDetached)
	local origin = kernel.origin
	if kernel.current then
		origin = isDetached and "background" or kernel.current.origin
	end
	local task = { co = coroutine.create(func), name = name or "task", origin = origin, isDetached = isDetached }
	local id = kernel.host.spawn()
	tasks[id] = task
	return id
end

-- A task that was started plainly by a start script ends with that script.
function kernel.endOf(origin)
	for id, task in pairs(tasks) do
		if task.origin == origin and not task.isDetached then
			tasks[id] = nil
		end
	end
end

function kernel.countTasks(origin)
	local count = 0
	for _, task in pairs(tasks) do
		if origin == nil or task.origin == origin then
			count = count + 1
		end
	end
	return count
end

-- whether a task that yields for this reason may go on at once
local function goesOn(operation)
	if operation == "trip" then
		return not kernel.host.must_wait()
	end
	return operation == "turn" and not kernel.host.others_wait()
end

local function settle(id, task, resumed, operation, ...)
	if resumed and goesOn(operation) and coroutine.status(task.co) ~= "dead" then
		return settle(id, task, coroutine.resume(task.co))
	end
	kernel.current = nil
	if not resumed then
		tasks[id] = nil
		return "failed", debug.traceback(task.co, task.name .. ": " .. tostring(operation)), task.origin
	elseif coroutine.status(task.co) == "dead" then
		tasks[id] = nil
		return "done", task.origin
	end
	return operation, ...
end

-- Resumes a task until it waits for something; tells for what.
function kernel.step(id, ...)
	local task = tasks[id]
	if not task then
		return "gone"
	end
	kernel.current = task
	return settle(id, task, coroutine.resume(task.co, ...))
end

-- the running task; throws where there is none
function kernel.needTask(call)
	if not kernel.current then
		error(call .. " must be called from within a task", 3)
	end
	return kernel.current
end

-- a trip into the catalog: yields, and waits as long as a modal dialog is open
function kernel.trip(call)
	kernel.needTask(call)
	coroutine.yield("trip")
end

function kernel.refuseInGate(call)
	if kernel.current and kernel.current.gate then
		error(call .. " must not be called inside a write gate", 3)
	end
end

kernel.sdk.LrTasks = Strict.namespace("LrTasks", {
	canYield = {
		{},
		function()
			return kernel.current ~= nil and coroutine.running() ~= nil
		end,
	},
	pcall = {
		{ "function", "any", "any", "any", "any", "any", "any" },
		kernel.pcall,
	},
	sleep = {
		{ "number" },
		function(seconds)
			kernel.needTask("LrTasks.sleep")
			kernel.refuseInGate("LrTasks.sleep")
			coroutine.yield("sleep", seconds)
		end,
	},
	yield = {
		{},
		function()
			kernel.needTask("LrTasks.yield")
			coroutine.yield("turn")
		end,
	},
	execute = {
		{ "string" },
		function(command)
			kernel.needTask("LrTasks.execute")
			kernel.refuseInGate("LrTasks.execute")
			coroutine.yield("turn")
			return kernel.host.execute(command)
		end,
	},
	startAsyncTask = {
		{ "function", "string|nil" },
		function(func, name)
			kernel.newTask(func, name, false)
		end,
	},
})

local newContext = Strict.class("LrFunctionContext", {
	addCleanupHandler = {
		{ "function" },
		function(self, handler)
			table.insert(Strict.hidden(self).cleanups, 1, handler)
		end,
	},
	addFailureHandler = {
		{ "function" },
		function(self, handler)
			table.insert(Strict.hidden(self).failures, 1, handler)
		end,
	},
})

local function callWithContext(func, ...)
	local context = newContext({ cleanups = {}, failures = {} })
	local handlers = Strict.hidden(context)
	local results = { kernel.pcall(func, context, ...) }
	if not results[1] then
		for _, handler in ipairs(handlers.failures) do
			handler(false, results[2])
		end
	end
	for _, handler in ipairs(handlers.cleanups) do
		handler(results[1], results[2])
	end
	if not results[1] then
		error(results[2], 0)
	end
	return unpack(results, 2)
end

kernel.sdk.LrFunctionContext = Strict.namespace("LrFunctionContext", {
	callWithContext = {
		{ "string", "function", "any", "any", "any", "any" },
		function(_, func, ...)
			return callWithContext(func, ...)
		end,
	},
	postAsyncTaskWithContext = {
		{ "string", "function" },
		function(name, func)
			kernel.newTask(function()
				callWithContext(func)
			end, name, true)
		end,
	},
})
