--[[
The dialogs that the plug-in puts on the screen. They are recorded, and answered from outside.
]]

local kernel = ...
local Strict = kernel.Strict

local STYLES = { info = true, warning = true, critical = true }

local function say(message, info, style)
	if style and not STYLES[style] then
		error("LrDialogs.message: no style '" .. style .. "'", 3)
	end
	kernel.refuseInGate("LrDialogs.message")
	kernel.host.dialog(style or "warning", message, info)
end

kernel.sdk.LrDialogs = Strict.namespace("LrDialogs", {
	message = { { "string", "string|nil", "string|nil" }, say },
	showError = {
		{ "string" },
		function(message)
			kernel.refuseInGate("LrDialogs.showError")
			kernel.host.dialog("critical", message)
		end,
	},
	showBezel = {
		{ "string", "number|nil" },
		function(message)
			kernel.host.dialog("bezel", message)
		end,
	},
	confirm = {
		{ "string", "string|nil", "string|nil", "string|nil", "string|nil" },
		function(message, info)
			kernel.refuseInGate("LrDialogs.confirm")
			return kernel.host.confirm(message, info)
		end,
	},
	presentModalDialog = {
		{ "table" },
		function(options)
			local call = "LrDialogs.presentModalDialog"
			kernel.needTask(call)
			kernel.refuseInGate(call)
			Strict.options(call, options, {
				title = "string",
				contents = "table",
				actionVerb = "string",
				cancelVerb = "string",
				resizable = "boolean",
			})
			if not options.title or not options.contents then
				error(call .. " needs a title and contents", 3)
			end
			return coroutine.yield("modal", options.title, kernel.openPanel({ options.contents }))
		end,
	},
	attachErrorDialogToFunctionContext = {
		{ "LrFunctionContext" },
		function(context)
			context:addFailureHandler(function(_, message)
				kernel.host.dialog("critical", tostring(message))
			end)
		end,
	},
})
