--[[
What a plug-in's file can see: Lua 5.1 without the parts that Lightroom takes away, import, require and LOC. Each script
runs in its own environment; names that nobody gave throw, and nothing can be made global.
]]

local kernel = ...
local Strict = kernel.Strict

local function import(name)
	Strict.arguments("import", { "string" }, name)
	local module = kernel.sdk[name]
	if not module then
		error("import: the SDK (or its simulation) has no '" .. name .. "'", 2)
	end
	return module
end

-- "$$$/Path/To/Key=The English text with ^1 and ^2"
local function LOC(text, ...)
	if type(text) ~= "string" or not string.find(text, "^%$%$%$/[%w/_]+=") then
		error('LOC: not of the form "$$$/Key=Text": ' .. tostring(text), 2)
	end
	local values = { ... }
	local key, english = string.match(text, "^([^=]*)=(.*)$")
	local result = string.gsub(kernel.host.translation(key) or english, "%^(%d)", function(digit)
		local value = values[tonumber(digit)]
		return value ~= nil and tostring(value) or ""
	end)
	return result
end

local newPlugin = Strict.class("LrPlugin", {}, {
	id = function()
		return kernel.toolkitIdentifier
	end,
	path = function()
		return kernel.host.plugin_path()
	end,
})

local basics = {
	assert = assert,
	error = error,
	ipairs = ipairs,
	math = math,
	next = next,
	pairs = pairs,
	pcall = pcall,
	rawequal = rawequal,
	select = select,
	setmetatable = setmetatable,
	string = string,
	table = table,
	tonumber = tonumber,
	tostring = tostring,
	type = type,
	unpack = unpack,
	LOC = LOC,
}

local modules = {}

local function environment(extra)
	return setmetatable({}, {
		__index = function(_, name)
			local value = basics[name]
			if value == nil and extra then
				value = extra[name]
			end
			if value == nil and name ~= "WIN_ENV" and name ~= "MAC_ENV" then
				error("there is no global '" .. tostring(name) .. "' in a plug-in", 2)
			end
			return value
		end,
		__newindex = function(_, name)
			error("a plug-in's script makes the global '" .. tostring(name) .. "'", 2)
		end,
		__metatable = false,
	})
end

local function load(file, extra)
	local source = kernel.host.plugin_source(file)
	if not source then
		error("the plug-in has no file " .. file, 0)
	end
	local chunk, message = loadstring(source, "@" .. file)
	if not chunk then
		error(message, 0)
	end
	return setfenv(chunk, environment(extra))
end

local full

local function require(name)
	Strict.arguments("require", { "string" }, name)
	if string.find(name, "[^%w_]") then
		error("require takes root-level names of the plug-in's folder, not '" .. name .. "'", 2)
	end
	local module = modules[name]
	if module == nil then
		module = load(name .. ".lua", full)()
		if module == nil then
			module = true
		end
		modules[name] = module
	end
	return module
end

-- called once per loading of the plug-in, so that a reloaded one shares nothing with its predecessor
function kernel.loadPlugin()
	modules = {}
	local info = load("Info.lua", {})()
	if type(info) ~= "table" or type(info.LrToolkitIdentifier) ~= "string" or type(info.LrSdkVersion) ~= "number" then
		error("Info.lua must return a table with LrToolkitIdentifier and LrSdkVersion", 0)
	end
	kernel.toolkitIdentifier = info.LrToolkitIdentifier
	full = {
		import = import,
		require = require,
		_PLUGIN = newPlugin({}),
		os = { time = os.time, date = os.date, clock = os.clock },
	}
	full[kernel.host.system_name() .. "_ENV"] = true
	return info
end

-- runs a file of the plug-in outside any task, as Lightroom does with start and menu scripts
function kernel.runScript(file, origin)
	local before = kernel.origin
	kernel.origin = origin
	local done, result = pcall(load(file, full))
	kernel.origin = before
	if not done then
		error(result, 0)
	end
	return result
end

-- runs a snippet of Lua in a task, as if it stood in a file of the plug-in
function kernel.runSnippet(source, origin)
	local chunk = assert(loadstring(source, "@snippet.lua"))
	setfenv(chunk, environment(full))
	local before = kernel.origin
	kernel.origin = origin
	kernel.newTask(chunk, "snippet", true)
	kernel.origin = before
end

function kernel.shutdown(file)
	local script = kernel.runScript(file, "shutdown")
	local isDone = false
	if type(script) == "table" and script.LrShutdownFunction then
		script.LrShutdownFunction(function()
			isDone = true
		end, function() end)
		return isDone
	end
	return true
end

function kernel.sdkNames()
	return Strict.names
end

-- runs a snippet outside any task
function kernel.runLoose(source)
	local chunk = assert(loadstring(source, "@snippet.lua"))
	setfenv(chunk, environment(full))
	local done, message = pcall(chunk)
	if not done then
		error(message, 0)
	end
end
