-- Lightroom quits only after doneFunction; the bridge ends by itself, so nothing is waited for. The service learns of
-- it from the poll that is cut off: a word of its own would have to be waited for.
return {
	LrShutdownFunction = function(doneFunction)
		require("Bridge").stop()
		doneFunction()
	end,
}
