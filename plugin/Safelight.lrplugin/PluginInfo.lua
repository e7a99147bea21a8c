--[[
The section in Lightroom's Plug-in Manager. Lightroom runs this file each time the manager opens, so it starts nothing
that stays.
]]

local ConnectionRows = require("ConnectionRows")
local ManagerSection = require("ManagerSection")
local ManagerState = require("ManagerState")

local function sections(factory, properties)
	ManagerState.prepare(properties)
	return {
		ManagerSection.service(factory, properties),
		ManagerSection.agents(factory),
		ManagerSection.models(factory),
		ConnectionRows.section(factory, properties),
	}
end

return {
	startDialog = ManagerState.open,
	endDialog = ManagerState.close,
	sectionsForTopOfDialog = sections,
}
