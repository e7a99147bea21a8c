--[[
Library > Plug-in Extras > Chat with Your Catalog...: opens a chat at the service and its page in the browser. Nothing
stays open in Lightroom.
]]

local LrDialogs = import("LrDialogs")
local LrFunctionContext = import("LrFunctionContext")

local ChatPage = require("ChatPage")
local Connections = require("Connections")
local EngineSettings = require("EngineSettings")
local Ready = require("Ready")
local Receivers = require("Receivers")
local Settings = require("Settings")

local function openChat(service)
	local model = Settings.model()
	local receiver = Receivers.of(model)
	if receiver and not Receivers.agree(receiver) then
		return
	end
	local chat = ChatPage.request(service, {
		model = model,
		mode = Settings.chatMode(),
		connections = Connections.all(),
		engine = EngineSettings.chosen(),
	}, LOC("$$$/Safelight/Chat/Refused=The chat could not be opened."))
	if not chat then
		return
	end
	-- the service may send it to somebody whom only it knows of
	if type(chat.sends_to) == "string" and not Receivers.agree(chat.sends_to) then
		return ChatPage.drop(service, chat)
	end
	ChatPage.show(chat)
end

LrFunctionContext.postAsyncTaskWithContext("Safelight chat", function(context)
	LrDialogs.attachErrorDialogToFunctionContext(context)
	local service = Ready.service()
	if service then
		openChat(service)
	end
end)
