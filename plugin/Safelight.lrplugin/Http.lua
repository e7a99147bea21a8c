--[[
Requests to the service, by the operation's name in the contract. Must be called in a task.
]]

local LrHttp = import("LrHttp")

local Contract = require("Contract")
local Json = require("Json")

local Http = {}

local function headersOf(service, hasBody)
	local headers = { { field = "Accept", value = "application/json" } }
	if hasBody then
		headers[#headers + 1] = { field = "Content-Type", value = "application/json" }
	end
	if service.token then
		headers[#headers + 1] = { field = "Authorization", value = "Bearer " .. service.token }
	end
	return headers
end

local function answerOf(text, info)
	if not text then
		return nil, info and info.error and info.error.errorCode or "noAnswer"
	end
	return { status = info.status, body = Json.decode(text) }
end

-- { status, body } where body is the decoded JSON or nil; or nil and the reason why no answer came
function Http.post(service, operation, body, timeoutSeconds)
	local route = Contract.routes[operation]
	local url = service.url .. route.path
	return answerOf(LrHttp.post(url, Json.encode(body), headersOf(service, true), route.method, timeoutSeconds))
end

-- the same for an operation that takes nothing; a service without a token is asked without one
function Http.get(service, operation, timeoutSeconds)
	return answerOf(LrHttp.get(service.url .. Contract.routes[operation].path, headersOf(service), timeoutSeconds))
end

-- the same for an operation that ends what has this id
function Http.delete(service, operation, id, timeoutSeconds)
	local route = Contract.routes[operation]
	local escaped = string.gsub(id, "[^%w%-_]", function(byte)
		return string.format("%%%02X", string.byte(byte))
	end)
	local path = string.gsub(route.path, "{[%w_]+}", function()
		return escaped
	end)
	return answerOf(LrHttp.post(service.url .. path, "", headersOf(service), route.method, timeoutSeconds))
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
