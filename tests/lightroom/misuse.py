"""One wrong use of the SDK: what Lightroom refuses, and what the doubles have to refuse as well."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

__all__ = ("PREAMBLE", "Fact", "Misuse")

Fact = Literal[
    "runtime",
    "write access",
    "reading",
    "selection and view",
    "metadata, keywords and collections",
    "collections and searches",
    "develop",
    "thumbnails and exports",
    "HTTP and secrets",
    "dialogs, passwords and programs",
    "files, logs and scripts",
]
"""The parts of the SDK whose rules the snippets break."""

PREAMBLE: Final = """
local LrApplication = import("LrApplication")
local LrExportSession = import("LrExportSession")
local LrHttp = import("LrHttp")
local LrTasks = import("LrTasks")
local catalog = LrApplication.activeCatalog()
local function gate(func) return catalog:withWriteAccessDo("Test", func, { timeout = 1 }) end
local function private(func) return catalog:withPrivateWriteAccessDo(func, { timeout = 1 }) end
local photo = catalog:getTargetPhoto()
local three = { criteria = "rating", operation = ">=", value = 3 }
local function keyword(name) return catalog:createKeyword(name, {}, true, nil, true) end
local function context(func) return import("LrFunctionContext").callWithContext("Test", func) end
local function thumbnail(callback) return photo:requestJpegThumbnail(64, 64, callback) end
local settings = {
	LR_format = "JPEG",
	LR_collisionHandling = "rename",
	LR_export_destinationType = "specificFolder",
	LR_export_destinationPathPrefix = "/nowhere/at/all",
}
local none = {}
local function export(changes)
	for key, value in pairs(changes) do
		settings[key] = value
		if value == none then
			settings[key] = nil
		end
	end
	return LrExportSession({ photosToExport = { photo }, exportSettings = settings })
end
"""
"""What every snippet may use; it runs in a task."""


class Misuse(NamedTuple):
    """A snippet that must throw with ``says`` in its message; ``right`` is the use of the same that must not."""

    what: str
    wrong: str
    says: str
    right: str = ""
