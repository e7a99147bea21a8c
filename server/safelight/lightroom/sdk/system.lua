--[[
The parts of the SDK around the catalog: HTTP, files, paths, preferences, time, text, the log.
]]

local kernel = ...
local Strict = kernel.Strict

local function checkHeaders(call, headers)
	Strict.list(call, 3, headers, "table")
	for _, header in ipairs(headers) do
		Strict.options(call, header, { field = "string", value = "string" })
		if not header.field or not header.value then
			error(call .. ": a header needs field and value", 3)
		end
	end
end

local function request(call, method, url, body, headers, timeout)
	kernel.needTask(call)
	kernel.refuseInGate(call)
	checkHeaders(call, headers or {})
	return coroutine.yield("http", method, url, body, headers or {}, timeout or 30)
end

kernel.sdk.LrHttp = Strict.namespace("LrHttp", {
	get = {
		{ "string", "table|nil", "number|nil" },
		function(url, headers, timeout)
			return request("LrHttp.get", "GET", url, nil, headers, timeout)
		end,
	},
	post = {
		{ "string", "string", "table|nil", "string|nil", "number|nil", "number|nil" },
		function(url, body, headers, method, timeout)
			return request("LrHttp.post", method or "POST", url, body, headers, timeout)
		end,
	},
	openUrlInBrowser = {
		{ "string" },
		function(url)
			kernel.host.open_url(url)
		end,
	},
})

local function hostFunction(name, kinds)
	return {
		kinds,
		function(...)
			return Strict.host(name, ...)
		end,
	}
end

local function plainFunction(name, kinds)
	return {
		kinds,
		function(...)
			return kernel.host[name](...)
		end,
	}
end

-- Lightroom does not say whether these yield, so they do here.
local function diskFunction(name, hostCall)
	return {
		{ "string" },
		function(path)
			kernel.needTask("LrFileUtils." .. name)
			coroutine.yield("turn")
			return kernel.host[hostCall](path)
		end,
	}
end

kernel.sdk.LrPathUtils = Strict.namespace("LrPathUtils", {
	child = hostFunction("path_child", { "string", "string" }),
	parent = hostFunction("path_parent", { "string" }),
	leafName = hostFunction("path_leaf", { "string" }),
	extension = hostFunction("path_extension", { "string" }),
	isAbsolute = hostFunction("path_is_absolute", { "string" }),
	removeExtension = hostFunction("path_without_extension", { "string" }),
	getStandardFilePath = hostFunction("standard_path", { "string" }),
})

kernel.sdk.LrFileUtils = Strict.namespace("LrFileUtils", {
	exists = plainFunction("file_exists", { "string" }),
	readFile = hostFunction("read_file", { "string" }),
	createDirectory = diskFunction("createDirectory", "create_folder"),
	createAllDirectories = diskFunction("createAllDirectories", "create_all_folders"),
	delete = diskFunction("delete", "delete_file"),
	chooseUniqueFileName = plainFunction("unique_path", { "string" }),
	volumeAttributes = diskFunction("volumeAttributes", "volume"),
})

kernel.sdk.LrMD5 = Strict.namespace("LrMD5", { digest = hostFunction("md5", { "string" }) })

kernel.sdk.LrStringUtils = Strict.namespace("LrStringUtils", {
	encodeBase64 = hostFunction("encode_base64", { "string" }),
	truncate = hostFunction("truncate", { "string", "number" }),
	lower = hostFunction("lower_case", { "string" }),
	trimWhitespace = {
		{ "string" },
		function(text)
			return string.match(text, "^%s*(.-)%s*$")
		end,
	},
})

kernel.sdk.LrDate = Strict.namespace("LrDate", {
	currentTime = {
		{},
		function()
			return kernel.host.current_time()
		end,
	},
})

local PLAIN = { string = true, number = true, boolean = true, ["nil"] = true }

local prefs = setmetatable({}, {
	__index = function(_, key)
		return kernel.host.get_pref(key)
	end,
	__newindex = function(_, key, value)
		if type(key) ~= "string" or not PLAIN[type(value)] then
			error("LrPrefs: only plain values can be kept under text keys (" .. tostring(key) .. ")", 2)
		end
		kernel.host.set_pref(key, value)
	end,
	__metatable = false,
})
kernel.prefs = prefs

kernel.sdk.LrPrefs = Strict.namespace("LrPrefs", {
	prefsForPlugin = {
		{ "string|nil" },
		function()
			return prefs
		end,
	},
})

-- Lightroom does not say whether its store of passwords yields, so it does here.
local function secret(name, hostCall, kinds)
	return {
		kinds,
		function(...)
			kernel.needTask("LrPasswords." .. name)
			kernel.refuseInGate("LrPasswords." .. name)
			coroutine.yield("turn")
			return kernel.host[hostCall](...)
		end,
	}
end

kernel.sdk.LrPasswords = Strict.namespace("LrPasswords", {
	store = secret("store", "store_password", { "string", "string" }),
	retrieve = secret("retrieve", "retrieve_password", { "string" }),
})

local LEVELS = { "trace", "debug", "info", "warn", "error", "fatal" }

local loggerMethods = {
	enable = { { "string|table" }, function() end },
	disable = { {}, function() end },
}
for _, level in ipairs(LEVELS) do
	loggerMethods[level] = {
		{ "any", "any", "any", "any" },
		function(self, ...)
			local words = {}
			for index = 1, select("#", ...) do
				words[index] = tostring((select(index, ...)))
			end
			kernel.host.log(Strict.hidden(self).name, level, table.concat(words, " "))
		end,
	}
end

local newLogger = Strict.class("LrLogger", loggerMethods)

kernel.sdk.LrLogger = Strict.namespace("LrLogger", {}, function(_, name)
	Strict.arguments("LrLogger", { "string" }, name)
	return newLogger({ name = name })
end)
