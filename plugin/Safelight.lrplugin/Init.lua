-- Runs when Lightroom starts. Whatever goes wrong stays in the log: Lightroom turns off a plug-in whose start throws.
local started, message = pcall(function()
	require("Bridge").start()
end)
if not started then
	require("Log"):error("start: " .. tostring(message))
end
