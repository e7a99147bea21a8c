--[[
Requests to the service, by the operation's name in the contract. Must be called in a task.
]]

local LrHttp = import("LrHttp")

local Contract = require("Contract")
local Json = require("Json")

local Http = {}

-- { status, body } where body is the decoded JSON or nil; or nil and the reason why no answer came
function Http.post(service, operation, body, timeoutSeconds)
	local route = Contract.routes[operation]
	local headers = {
		{ field = "Content-Type", value = "application/json" },
		{ field = "Accept", value = "application/json" },
		{ field = "Authorization", value = "Bearer " .. service.token },
	}
	local text, answer =
		LrHttp.post(service.url .. route.path, Json.encode(body), headers, route.method, timeoutSeconds)
	if not text then
		return nil, answer and answer.error and answer.error.errorCode or "noAnswer"
	end
	return { status = answer.status, body = Json.decode(text) }
end

-- what a refusal says about itself, for people
function Http.detail(answer)
	local body = answer.body
	if type(body) == "table" and type(body.detail) == "string" then
		return body.detail
	end
	return "HTTP " .. tostring(answer.status)
end

return Http
