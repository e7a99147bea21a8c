--[[
Who gets a conversation when it leaves this computer. The person is asked once for each, before anything is sent.
]]

local LrDialogs = import("LrDialogs")

local Connections = require("Connections")
local Settings = require("Settings")

local Receivers = {}

local function isThisComputer(host)
	return host == "localhost" or host == "[::1]" or string.find(host, "^127%.%d+%.%d+%.%d+$") ~= nil
end

-- host and port of an address as a person reads them, and the host alone
local function hostOf(address)
	local authority = string.match(address, "^https?://([^/?#]+)") or address
	-- what stands before an @ is a name to log in with, whatever it looks like
	local place = string.lower(string.match(authority, "([^@]*)$"))
	return place, string.match(place, "^%[.-%]") or string.match(place, "^[^:]*")
end

-- who gets a chat with that model, as a name to show; nil when it stays on this computer
function Receivers.of(model)
	local name = model and string.lower(string.match(model, "^(%w+):") or "")
	for _, provider in ipairs(Connections.PROVIDERS) do
		if provider.name == name then
			if provider.isCloud then
				return provider.title
			end
			local address = Connections.address(provider)
			local place, host = hostOf(address or "http://localhost")
			return not isThisComputer(host) and place or nil
		end
	end
	return nil
end

-- whether the person agrees, now or since an earlier chat
function Receivers.agree(receiver)
	if Settings.hasAgreedTo(receiver) then
		return true
	end
	local answer = LrDialogs.confirm(
		LOC("$$$/Safelight/Receivers/Ask=Send to ^1?", receiver),
		LOC("$$$/Safelight/Receivers/Leaves=This chat leaves your computer.")
			.. " "
			.. LOC(
				"$$$/Safelight/Receivers/What=What you write, and photos and metadata that the model looks at, go to ^1.",
				receiver
			),
		LOC("$$$/Safelight/Receivers/Send=Send"),
		LOC("$$$/Safelight/Receivers/DoNotSend=Don't Send")
	)
	if answer ~= "ok" then
		return false
	end
	Settings.agreeTo(receiver)
	return true
end

return Receivers
