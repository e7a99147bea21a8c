--[[
The AI services and servers that the person has set up. Keys are in Lightroom's encrypted store alone; addresses are in
the preferences. Whatever touches a key must be called in a task.
]]

local LrPasswords = import("LrPasswords")

local Settings = require("Settings")

local Connections = {}

local LONGEST = 500

-- isCloud: the provider has one address, which the service knows
Connections.PROVIDERS = {
	{ name = "openai", title = "OpenAI", isCloud = true },
	{ name = "anthropic", title = "Anthropic", isCloud = true },
	{ name = "gemini", title = "Google Gemini", isCloud = true },
	{ name = "ollama", title = "Ollama" },
	{ name = "lmstudio", title = "LM Studio" },
	{ name = "server", title = LOC("$$$/Safelight/Connections/Own=Own server") },
}

local function keyName(provider)
	return "apiKey_" .. provider.name
end

-- the preference that holds the provider's address
function Connections.addressKey(provider)
	return "baseUrl_" .. provider.name
end

-- nil, or what is wrong with the text
function Connections.addressProblem(text)
	local address = string.match(text, "^%s*(.-)%s*$")
	if address == "" or (#address <= LONGEST and string.find(address, "^https?://[^%s/]+[^%s]*$")) then
		return nil
	end
	return LOC("$$$/Safelight/Connections/BadAddress=An address starts with http:// or https://, or is left empty.")
end

-- nil for a cloud service, and where none or none that fits was typed
function Connections.address(provider)
	local address = not provider.isCloud and Settings.text(Connections.addressKey(provider))
	if address and not Connections.addressProblem(address) then
		return address
	end
	return nil
end

function Connections.hasKey(provider)
	local key = LrPasswords.retrieve(keyName(provider))
	return type(key) == "string" and key ~= ""
end

-- true, or nil and what is wrong with the key
function Connections.setKey(provider, text)
	local key = string.match(text or "", "^%s*(.-)%s*$")
	if key == "" or #key > LONGEST or string.find(key, "[%s%c]") then
		return nil,
			LOC("$$$/Safelight/Connections/BadKey=That is no API key: it has no spaces and up to 500 characters.")
	end
	LrPasswords.store(keyName(provider), key)
	return true
end

function Connections.forgetKey(provider)
	-- the store cannot remove, only replace
	LrPasswords.store(keyName(provider), "")
end

-- the contract's list of Connection, nil when nothing is set up
function Connections.all()
	local connections
	for _, provider in ipairs(Connections.PROVIDERS) do
		local key = LrPasswords.retrieve(keyName(provider))
		local address = Connections.address(provider)
		local hasKey = type(key) == "string" and key ~= ""
		if hasKey or address then
			connections = connections or {}
			connections[#connections + 1] =
				{ provider = provider.name, base_url = address, api_key = hasKey and key or nil }
		end
	end
	return connections
end

return Connections
