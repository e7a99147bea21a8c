--[[
Previews of photos. Lightroom calls back late, several times, first with an error and then with the picture, or never.
]]

local LrDate = import("LrDate")
local LrStringUtils = import("LrStringUtils")
local LrTasks = import("LrTasks")

local Failure = require("Failure")

local Thumbnails = {}

local PAUSE = 0.02
-- how long the picture is waited for after Lightroom has said that there is none
local AFTER_AN_ERROR = 2

-- Requests that are under way: Lightroom drops a request as soon as nothing holds it, and then never calls back.
local held = {}

-- the JPEG's bytes, or nil and Lightroom's reason, if it gave one
local function request(photo, size, deadline)
	local jpeg, reason, ends
	local pending = photo:requestJpegThumbnail(size, size, function(data, message)
		if data then
			jpeg = data
		else
			reason = message or reason
			ends = ends or LrDate.currentTime() + AFTER_AN_ERROR
		end
	end)
	held[pending] = true
	while held[pending] and not jpeg and not deadline.isOver() and not (ends and LrDate.currentTime() >= ends) do
		LrTasks.sleep(PAUSE)
	end
	held[pending] = nil
	return jpeg, reason
end

function Thumbnails.get_thumbnail(catalog, arguments, deadline)
	local photo = catalog:findPhotoByUuid(arguments.photo_id)
	if not photo then
		return nil, Failure.new("PHOTO_NOT_FOUND")
	end
	local jpeg, reason = request(photo, arguments.size, deadline)
	if not jpeg then
		return nil, Failure.new("THUMBNAIL_UNAVAILABLE", reason, true)
	end
	return { jpeg_base64 = (string.gsub(LrStringUtils.encodeBase64(jpeg), "%s", "")) }
end

return Thumbnails
