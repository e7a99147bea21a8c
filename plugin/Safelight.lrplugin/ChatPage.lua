--[[
A chat at the service, and its page in the browser. What goes wrong is said in a dialog. Must be called in a task.
]]

local LrDialogs = import("LrDialogs")
local LrHttp = import("LrHttp")

local Http = require("Http")
local Log = require("Log")

local ChatPage = {}

local ANSWER_SECONDS = 60

local SET_UP = LOC("$$$/Safelight/Chat/SetUp=Or choose another model in File > Plug-in Manager > Safelight.")

local function say(message, info)
	LrDialogs.message(message, info, "warning")
end

local function sayRefused(answer, notOpened)
	local code = type(answer.body) == "table" and answer.body.code
	if code == "model_missing" then
		return say(
			LOC("$$$/Safelight/Chat/NoModel=There is no model to chat with."),
			Http.detail(answer) .. " " .. SET_UP
		)
	end
	say(notOpened, Http.detail(answer))
end

-- The chat that the service opens by this request, its page's address checked; nil when there is none, which has been
-- said, in the words notOpened first.
function ChatPage.request(service, request, notOpened)
	local answer, reason = Http.post(service, "open_chat", request, ANSWER_SECONDS)
	if not answer then
		Log:warn("open_chat: " .. reason)
		say(notOpened, LOC("$$$/Safelight/Chat/NoAnswer=Safelight did not answer. Choose this menu item again."))
		return nil
	end
	local chat = answer.body
	if answer.status ~= 201 or type(chat) ~= "table" or type(chat.page_url) ~= "string" then
		sayRefused(answer, notOpened)
		return nil
	end
	if string.sub(chat.page_url, 1, #service.url + 1) ~= service.url .. "/" then
		say(notOpened, LOC("$$$/Safelight/Chat/OtherPage=The page's address is not the service's own."))
		return nil
	end
	return chat
end

function ChatPage.show(chat)
	LrHttp.openUrlInBrowser(chat.page_url)
end

-- ends a chat whose page nobody is to see
function ChatPage.drop(service, chat)
	local answer, reason = Http.delete(service, "delete_chat", tostring(chat.session_id), ANSWER_SECONDS)
	if not answer or answer.status ~= 204 then
		Log:warn("delete_chat: " .. (reason or Http.detail(answer)))
	end
end

return ChatPage
