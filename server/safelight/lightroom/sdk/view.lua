--[[
LrView and LrBinding: what dialogs and the section in the Plug-in Manager are made of. An open dialog is a panel, whose
controls are read, filled in and pressed from outside.
]]

local kernel = ...
local Strict = kernel.Strict

local newBinding = Strict.class("a binding", {})

-- Lightroom hands the function's context to the table, which lives as long
local function makePropertyTable()
	local values = {}
	return setmetatable({}, {
		__index = function(_, key)
			return values[key]
		end,
		__newindex = function(_, key, value)
			if type(key) ~= "string" then
				error("a property table takes text keys, not " .. tostring(key), 2)
			end
			values[key] = value
		end,
		__metatable = false,
	})
end

kernel.sdk.LrBinding = Strict.namespace("LrBinding", {
	makePropertyTable = { { "LrFunctionContext" }, makePropertyTable },
})

kernel.sdk.LrView = Strict.namespace("LrView", {
	bind = {
		{ "table" },
		function(binding)
			Strict.options("LrView.bind", binding, { key = "string", bind_to_object = "table" })
			if not binding.key or not binding.bind_to_object then
				error("LrView.bind needs key and bind_to_object", 3)
			end
			return newBinding(binding)
		end,
	},
	share = {
		{ "string" },
		function(name)
			return newBinding({ shared = name })
		end,
	},
	osFactory = {
		{},
		function()
			return kernel.viewFactory
		end,
	},
})

local BOUND = "|a binding"
local EVERYWHERE = {
	width = "number" .. BOUND,
	height = "number",
	visible = "boolean" .. BOUND,
	enabled = "boolean" .. BOUND,
	tooltip = "string",
	fill_horizontal = "number",
	fill_vertical = "number",
	place_horizontal = "number",
}
local CONTAINER = { spacing = "number", margin = "number", place = "string", title = "string" }
local TEXT = {
	title = "string" .. BOUND,
	value = "string" .. BOUND,
	alignment = "string",
	width_in_chars = "number",
	height_in_lines = "number",
	immediate = "boolean",
	validate = "function",
	selectable = "boolean",
	placeholder_string = "string",
}

local function only(...)
	local options = {}
	for _, name in ipairs({ ... }) do
		options[name] = TEXT[name]
	end
	return options
end

local KINDS = {
	row = CONTAINER,
	column = CONTAINER,
	group_box = CONTAINER,
	spacer = {},
	separator = {},
	static_text = only("title", "alignment", "width_in_chars", "height_in_lines", "selectable"),
	edit_field = only(
		"value",
		"width_in_chars",
		"height_in_lines",
		"immediate",
		"validate",
		"placeholder_string",
		"alignment"
	),
	password_field = only("value", "width_in_chars", "immediate", "placeholder_string"),
	checkbox = { title = "string", value = "boolean" .. BOUND },
	push_button = { title = "string" .. BOUND, action = "function" },
	popup_menu = { title = "string", value = "any", items = "table" },
}

local function view(kind, options)
	local allowed = {}
	for _, group in ipairs({ EVERYWHERE, options }) do
		for name, kinds in pairs(group) do
			allowed[name] = kinds
		end
	end
	local takesViews = options == CONTAINER
	return {
		{ "table" },
		function(_, description)
			for key, value in pairs(description) do
				if type(key) == "number" then
					if not takesViews or type(value) ~= "table" or not KINDS[value.kind] then
						error("a " .. kind .. " takes no " .. type(value) .. " as its content", 3)
					end
				elseif not allowed[key] then
					error("a " .. kind .. " has no property '" .. tostring(key) .. "'", 3)
				else
					Strict.options("a " .. kind, { [key] = value }, allowed)
				end
			end
			return { kind = kind, description = description }
		end,
	}
end

local members = {}
for kind, options in pairs(KINDS) do
	members[kind] = view(kind, options)
end
for _, name in ipairs({ "label_spacing", "control_spacing", "dialog_spacing" }) do
	members[name] = {
		{},
		function()
			return 5
		end,
	}
end
kernel.viewFactory = Strict.class("LrViewFactory", members)({})

local function collect(views, found)
	for _, item in ipairs(views) do
		if type(item) ~= "table" or not KINDS[item.kind] then
			error("a panel is made of views, not of a " .. type(item), 0)
		end
		found[#found + 1] = item
		collect(item.description, found)
	end
	return found
end

local function current(value)
	local bound = Strict.kind(value) == "a binding" and Strict.hidden(value)
	if bound then
		return bound.bind_to_object and bound.bind_to_object[bound.key], bound.key
	end
	return value
end

local panels = {}

-- Opens a panel of these views; returns its number.
function kernel.openPanel(views)
	panels[#panels + 1] = collect(views, {})
	return #panels
end

-- the controls of a panel as they are now, in reading order
function kernel.panelViews(number)
	local shown = {}
	for index, item in ipairs(panels[number]) do
		local description = item.description
		local value, key = current(description.value)
		local enabled = current(description.enabled)
		shown[index] = {
			kind = item.kind,
			title = current(description.title),
			key = key,
			value = value,
			enabled = enabled ~= false,
		}
	end
	return shown
end

-- Callbacks of controls run outside any task, so whatever yields throws in them.
local function fromScreen(origin, callback, ...)
	local task, before = kernel.current, kernel.origin
	kernel.current, kernel.origin = nil, task and task.origin or origin
	local results = { pcall(callback, ...) }
	kernel.current, kernel.origin = task, before
	if not results[1] then
		error(results[2], 0)
	end
	return unpack(results, 2)
end

function kernel.pressButton(number, index, origin)
	local item = panels[number][index]
	fromScreen(origin, item.description.action, item)
end

-- Puts a value into a control; returns why the plug-in refuses it, nil when it does not.
function kernel.fillField(number, index, value)
	local item = panels[number][index]
	local bound = Strict.hidden(item.description.value)
	local validate = item.description.validate
	if validate then
		local isGood, changed, message = fromScreen("validate", validate, item, value)
		if not isGood then
			return message or "refused"
		end
		value = changed
	end
	bound.bind_to_object[bound.key] = value
	return nil
end

-- The plug-in's section in the Plug-in Manager as a panel; returns its number and what ends it.
function kernel.openManager(file, origin)
	local provider = kernel.runScript(file, origin)
	if type(provider) ~= "table" or type(provider.sectionsForTopOfDialog) ~= "function" then
		error("the provider of the Plug-in Manager's section gives no sectionsForTopOfDialog", 0)
	end
	local properties = makePropertyTable()
	if provider.startDialog then
		fromScreen(origin, provider.startDialog, properties)
	end
	local contents = {}
	for _, section in ipairs(fromScreen(origin, provider.sectionsForTopOfDialog, kernel.viewFactory, properties)) do
		if type(section.title) ~= "string" then
			error("a section of the Plug-in Manager needs a title", 0)
		end
		for _, item in ipairs(section) do
			contents[#contents + 1] = item
		end
	end
	return kernel.openPanel(contents),
		function()
			if provider.endDialog then
				fromScreen(origin, provider.endDialog, properties)
			end
		end
end
