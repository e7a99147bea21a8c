--[[
Library > Plug-in Extras > Chat with Your Catalog...: opens a chat at the service and its page in the browser. Nothing
stays open in Lightroom.
]]

local LrDialogs = import("LrDialogs")
local LrFunctionContext = import("LrFunctionContext")
local LrHttp = import("LrHttp")

local Connections = require("Connections")
local EngineSettings = require("EngineSettings")
local Http = require("Http")
local Log = require("Log")
local Ready = require("Ready")
local Receivers = require("Receivers")
local Settings = require("Settings")

local ANSWER_SECONDS = 60

local NOT_OPENED = LOC("$$$/Safelight/Chat/Refused=The chat could not be opened.")
local SET_UP = LOC("$$$/Safelight/Chat/SetUp=Or choose another model in File > Plug-in Manager > Safelight.")

local function say(message, info)
	LrDialogs.message(message, info, "warning")
end

local function sayRefused(answer)
	local code = type(answer.body) == "table" and answer.body.code
	if code == "model_missing" then
		return say(
			LOC("$$$/Safelight/Chat/NoModel=There is no model to chat with."),
			Http.detail(answer) .. " " .. SET_UP
		)
	end
	say(NOT_OPENED, Http.detail(answer))
end

-- whether the person agrees to whom the service says it sends; a chat that goes nowhere is ended again
local function isAgreed(service, chat)
	if type(chat.sends_to) ~= "string" or Receivers.agree(chat.sends_to) then
		return true
	end
	local answer, reason = Http.delete(service, "delete_chat", tostring(chat.session_id), ANSWER_SECONDS)
	if not answer or answer.status ~= 204 then
		Log:warn("delete_chat: " .. (reason or Http.detail(answer)))
	end
	return false
end

local function openChat(service)
	local model = Settings.model()
	local receiver = Receivers.of(model)
	if receiver and not Receivers.agree(receiver) then
		return
	end
	local answer, reason = Http.post(service, "open_chat", {
		model = model,
		mode = Settings.chatMode(),
		connections = Connections.all(),
		engine = EngineSettings.chosen(),
	}, ANSWER_SECONDS)
	if not answer then
		Log:warn("open_chat: " .. reason)
		return say(
			NOT_OPENED,
			LOC("$$$/Safelight/Chat/NoAnswer=Safelight did not answer. Choose this menu item again.")
		)
	end
	local chat = answer.body
	if answer.status ~= 201 or type(chat) ~= "table" or type(chat.page_url) ~= "string" then
		return sayRefused(answer)
	end
	if string.sub(chat.page_url, 1, #service.url + 1) ~= service.url .. "/" then
		return say(NOT_OPENED, LOC("$$$/Safelight/Chat/OtherPage=The page's address is not the service's own."))
	end
	if isAgreed(service, chat) then
		LrHttp.openUrlInBrowser(chat.page_url)
	end
end

LrFunctionContext.postAsyncTaskWithContext("Safelight chat", function(context)
	LrDialogs.attachErrorDialogToFunctionContext(context)
	local service = Ready.service()
	if service then
		openChat(service)
	end
end)
