--[[
Library > Plug-in Extras > Chat with Your Catalog...: opens a chat at the service and its page in the browser.
]]

local LrDialogs = import("LrDialogs")
local LrFunctionContext = import("LrFunctionContext")
local LrHttp = import("LrHttp")

local Bridge = require("Bridge")
local Http = require("Http")
local Log = require("Log")
local Service = require("Service")
local Settings = require("Settings")

local ANSWER_SECONDS = 60

local function say(message, info)
	LrDialogs.message(message, info, "warning")
end

local function sayNotRunning()
	say(
		LOC("$$$/Safelight/Chat/NotRunning=Safelight is not running."),
		LOC(
			"$$$/Safelight/Chat/HowToStart=Start it in a terminal with: safelight serve. Then choose this menu item again."
		)
	)
end

local function openChat(service)
	local answer, reason =
		Http.post(service, "open_chat", { model = Settings.chatModel(), mode = Settings.chatMode() }, ANSWER_SECONDS)
	if not answer then
		Log:warn("open_chat: " .. reason)
		return sayNotRunning()
	end
	local page = answer.body and answer.body.page_url
	if answer.status ~= 201 or type(page) ~= "string" then
		return say(LOC("$$$/Safelight/Chat/Refused=The chat could not be opened."), Http.detail(answer))
	end
	if string.sub(page, 1, #service.url + 1) ~= service.url .. "/" then
		return say(
			LOC("$$$/Safelight/Chat/Refused=The chat could not be opened."),
			LOC("$$$/Safelight/Chat/OtherPage=The page's address is not the service's own.")
		)
	end
	LrHttp.openUrlInBrowser(page)
end

LrFunctionContext.postAsyncTaskWithContext("Safelight chat", function(context)
	LrDialogs.attachErrorDialogToFunctionContext(context)
	if not Settings.areAgentsOn() then
		return say(
			LOC("$$$/Safelight/Chat/AgentsOff=AI agents are turned off."),
			LOC("$$$/Safelight/Chat/HowToTurnOn=Turn them on in File > Plug-in Manager > Safelight.")
		)
	end
	local service = Service.find()
	if not service then
		return sayNotRunning()
	end
	local mismatch = Bridge.mismatch()
	if mismatch then
		return say(LOC("$$$/Safelight/Chat/Mismatch=Safelight and its plug-in are of different versions."), mismatch)
	end
	Bridge.ensure()
	openChat(service)
end)
