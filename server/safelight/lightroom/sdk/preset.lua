--[[
LrDevelopPreset and LrDevelopPresetFolder, and where LrApplication finds them.
]]

local kernel = ...
local Strict = kernel.Strict

local presets, folders = {}, {}
local newFolder, newPreset

local function folder(name)
	folders[name] = folders[name] or newFolder({ id = name })
	return folders[name]
end

local function preset(id)
	presets[id] = presets[id] or newPreset({ id = id })
	return presets[id]
end

newPreset = Strict.class("LrDevelopPreset", {
	getName = {
		{},
		function(self)
			kernel.trip("LrDevelopPreset:getName")
			return kernel.host.preset_name(Strict.hidden(self).id)
		end,
	},
	getUuid = {
		{},
		function(self)
			kernel.trip("LrDevelopPreset:getUuid")
			return Strict.hidden(self).id
		end,
	},
	getSetting = {
		{},
		function(self)
			kernel.trip("LrDevelopPreset:getSetting")
			return Strict.host("preset_settings", Strict.hidden(self).id)
		end,
	},
	getParent = {
		{},
		function(self)
			kernel.trip("LrDevelopPreset:getParent")
			return folder(kernel.host.preset_folder(Strict.hidden(self).id))
		end,
	},
})

newFolder = Strict.class("LrDevelopPresetFolder", {
	getName = {
		{},
		function(self)
			kernel.trip("LrDevelopPresetFolder:getName")
			return Strict.hidden(self).id
		end,
	},
	getDevelopPresets = {
		{},
		function(self)
			kernel.trip("LrDevelopPresetFolder:getDevelopPresets")
			local list = {}
			for index, id in ipairs(kernel.host.presets_in(Strict.hidden(self).id)) do
				list[index] = preset(id)
			end
			return list
		end,
	},
})

kernel.presetsOfApplication = {
	developPresetFolders = {
		{},
		function()
			kernel.trip("LrApplication.developPresetFolders")
			local list = {}
			for index, name in ipairs(kernel.host.preset_folders()) do
				list[index] = folder(name)
			end
			return list
		end,
	},
	developPresetByUuid = {
		{ "string" },
		function(id)
			kernel.trip("LrApplication.developPresetByUuid")
			return kernel.host.preset_exists(id) and preset(id) or nil
		end,
	},
}
