--[[
LrProgressScope: the bars at the top left of Lightroom's window, which the person can cancel.
]]

local kernel = ...
local Strict = kernel.Strict

local function bar(name, kinds)
	return {
		kinds,
		function(self, ...)
			return kernel.host["progress_" .. name](Strict.hidden(self).id, ...)
		end,
	}
end

local newScope = Strict.class("LrProgressScope", {
	setPortionComplete = bar("portion", { "number", "number|nil" }),
	setCaption = bar("caption", { "string" }),
	setCancelable = bar("cancelable", { "boolean" }),
	isCanceled = bar("is_canceled", {}),
	done = bar("done", {}),
})

kernel.sdk.LrProgressScope = Strict.namespace("LrProgressScope", {}, function(_, options)
	local call = "LrProgressScope"
	kernel.needTask(call)
	Strict.arguments(call, { "table" }, options)
	Strict.options(call, options, { title = "string", caption = "string", functionContext = "LrFunctionContext" })
	if not options.title or not options.functionContext then
		error(call .. " needs a title and the function's context, which ends it when the function throws", 2)
	end
	local id = kernel.host.progress_start(options.title)
	options.functionContext:addCleanupHandler(function()
		kernel.host.progress_done(id)
	end)
	return newScope({ id = id })
end)
