--[[
Where the service is: its data folder, and the address and agent token in there. Read anew for each connection, since
the service may have been restarted on another port. Only an address of this computer is accepted.
]]

local LrFileUtils = import("LrFileUtils")
local LrPathUtils = import("LrPathUtils")

local Http = require("Http")
local Json = require("Json")
local Settings = require("Settings")

local Service = {}

local HEALTH_SECONDS = 5

local function usualDataFolder()
	local child = LrPathUtils.child
	local home = LrPathUtils.getStandardFilePath("home")
	if MAC_ENV then
		return child(child(child(home, "Library"), "Application Support"), "safelight")
	elseif WIN_ENV then
		-- not "appData", which is the roaming folder of Lightroom
		return child(child(child(home, "AppData"), "Local"), "safelight")
	end
	return child(child(child(home, ".local"), "share"), "safelight")
end

function Service.dataFolder()
	return Settings.dataFolder() or usualDataFolder()
end

local function read(folder, name)
	local path = LrPathUtils.child(folder, name)
	if not LrFileUtils.exists(path) then
		return nil
	end
	-- a file that goes away in between throws; reading a file does not yield
	local isRead, text = pcall(LrFileUtils.readFile, path)
	return isRead and text or nil
end

-- { url, token }, or nil when the service has left no word about itself
function Service.find()
	local folder = Service.dataFolder()
	local runtime = Json.decode(read(folder, "runtime.json"))
	local token = read(folder, "agent-token")
	if type(runtime) ~= "table" or type(runtime.url) ~= "string" or not token then
		return nil
	end
	local url = string.match(runtime.url, "^(http://127%.0%.0%.1:%d+)/*$")
	token = string.match(token, "^%s*([%w%-%._~%+/=]+)%s*$")
	if not url or not token then
		return nil
	end
	return { url = url, token = token }
end

-- The service when it answers. It is asked without the token, since another program may have been given the port of a
-- service that was killed. Must be called in a task.
function Service.reach()
	local service = Service.find()
	local answer = service and Http.get({ url = service.url }, "get_health", HEALTH_SECONDS)
	local health = answer and answer.status == 200 and answer.body
	if type(health) == "table" and health.name == "safelight" then
		return service
	end
	return nil
end

return Service
