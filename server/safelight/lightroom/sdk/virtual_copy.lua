--[[
Virtual copies, which Lightroom makes of what is selected and of nothing else, and LrSelection.
]]

local kernel = ...
local Strict = kernel.Strict

Strict.extend("LrCatalog", {
	createVirtualCopies = {
		{ "string|nil" },
		function(_, copyName)
			local call = "LrCatalog:createVirtualCopies"
			kernel.refuseInGate(call)
			kernel.trip(call)
			return kernel.photoList(Strict.host("create_virtual_copies", copyName))
		end,
	},
})

kernel.sdk.LrSelection = Strict.namespace("LrSelection", {
	selectNone = {
		{},
		function()
			kernel.host.select_nothing()
		end,
	},
})
