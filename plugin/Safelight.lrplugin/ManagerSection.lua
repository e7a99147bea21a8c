--[[
The plug-in's section in the Plug-in Manager: the service, what agents may do, the models.
]]

local LrDialogs = import("LrDialogs")
local LrView = import("LrView")

local Bridge = require("Bridge")
local Contract = require("Contract")
local EngineSettings = require("EngineSettings")
local Form = require("Form")
local Launcher = require("Launcher")
local McpConfiguration = require("McpConfiguration")
local Settings = require("Settings")
local StatusWords = require("StatusWords")

local ManagerSection = {}

local SERVICES_CHOICE = LOC("$$$/Safelight/Manager/ServicesChoice=chosen by Safelight")

local function start()
	local service, problem = Launcher.service()
	if not service then
		LrDialogs.message(problem.message, problem.info, "warning")
		return
	end
	Bridge.ensure()
end

function ManagerSection.service(factory, properties)
	return {
		title = LOC("$$$/Safelight/Manager/Title=Safelight"),
		synopsis = StatusWords.now(),
		factory:row({
			factory:static_text({
				title = LrView.bind({ key = "status", bind_to_object = properties }),
				fill_horizontal = 1,
			}),
		}),
		factory:row({
			Form.button(factory, LOC("$$$/Safelight/Manager/Start=Start"), start),
			Form.button(factory, LOC("$$$/Safelight/Manager/Stop=Stop"), Bridge.stop),
			factory:static_text({ title = LOC("$$$/Safelight/Manager/Version=Version ^1", Contract.version) }),
		}),
		Form.field(
			factory,
			LOC("$$$/Safelight/Manager/Program=Program"),
			"program",
			LOC("$$$/Safelight/Manager/ProgramFound=found by itself")
		),
	}
end

function ManagerSection.agents(factory)
	return {
		title = LOC("$$$/Safelight/Manager/AgentsTitle=Safelight: AI Agents"),
		synopsis = LOC("$$$/Safelight/Manager/AgentsSynopsis=What agents may do here"),
		Form.checkbox(
			factory,
			LOC("$$$/Safelight/Manager/Agents=AI agents may work with this catalog, under the rules of the chat"),
			"agentsOn"
		),
		Form.checkbox(
			factory,
			LOC("$$$/Safelight/Manager/ReadOnly=Read-only: agents can look, and change nothing in Lightroom"),
			"readOnly"
		),
		factory:row({
			factory:push_button({
				title = LOC("$$$/Safelight/Manager/StopAgents=Stop Agent Control"),
				-- in the callback itself: nothing comes before it
				action = function()
					Settings.setAgentsOn(false)
				end,
			}),
			Form.button(factory, LOC("$$$/Safelight/Manager/CopyMcp=Copy MCP Configuration..."), McpConfiguration.show),
		}),
	}
end

function ManagerSection.models(factory)
	local section = {
		title = LOC("$$$/Safelight/Manager/ModelsTitle=Safelight: Models"),
		synopsis = LOC("$$$/Safelight/Manager/ModelsSynopsis=Model of chats, and how it runs"),
		Form.field(factory, LOC("$$$/Safelight/Manager/Model=Model of chats"), "chatModel", SERVICES_CHOICE),
	}
	for _, field in ipairs(EngineSettings.FIELDS) do
		section[#section + 1] = Form.field(factory, field.label, field.key, SERVICES_CHOICE, function(text)
			return EngineSettings.problem(field, text)
		end)
	end
	return section
end

return ManagerSection
