--[[
Library > Plug-in Extras > Questions from Other Agents...: opens the page on which agents of other programs ask before
they change something. It needs no model, and nothing of it leaves this computer.
]]

local LrDialogs = import("LrDialogs")
local LrFunctionContext = import("LrFunctionContext")

local ChatPage = require("ChatPage")
local Ready = require("Ready")

LrFunctionContext.postAsyncTaskWithContext("Safelight inbox", function(context)
	LrDialogs.attachErrorDialogToFunctionContext(context)
	local service = Ready.service()
	local chat = service
		and ChatPage.request(
			service,
			{ view = "inbox" },
			LOC("$$$/Safelight/Inbox/Refused=The questions of other agents could not be opened.")
		)
	if chat then
		ChatPage.show(chat)
	end
end)
