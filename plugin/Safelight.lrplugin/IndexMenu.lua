--[[
Library > Plug-in Extras > Analyze & Index Photos...: has the service read the catalog so that searches find its photos,
and shows how far it is.
]]

local LrBinding = import("LrBinding")
local LrDialogs = import("LrDialogs")
local LrFunctionContext = import("LrFunctionContext")
local LrView = import("LrView")

local IndexJob = require("IndexJob")
local Ready = require("Ready")
local Settings = require("Settings")

-- whether to begin; the model is kept then
local function choose(context)
	local properties = LrBinding.makePropertyTable(context)
	properties.model = Settings.text("indexModel") or ""
	local factory = LrView.osFactory()
	local answer = LrDialogs.presentModalDialog({
		title = LOC("$$$/Safelight/Index/Title=Analyze & Index Photos"),
		contents = factory:column({
			spacing = factory:control_spacing(),
			factory:static_text({
				title = LOC(
					"$$$/Safelight/Index/What=Safelight reads the metadata of all photos, so that searches find them."
				),
			}),
			factory:static_text({
				title = LOC(
					"$$$/Safelight/Index/Untouched=Nothing in the catalog is changed, and nothing leaves this computer."
				),
			}),
			factory:row({
				factory:static_text({ title = LOC("$$$/Safelight/Index/Model=Model, for chats too") }),
				factory:edit_field({
					value = LrView.bind({ key = "model", bind_to_object = properties }),
					width_in_chars = 32,
					placeholder_string = LOC("$$$/Safelight/Index/ServicesChoice=the one of chats"),
				}),
			}),
		}),
		actionVerb = LOC("$$$/Safelight/Index/Begin=Index Now"),
	})
	if answer ~= "ok" then
		return false
	end
	Settings.setIndexModel(properties.model)
	return true
end

LrFunctionContext.postAsyncTaskWithContext("Safelight index", function(context)
	LrDialogs.attachErrorDialogToFunctionContext(context)
	if not choose(context) then
		return
	end
	local service = Ready.service()
	if service then
		IndexJob.run(context, service)
	end
end)
