--[[
Exports: one session of Lightroom for each photo, so that nothing is rendered on after a stop. Never overwrites a file.
]]

local LrDate = import("LrDate")
local LrExportSession = import("LrExportSession")
local LrFileUtils = import("LrFileUtils")
local LrTasks = import("LrTasks")

local Chunks = require("Chunks")
local ExportFolder = require("ExportFolder")
local Failure = require("Failure")
local Photos = require("Photos")
local WriteReport = require("WriteReport")

local ExportCommands = {}

local FORMATS = { jpeg = "JPEG", tiff = "TIFF", png = "PNG", dng = "DNG", original = "ORIGINAL" }
-- formats that are the photo as it is, and cannot be made smaller
local WHOLE = { dng = true, original = true }
local USUAL_QUALITY = 90

local function settingsOf(arguments)
	local settings = {
		LR_format = FORMATS[arguments.format],
		LR_export_destinationType = "specificFolder",
		LR_export_destinationPathPrefix = arguments.folder,
		LR_export_useSubfolder = false,
		-- a file that is there already stays; "ask" would wait for the photographer
		LR_collisionHandling = "rename",
		LR_export_colorSpace = "sRGB",
		LR_export_bitDepth = arguments.format == "tiff" and 16 or 8,
		LR_export_postProcessing = "doNothing",
		LR_jpeg_quality = (arguments.quality or USUAL_QUALITY) / 100,
		LR_embeddedMetadataOption = "all",
		LR_removeLocationMetadata = false,
		LR_outputSharpeningOn = false,
		LR_useWatermark = false,
		LR_reimportExportedPhoto = false,
		LR_includeVideoFiles = arguments.format == "original",
		LR_size_doConstrain = arguments.long_edge ~= nil,
	}
	if arguments.long_edge then
		settings.LR_size_resizeType = "longEdge"
		settings.LR_size_maxWidth = arguments.long_edge
		settings.LR_size_maxHeight = arguments.long_edge
		settings.LR_size_units = "pixels"
		settings.LR_size_doNotEnlarge = true
	end
	return settings
end

-- the path of the file that was written, or nil and why there is none
local function export(photo, settings)
	local path, reason
	local ran, message = LrTasks.pcall(function()
		local session = LrExportSession({ photosToExport = { photo }, exportSettings = settings })
		for _, rendition in session:renditions() do
			local isRendered, pathOrReason = rendition:waitForRender()
			if isRendered then
				path = pathOrReason
			else
				reason = pathOrReason
			end
		end
	end)
	if not ran then
		return nil, message
	elseif path and LrFileUtils.exists(path) ~= "file" then
		return nil, "Lightroom says that it wrote a file that is not there: " .. path
	end
	return path, reason or "Lightroom makes no file of this photo in this format"
end

-- Photos whose files can be reached, with their ids; the others are told as failed. Lightroom's own word on that is as
-- old as its start, so the disk is asked.
local function reachable(catalog, photos, ids, result)
	local there, idsThere = {}, {}
	local raw = catalog:batchGetRawMetadata(photos, { "path" })
	for index, photo in ipairs(photos) do
		if LrFileUtils.exists(raw[photo].path) == "file" then
			there[#there + 1] = photo
			idsThere[#idsThere + 1] = ids[index]
		else
			result.failed(ids[index], "ORIGINAL_OFFLINE")
		end
	end
	return there, idsThere
end

function ExportCommands.export_photos(catalog, arguments, deadline)
	if arguments.long_edge and WHOLE[arguments.format] then
		return nil, Failure.new("BAD_ARGUMENTS", "long_edge is for jpeg, tiff and png; leave it out")
	end
	local isReady, unready = ExportFolder.prepare(arguments.folder)
	if not isReady then
		return nil, unready
	end
	local settings = settingsOf(arguments)
	local found, foundIds, missing = Photos.find(catalog, arguments.photo_ids)
	local result = WriteReport.new("exported")
	Chunks.reportMissing(result, missing)
	local photos, ids = reachable(catalog, found, foundIds, result)

	local longest, problem = 0, nil
	local reached, stopped = Chunks.writeChunks(#photos, 1, deadline, function(index)
		if problem then
			return nil, Failure.new("LIGHTROOM_ERROR", problem)
		elseif deadline.left() < longest then
			-- it would end too late to be told
			return nil, Failure.new("TIMEOUT", nil, true)
		end
		local began = LrDate.currentTime()
		local path, reason = export(photos[index], settings)
		longest = math.max(longest, LrDate.currentTime() - began)
		if path then
			result.applied({ photo_id = ids[index], path = path })
		else
			result.failed(ids[index], "LIGHTROOM_ERROR", reason)
			problem = ExportFolder.problem(arguments.folder)
		end
		return true
	end)
	return result.ended(ids, reached, stopped)
end

return ExportCommands
