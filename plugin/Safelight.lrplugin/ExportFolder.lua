--[[
The folder that files are exported to: made when only it is missing, tried before anything is rendered.
]]

local LrFileUtils = import("LrFileUtils")
local LrPathUtils = import("LrPathUtils")
local LrTasks = import("LrTasks")

local Failure = require("Failure")

local ExportFolder = {}

local LITTLE_SPACE = 500 * 1000 * 1000

local function notWritable(message)
	return nil, Failure.new("FOLDER_NOT_WRITABLE", message)
end

local function made(path)
	LrTasks.pcall(LrFileUtils.createDirectory, path)
	return LrFileUtils.exists(path) == "directory"
end

-- Makes a folder in it and takes it away again: Lightroom can only tell of files whether they are writable.
local function takesFiles(folder)
	local attempt = LrFileUtils.chooseUniqueFileName(LrPathUtils.child(folder, "Safelight"))
	if not made(attempt) then
		return false
	end
	LrFileUtils.delete(attempt)
	return true
end

-- true, or nil and FOLDER_NOT_WRITABLE with what to do
function ExportFolder.prepare(folder)
	if not LrPathUtils.isAbsolute(folder) then
		return notWritable("Give the full path of a folder; this is only a part of one: " .. folder)
	end
	local kind = LrFileUtils.exists(folder)
	if kind == "file" then
		return notWritable("Give the path of a folder; this is a file: " .. folder)
	elseif kind == "directory" then
		if takesFiles(folder) then
			return true
		end
		return notWritable("Choose another folder; nothing can be written into " .. folder)
	end
	local parent = LrPathUtils.parent(folder)
	if not parent then
		return notWritable("Choose another folder; this drive is not there: " .. folder)
	elseif LrFileUtils.exists(parent) ~= "directory" then
		return notWritable("Choose another folder; the one above it is not there: " .. parent)
	end
	if made(folder) then
		return true
	end
	return notWritable("Choose another folder; this one cannot be made: " .. folder)
end

-- After an export has failed: what keeps all others from the folder too, in words, or nil.
function ExportFolder.problem(folder)
	if LrFileUtils.exists(folder) ~= "directory" then
		return "The folder is no longer there: " .. folder
	end
	local isKnown, volume = LrTasks.pcall(LrFileUtils.volumeAttributes, folder)
	local free = isKnown and type(volume) == "table" and volume.fileSystemFreeSize
	if free and free < LITTLE_SPACE then
		return string.format("The disk is full: %d MB are left. Make room, then export the rest.", free / 1000000)
	elseif not takesFiles(folder) then
		return "Nothing can be written into the folder any more: " .. folder
	end
	return nil
end

return ExportFolder
