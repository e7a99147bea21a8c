--[[
What other AI apps need to use Safelight's tools: the configuration of an MCP server, with an app token of its own.
Lightroom offers no way to the clipboard, so the text is shown in a field to copy it from. Must be called in a task.
]]

local LrBinding = import("LrBinding")
local LrDialogs = import("LrDialogs")
local LrView = import("LrView")

local Http = require("Http")
local Json = require("Json")
local Launcher = require("Launcher")
local Service = require("Service")
local Settings = require("Settings")

local McpConfiguration = {}

local ANSWER_SECONDS = 10
local TOKEN_NAME = "MCP app, from Lightroom"
local WIDTH_IN_CHARS = 60

local OVER_HTTP = [[
{
  "mcpServers": {
    "safelight": {
      "type": "http",
      "url": %s,
      "headers": { "Authorization": %s }
    }
  }
}]]

local OVER_STDIO = [[
{
  "mcpServers": {
    "safelight": {
      "command": %s,
      "args": %s
    }
  }
}]]

local function overStdio()
	local arguments = { "mcp" }
	local folder = Settings.dataFolder()
	if folder then
		arguments[2] = "--data-dir"
		arguments[3] = folder
	end
	local program = Launcher.program() or "safelight"
	return string.format(OVER_STDIO, Json.encode(program), Json.encode(arguments))
end

local function present(context, texts)
	local properties = LrBinding.makePropertyTable(context)
	properties.http, properties.stdio = texts.http, texts.stdio
	local factory = LrView.osFactory()
	local function text(title)
		return factory:static_text({ title = title })
	end
	local function field(key, lines)
		return factory:edit_field({
			value = LrView.bind({ key = key, bind_to_object = properties }),
			width_in_chars = WIDTH_IN_CHARS,
			height_in_lines = lines,
		})
	end
	LrDialogs.presentModalDialog({
		title = LOC("$$$/Safelight/Mcp/Title=MCP Configuration"),
		contents = factory:column({
			spacing = factory:control_spacing(),
			text(
				LOC(
					"$$$/Safelight/Mcp/Copy=Select the text of one field, copy it, and paste it into your AI app's settings."
				)
			),
			text(LOC("$$$/Safelight/Mcp/Http=For apps that connect over HTTP. The new token in it is shown only now:")),
			field("http", 9),
			text(LOC("$$$/Safelight/Mcp/Stdio=For apps that start a program. It makes its own token:")),
			field("stdio", 8),
		}),
		actionVerb = LOC("$$$/Safelight/Mcp/Done=Done"),
		-- Lightroom's word for a dialog without a second button
		cancelVerb = "< exclude >",
	})
end

function McpConfiguration.show(context)
	local service = Service.reach()
	if not service then
		LrDialogs.message(
			LOC("$$$/Safelight/Mcp/NotRunning=Safelight is not running."),
			LOC("$$$/Safelight/Mcp/StartFirst=Press Start first: the configuration needs a token of the service."),
			"warning"
		)
		return
	end
	local answer, reason = Http.post(service, "mint_token", { name = TOKEN_NAME, role = "editor" }, ANSWER_SECONDS)
	local minted = answer and answer.status == 201 and answer.body
	if type(minted) ~= "table" or type(minted.token) ~= "string" then
		LrDialogs.message(
			LOC("$$$/Safelight/Mcp/NoToken=No token could be made."),
			reason or Http.detail(answer),
			"warning"
		)
		return
	end
	present(context, {
		http = string.format(OVER_HTTP, Json.encode(service.url .. "/mcp"), Json.encode("Bearer " .. minted.token)),
		stdio = overStdio(),
	})
end

return McpConfiguration
