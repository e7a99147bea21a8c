--[[
What a photo does with develop settings, presets and snapshots.
]]

local kernel = ...
local Strict = kernel.Strict

-- Settings that were written are only sure to be read after the gate, so reading belongs outside.
local function read(name, kinds, implementation)
	local call = "LrPhoto:" .. name
	return {
		kinds,
		function(self, ...)
			kernel.refuseInGate(call)
			kernel.trip(call)
			return implementation(Strict.hidden(self).id, ...)
		end,
	}
end

local function write(name, kinds, implementation)
	local call = "LrPhoto:" .. name
	return {
		kinds,
		function(self, ...)
			kernel.needGate(call, "write")
			kernel.trip(call)
			return implementation(Strict.hidden(self).id, ...)
		end,
	}
end

Strict.extend("LrPhoto", {
	getDevelopSettings = read("getDevelopSettings", {}, function(id)
		return Strict.host("develop_settings", id)
	end),
	applyDevelopSettings = write(
		"applyDevelopSettings",
		{ "table", "string|nil", "boolean|nil" },
		function(id, settings, historyName, flattenAutoNow)
			Strict.host("apply_develop_settings", id, settings, historyName, flattenAutoNow == true)
		end
	),
	applyDevelopPreset = write(
		"applyDevelopPreset",
		{ "LrDevelopPreset", "LrPlugin|nil", "number|nil", "boolean|nil" },
		function(id, preset, _, amount)
			if amount and amount ~= 100 then
				error("LrPhoto:applyDevelopPreset: the simulated Lightroom applies presets in full", 3)
			end
			Strict.host("apply_develop_preset", id, Strict.hidden(preset).id)
		end
	),
	getDevelopSnapshots = read("getDevelopSnapshots", {}, function(id)
		return Strict.host("develop_snapshots", id)
	end),
	createDevelopSnapshot = write("createDevelopSnapshot", { "string", "boolean" }, function(id, name, updateInPlace)
		return Strict.host("create_develop_snapshot", id, name, updateInPlace)
	end),
	applyDevelopSnapshot = write("applyDevelopSnapshot", { "string" }, function(id, snapshotId)
		Strict.host("apply_develop_snapshot", id, snapshotId)
	end),
	deleteDevelopSnapshot = write("deleteDevelopSnapshot", { "string" }, function(id, snapshotId)
		Strict.host("delete_develop_snapshot", id, snapshotId)
	end),
})
