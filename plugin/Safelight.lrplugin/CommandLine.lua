--[[
The line that starts a program apart from Lightroom, in the words of this system's shell. LrTasks.execute hands it to
cmd /c or to sh.
]]

local CommandLine = {}

local function forWindows(word)
	-- a backslash before the closing quote would take the quote away
	return '"' .. string.gsub(word, "(\\+)$", "%1%1") .. '"'
end

local function forUnix(word)
	return "'" .. string.gsub(word, "'", [['\'']]) .. "'"
end

-- The line for a program and its arguments, or nil when this shell cannot be told one of the words.
function CommandLine.detached(words)
	local quoted = {}
	for index, word in ipairs(words) do
		if string.find(word, WIN_ENV and '[%c"%%]' or "%c") then
			return nil
		end
		quoted[index] = (WIN_ENV and forWindows or forUnix)(word)
	end
	local line = table.concat(quoted, " ")
	if WIN_ENV then
		-- cmd /c takes away the first and the last quote of what it is given
		return '"start "" /b ' .. line .. ' <nul >nul 2>&1"'
	end
	return "nohup " .. line .. " </dev/null >/dev/null 2>&1 &"
end

return CommandLine
