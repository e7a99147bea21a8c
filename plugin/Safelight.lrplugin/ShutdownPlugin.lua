-- Runs when the plug-in is unloaded, reloaded or turned off.
require("Bridge").stop()
