--[[
The rows that the plug-in's dialogs are made of.
]]

local LrDialogs = import("LrDialogs")
local LrFunctionContext = import("LrFunctionContext")
local LrPrefs = import("LrPrefs")
local LrView = import("LrView")

local Form = {}

local FIELD_CHARS = 32

function Form.bindPref(key)
	return LrView.bind({ key = key, bind_to_object = LrPrefs.prefsForPlugin() })
end

-- a label in the column of labels
function Form.label(factory, title)
	return factory:static_text({ title = title, alignment = "right", width = LrView.share("safelight_labels") })
end

-- A row with a text of the preferences. problem(text) tells what is wrong with what was typed, nil when nothing is.
function Form.field(factory, title, key, placeholder, problem)
	local prefs = LrPrefs.prefsForPlugin()
	-- a field needs a text to show
	prefs[key] = prefs[key] or ""
	return factory:row({
		Form.label(factory, title),
		factory:edit_field({
			value = Form.bindPref(key),
			width_in_chars = FIELD_CHARS,
			placeholder_string = placeholder,
			validate = function(_, text)
				local message = problem and problem(text)
				return message == nil, text, message
			end,
		}),
	})
end

function Form.checkbox(factory, title, key)
	return factory:row({ factory:checkbox({ title = title, value = Form.bindPref(key) }) })
end

-- A button whose work runs in a task, since buttons must not wait. act gets the task's context.
function Form.button(factory, title, act)
	return factory:push_button({
		title = title,
		action = function()
			LrFunctionContext.postAsyncTaskWithContext("Safelight button", function(context)
				LrDialogs.attachErrorDialogToFunctionContext(context)
				act(context)
			end)
		end,
	})
end

return Form
