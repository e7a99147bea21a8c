--[[
LrExportSession: photos and settings that are checked as a whole, and renditions that are waited for one by one.
]]

local kernel = ...
local Strict = kernel.Strict

local function oneOf(...)
	local choices = { ... }
	return function(value)
		for _, choice in ipairs(choices) do
			if value == choice then
				return nil
			end
		end
		return "one of " .. table.concat(choices, ", ")
	end
end

local function between(least, most)
	return function(value)
		if type(value) ~= "number" or value < least or value > most then
			return "a number from " .. least .. " to " .. most
		end
	end
end

local function ofType(kind)
	return function(value)
		if type(value) ~= kind then
			return "a " .. kind
		end
	end
end

-- Lightroom takes any setting and leaves those that it does not understand aside; here they throw.
local SETTINGS = {
	LR_format = oneOf("JPEG", "TIFF", "PNG", "PSD", "DNG", "AVIF", "JXL", "ORIGINAL"),
	-- "ask" puts a dialog before the photographer and waits for an answer
	LR_collisionHandling = oneOf("rename", "overwrite", "skip"),
	LR_export_destinationType = oneOf("specificFolder"),
	LR_export_destinationPathPrefix = ofType("string"),
	LR_export_useSubfolder = ofType("boolean"),
	LR_export_colorSpace = oneOf("sRGB", "AdobeRGB", "ProPhotoRGB"),
	LR_export_bitDepth = oneOf(8, 16),
	LR_export_postProcessing = oneOf("doNothing"),
	LR_jpeg_quality = between(0, 1),
	LR_size_doConstrain = ofType("boolean"),
	LR_size_doNotEnlarge = ofType("boolean"),
	LR_size_resizeType = oneOf("longEdge", "shortEdge", "wh", "dimensions", "megapixels", "percentage"),
	LR_size_maxWidth = between(1, 65000),
	LR_size_maxHeight = between(1, 65000),
	LR_size_units = oneOf("pixels", "inch", "cm"),
	LR_reimportExportedPhoto = ofType("boolean"),
	LR_includeVideoFiles = ofType("boolean"),
	LR_embeddedMetadataOption = oneOf("all", "copyrightOnly", "copyrightAndContactOnly", "allExceptCameraInfo"),
	LR_removeLocationMetadata = ofType("boolean"),
	LR_outputSharpeningOn = ofType("boolean"),
	LR_useWatermark = ofType("boolean"),
}
local NEEDED = {
	"LR_format",
	"LR_collisionHandling",
	"LR_export_destinationType",
	"LR_export_destinationPathPrefix",
}
local SIMULATED = { JPEG = true, TIFF = true, PNG = true, DNG = true, ORIGINAL = true }

local function checkSettings(settings)
	for _, key in ipairs(NEEDED) do
		if settings[key] == nil then
			error("LrExportSession: the setting " .. key .. " is missing", 4)
		end
	end
	for key, value in pairs(settings) do
		local check = SETTINGS[key]
		local wanted = check and check(value)
		if not check then
			error("LrExportSession knows no setting '" .. tostring(key) .. "'", 4)
		elseif wanted then
			error("LrExportSession: the setting " .. key .. " must be " .. wanted .. ", got " .. tostring(value), 4)
		end
	end
	if not SIMULATED[settings.LR_format] then
		error("LrExportSession: the simulated Lightroom writes no " .. settings.LR_format, 4)
	elseif settings.LR_size_doConstrain and not (settings.LR_size_maxWidth and settings.LR_size_maxHeight) then
		error("LrExportSession: LR_size_doConstrain needs LR_size_maxWidth and LR_size_maxHeight", 4)
	end
end

local newRendition = Strict.class("LrExportRendition", {
	waitForRender = {
		{},
		function(self)
			kernel.needTask("LrExportRendition:waitForRender")
			kernel.refuseInGate("LrExportRendition:waitForRender")
			local secret = Strict.hidden(self)
			if secret.wasSkipped then
				return false, "skipped"
			elseif not secret.outcome then
				local photo = Strict.hidden(secret.photo).id
				secret.outcome = { coroutine.yield("render", photo, secret.settings) }
			end
			return unpack(secret.outcome)
		end,
	},
	skipRender = {
		{},
		function(self)
			Strict.hidden(self).wasSkipped = true
		end,
	},
}, {
	photo = function(self)
		return Strict.hidden(self).photo
	end,
	destinationPath = function(self)
		local secret = Strict.hidden(self)
		local settings = secret.settings
		return kernel.host.destination(
			Strict.hidden(secret.photo).id,
			settings.LR_export_destinationPathPrefix,
			settings.LR_format
		)
	end,
	wasSkipped = function(self)
		return Strict.hidden(self).wasSkipped == true
	end,
})

-- Nothing may yield here: a for loop calls it from C.
local function iterator(renditions)
	local index = 0
	return function()
		index = index + 1
		if renditions[index] then
			return index, renditions[index]
		end
	end
end

local newSession

kernel.sdk.LrExportSession = Strict.namespace("LrExportSession", {}, function(_, ...)
	Strict.arguments("LrExportSession", { "table" }, ...)
	local parameters = ...
	Strict.options("LrExportSession", parameters, { photosToExport = "table", exportSettings = "table" })
	kernel.needTask("LrExportSession")
	kernel.refuseInGate("LrExportSession")
	local photos, settings = parameters.photosToExport, {}
	if not photos or not parameters.exportSettings then
		error("LrExportSession needs photosToExport and exportSettings", 2)
	end
	Strict.list("LrExportSession", 1, photos, "LrPhoto")
	checkSettings(parameters.exportSettings)
	for key, value in pairs(parameters.exportSettings) do
		settings[key] = value
	end
	local renditions = {}
	for _, photo in ipairs(photos) do
		if settings.LR_includeVideoFiles or not kernel.host.is_video(Strict.hidden(photo).id) then
			renditions[#renditions + 1] = newRendition({ photo = photo, settings = settings })
		end
	end
	return newSession({ renditions = renditions })
end)

newSession = Strict.class("LrExportSession", {
	countRenditions = {
		{},
		function(self)
			return #Strict.hidden(self).renditions
		end,
	},
	renditions = {
		{ "table|nil" },
		function(self, options)
			Strict.options(
				"LrExportSession:renditions",
				options or {},
				{ stopIfCanceled = "boolean", renderProgressPortion = "number" }
			)
			kernel.refuseInGate("LrExportSession:renditions")
			kernel.trip("LrExportSession:renditions")
			return iterator(Strict.hidden(self).renditions)
		end,
	},
})

-- Lightroom looks once and says the same until it is started anew.
Strict.extend("LrPhoto", {
	checkPhotoAvailability = {
		{},
		function(self)
			kernel.trip("LrPhoto:checkPhotoAvailability")
			local secret = Strict.hidden(self)
			if secret.isAvailable == nil then
				secret.isAvailable = kernel.host.is_available(secret.id)
			end
			return secret.isAvailable
		end,
	},
})
