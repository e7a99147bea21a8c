--[[
The connections in the Plug-in Manager: a row each with the address, where there is one to give, and the API key.
]]

local LrBinding = import("LrBinding")
local LrDialogs = import("LrDialogs")
local LrView = import("LrView")

local Connections = require("Connections")
local Form = require("Form")
local ManagerState = require("ManagerState")

local ConnectionRows = {}

local ADDRESS = LOC("$$$/Safelight/Connections/Address=Address")
local USUAL_ADDRESS = LOC("$$$/Safelight/Connections/UsualAddress=the usual one on this computer")

-- asks for the key until it is one, or the person gives up
local function askForKey(context, provider)
	local properties = LrBinding.makePropertyTable(context)
	properties.key = ""
	local factory = LrView.osFactory()
	while true do
		local answer = LrDialogs.presentModalDialog({
			title = LOC("$$$/Safelight/Connections/KeyTitle=API key of ^1", provider.title),
			contents = factory:column({
				spacing = factory:control_spacing(),
				factory:static_text({
					title = LOC("$$$/Safelight/Connections/KeyPlace=It is kept in Lightroom's encrypted store."),
				}),
				factory:password_field({
					value = LrView.bind({ key = "key", bind_to_object = properties }),
					width_in_chars = 40,
				}),
			}),
			actionVerb = LOC("$$$/Safelight/Connections/Store=Store Key"),
		})
		if answer ~= "ok" then
			return
		end
		local isStored, problem = Connections.setKey(provider, properties.key)
		if isStored then
			return
		end
		LrDialogs.message(problem, nil, "warning")
	end
end

local function row(factory, properties, provider)
	local key = ManagerState.keyProperty(provider)
	return factory:row({
		Form.label(factory, provider.title),
		factory:static_text({
			title = LrView.bind({ key = key, bind_to_object = properties }),
			width_in_chars = 12,
		}),
		Form.button(factory, LOC("$$$/Safelight/Connections/SetKey=Set Key..."), function(context)
			askForKey(context, provider)
			ManagerState.showKey(properties, provider)
		end),
		Form.button(factory, LOC("$$$/Safelight/Connections/ForgetKey=Forget Key"), function()
			Connections.forgetKey(provider)
			ManagerState.showKey(properties, provider)
		end),
	})
end

function ConnectionRows.section(factory, properties)
	local section = {
		title = LOC("$$$/Safelight/Connections/Title=Safelight: Connections"),
		synopsis = LOC("$$$/Safelight/Connections/Synopsis=AI services and servers"),
	}
	for _, provider in ipairs(Connections.PROVIDERS) do
		section[#section + 1] = row(factory, properties, provider)
		if not provider.isCloud then
			section[#section + 1] = Form.field(
				factory,
				ADDRESS,
				Connections.addressKey(provider),
				provider.name ~= "server" and USUAL_ADDRESS or nil,
				Connections.addressProblem
			)
		end
	end
	return section
end

return ConnectionRows
