--[[
What the plug-in puts on the screen: dialogs, which are recorded and answered from outside, and the views of its section
in the Plug-in Manager.
]]

local kernel = ...
local Strict = kernel.Strict

local STYLES = { info = true, warning = true, critical = true }

local function say(message, info, style)
	if style and not STYLES[style] then
		error("LrDialogs.message: no style '" .. style .. "'", 3)
	end
	kernel.host.dialog(style or "warning", message, info)
end

kernel.sdk.LrDialogs = Strict.namespace("LrDialogs", {
	message = { { "string", "string|nil", "string|nil" }, say },
	showError = {
		{ "string" },
		function(message)
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
			return kernel.host.confirm(message, info)
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

local newBinding = Strict.class("a binding", {})

kernel.sdk.LrView = Strict.namespace("LrView", {
	bind = {
		{ "table|string" },
		function(binding)
			if type(binding) == "string" then
				binding = { key = binding }
			end
			Strict.options("LrView.bind", binding, { key = "string", bind_to_object = "table" })
			return newBinding(binding)
		end,
	},
})

local VIEW_OPTIONS = { title = true, value = true, enabled = true, tooltip = true, action = true, spacing = true }

local function view(kind)
	return {
		{ "table" },
		function(_, description)
			for key in pairs(description) do
				if type(key) ~= "number" and not VIEW_OPTIONS[key] then
					error("a " .. kind .. " has no property '" .. tostring(key) .. "'", 3)
				end
			end
			return { kind = kind, description = description }
		end,
	}
end

local newFactory = Strict.class("LrViewFactory", {
	row = view("row"),
	column = view("column"),
	static_text = view("static_text"),
	checkbox = view("checkbox"),
	push_button = view("push_button"),
})

local function collect(views, found)
	for _, item in ipairs(views) do
		if type(item) == "table" and item.kind then
			found[#found + 1] = item
			collect(item.description, found)
		end
	end
	return found
end

-- the views of the plug-in's section, flat; checkboxes with the object and key that they are bound to
function kernel.managerViews(provider)
	if type(provider) ~= "table" or type(provider.sectionsForTopOfDialog) ~= "function" then
		error("the provider of the Plug-in Manager's section gives no sectionsForTopOfDialog", 0)
	end
	local shown = {}
	for _, section in ipairs(provider.sectionsForTopOfDialog(newFactory({}), {})) do
		if type(section.title) ~= "string" then
			error("a section of the Plug-in Manager needs a title", 0)
		end
		for _, item in ipairs(collect(section, {})) do
			local description = item.description
			local bound = Strict.kind(description.value) == "a binding" and Strict.hidden(description.value) or nil
			shown[#shown + 1] = {
				kind = item.kind,
				title = description.title,
				key = bound and bound.key,
				value = bound and bound.bind_to_object and bound.bind_to_object[bound.key],
			}
		end
	end
	return shown
end
