-- Lightroom quits only after doneFunction; the bridge ends by itself, so nothing is waited for.
return {
	LrShutdownFunction = function(doneFunction)
		require("Bridge").stop()
		doneFunction()
	end,
}
