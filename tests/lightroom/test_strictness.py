"""The doubles refuse what Lightroom refuses: misuse throws, and the right use of the same call does not."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from safelight.lightroom import Catalog, PluginError, SimulatedLightroom
from tests.requirement import requirement

PREAMBLE = """
local LrApplication = import("LrApplication")
local LrTasks = import("LrTasks")
local LrHttp = import("LrHttp")
local catalog = LrApplication.activeCatalog()
local function gate(func) return catalog:withWriteAccessDo("Test", func, { timeout = 1 }) end
local photo = catalog:getTargetPhoto()
"""


class Misuse(NamedTuple):
    what: str
    wrong: str
    says: str
    right: str = ""


MISUSES = (
    Misuse("an SDK module that does not exist", 'import("LrKeywords")', "has no 'LrKeywords'", 'import("LrView")'),
    Misuse("a function that does not exist", "LrTasks.sleepFor(1)", "LrTasks has no 'sleepFor'", "LrTasks.sleep(0)"),
    Misuse("a catalog method that does not exist", "catalog:deleteKeyword()", "LrCatalog has no 'deleteKeyword'"),
    Misuse("a photo method that does not exist", "photo:createVirtualCopy()", "LrPhoto has no 'createVirtualCopy'"),
    Misuse("a collection method that does not exist", "catalog:getChildCollections()[1]:count()", "has no 'count'"),
    Misuse("a read gate", "catalog:withReadAccessDo(function() end)", "has no 'withReadAccessDo'"),
    Misuse("a prolonged gate", "catalog:withProlongedWriteAccessDo({})", "has no 'withProlongedWriteAccessDo'"),
    Misuse(
        "nested gates",
        "gate(function() gate(function() end) end)",
        "cannot be nested",
        "gate(function() end) gate(function() end)",
    ),
    Misuse(
        "a gate without a time-out",
        'catalog:withWriteAccessDo("Test", function() end)',
        "no timeout parameters were provided",
        'catalog:withWriteAccessDo("Test", function() end, { timeout = 1 })',
    ),
    Misuse(
        "a gate with an empty time-out",
        'catalog:withWriteAccessDo("Test", function() end, {})',
        "no timeout parameters were provided",
    ),
    Misuse(
        "a gate with a misspelt time-out",
        'catalog:withWriteAccessDo("Test", function() end, { timeOut = 1 })',
        "knows no option 'timeOut'",
    ),
    Misuse(
        "a private gate without a time-out",
        "catalog:withPrivateWriteAccessDo(function() end)",
        "no timeout parameters were provided",
        "catalog:withPrivateWriteAccessDo(function() end, { timeout = 1 })",
    ),
    Misuse(
        "metadata outside a gate",
        'photo:setRawMetadata("rating", 3)',
        "must be called inside write access",
        'gate(function() photo:setRawMetadata("rating", 3) end)',
    ),
    Misuse(
        "metadata in a private gate",
        'catalog:withPrivateWriteAccessDo(function() photo:setRawMetadata("rating", 3) end, { timeout = 1 })',
        "must be called inside write access",
    ),
    Misuse(
        "photos into a collection outside a gate",
        "catalog:getChildCollections()[1]:addPhotos({ photo })",
        "must be called inside write access",
        "local c = catalog:getChildCollections()[1] gate(function() c:addPhotos({ photo }) end)",
    ),
    Misuse(
        "a collection made outside a gate",
        'catalog:createCollection("New", nil, false)',
        "must be called inside write access",
        'gate(function() catalog:createCollection("New", nil, false) end)',
    ),
    Misuse(
        "a field of the plug-in outside a gate",
        'catalog:setPropertyForPlugin(_PLUGIN, "x", 1)',
        "must be called inside write or private write access",
        'catalog:withPrivateWriteAccessDo(function() catalog:setPropertyForPlugin(_PLUGIN, "x", 1) end, {timeout = 1})',
    ),
    Misuse(
        "reading a collection in the gate that made it",
        'gate(function() catalog:createCollection("New", nil, false):getName() end)',
        "cannot be used before the gate is closed",
        'local c gate(function() c = catalog:createCollection("New", nil, false) end) assert(c:getName() == "New")',
    ),
    Misuse(
        "adding to a collection in the gate that made it",
        'gate(function() catalog:createCollection("New", nil, false):addPhotos({ photo }) end)',
        "cannot be used before the gate is closed",
    ),
    Misuse(
        "a catalog read inside a plain pcall",
        "assert(pcall(function() return catalog:getAllPhotos() end))",
        "attempt to yield across metamethod/C-call boundary",
        "assert(LrTasks.pcall(function() return catalog:getAllPhotos() end))",
    ),
    Misuse(
        "metadata read inside a plain pcall",
        'assert(pcall(photo.getRawMetadata, photo, "rating"))',
        "attempt to yield across metamethod/C-call boundary",
        'assert(LrTasks.pcall(photo.getRawMetadata, photo, "rating"))',
    ),
    Misuse(
        "metadata written inside a plain pcall",
        'gate(function() assert(pcall(photo.setRawMetadata, photo, "rating", 3)) end)',
        "attempt to yield across metamethod/C-call boundary",
        'gate(function() assert(LrTasks.pcall(photo.setRawMetadata, photo, "rating", 3)) end)',
    ),
    Misuse(
        "a gate inside a plain pcall",
        "assert(pcall(gate, function() end))",
        "attempt to yield across metamethod/C-call boundary",
        "assert(LrTasks.pcall(gate, function() end))",
    ),
    Misuse(
        "HTTP inside a plain pcall",
        'assert(pcall(LrHttp.get, "http://127.0.0.1:1/", nil, 1))',
        "attempt to yield across metamethod/C-call boundary",
        'assert(LrTasks.pcall(LrHttp.get, "http://127.0.0.1:1/", nil, 1))',
    ),
    Misuse(
        "a read inside a comparator of table.sort",
        'table.sort({ 1, 2, 3 }, function(a, b) photo:getRawMetadata("rating") return a < b end)',
        "attempt to yield across metamethod/C-call boundary",
    ),
    Misuse(
        "a read inside a callback of string.gsub",
        'string.gsub("abc", ".", function() return photo:getFormattedMetadata("title") end)',
        "attempt to yield across metamethod/C-call boundary",
    ),
    Misuse(
        "a read inside a metamethod",
        'local t = setmetatable({}, { __index = function() return photo:getRawMetadata("rating") end }) return t.x',
        "attempt to yield across metamethod/C-call boundary",
    ),
    Misuse(
        "rating 0",
        'gate(function() photo:setRawMetadata("rating", 0) end)',
        "rating must be nil or 1 to 5",
        'gate(function() photo:setRawMetadata("rating", nil) end)',
    ),
    Misuse("rating 6", 'gate(function() photo:setRawMetadata("rating", 6) end)', "rating must be nil or 1 to 5"),
    Misuse("a rating as text", 'gate(function() photo:setRawMetadata("rating", "5") end)', "rating must be nil"),
    Misuse(
        "title as raw metadata",
        'photo:getRawMetadata("title")',
        'unknown metadata key: "title" ("title" is a key of getFormattedMetadata)',
        'photo:getFormattedMetadata("title")',
    ),
    Misuse(
        "path as formatted metadata",
        'photo:getFormattedMetadata("path")',
        'unknown metadata key: "path" ("path" is a key of getRawMetadata)',
        'photo:getRawMetadata("path")',
    ),
    Misuse(
        "an unknown key in a batch",
        'catalog:batchGetRawMetadata({ photo }, { "uuid", "stars" })',
        'unknown metadata key: "stars"',
        'assert(catalog:batchGetRawMetadata({ photo }, { "uuid" })[photo].uuid)',
    ),
    Misuse(
        "a key that cannot be set", 'gate(function() photo:setRawMetadata("path", "x") end)', "unknown metadata key"
    ),
    Misuse("a title that is no text", 'gate(function() photo:setRawMetadata("title", 5) end)', "title must be a text"),
    Misuse(
        "a batch of ids instead of photos",
        'catalog:batchGetRawMetadata({ photo:getRawMetadata("uuid") }, { "uuid" })',
        "a list of LrPhoto expected, got string",
    ),
    Misuse("an argument of a wrong type", "catalog:findPhotoByUuid(5)", "string expected, got number"),
    Misuse("an argument too many", 'catalog:getPath("x")', "takes 0 arguments, got 1", "catalog:getPath()"),
    Misuse("a method called with a dot", "catalog.getPath()", "must be called with ':'"),
    Misuse("a selection without an active photo", "catalog:setSelectedPhotos(nil, {})", "LrPhoto expected, got nil"),
    Misuse(
        "HTTP inside a gate",
        'gate(function() LrHttp.get("http://127.0.0.1:1/", nil, 1) end)',
        "LrHttp.get must not be called inside a write gate",
    ),
    Misuse(
        "a header that is not one",
        'LrHttp.get("http://127.0.0.1:1/", { { name = "A", value = "b" } }, 1)',
        "knows no option 'name'",
        'LrHttp.get("http://127.0.0.1:1/", { { field = "A", value = "b" } }, 1)',
    ),
    Misuse("sleep inside a gate", "gate(function() LrTasks.sleep(0) end)", "must not be called inside a write gate"),
    Misuse(
        "a scan of the catalog inside a gate",
        "gate(function() catalog:getAllPhotos() end)",
        "must not be called inside a write gate",
    ),
    Misuse(
        "photos into a smart collection",
        "local s = catalog:getChildCollections()[2] gate(function() s:addPhotos({ photo }) end)",
        "cannot be added to a smart collection",
    ),
    Misuse(
        "a module of Lightroom that does not exist",
        'import("LrApplicationView").switchToModule("Library")',
        "no module 'Library'",
        'import("LrApplicationView").switchToModule("library")',
    ),
    Misuse(
        "a source that is none",
        'catalog:setActiveSources({ "Favourites" })',
        "Favourites is not a source",
        "catalog:setActiveSources({ catalog.kAllPhotos })",
    ),
    Misuse("a changed SDK object", "photo.rating = 5", "LrPhoto cannot be changed"),
    Misuse("a changed SDK module", "LrTasks.sleep = nil", "LrTasks cannot be changed"),
    Misuse("os.execute", 'os.execute("ls")', "attempt to call field 'execute'", "os.time()"),
    Misuse("os.getenv", 'os.getenv("HOME")', "attempt to call field 'getenv'"),
    Misuse("io", 'io.open("x")', "there is no global 'io'"),
    Misuse("package", "return package.path", "there is no global 'package'"),
    Misuse("debug", "return debug.traceback()", "there is no global 'debug'"),
    Misuse("coroutine", "coroutine.yield()", "there is no global 'coroutine'"),
    Misuse("xpcall", "xpcall(function() end, print)", "there is no global 'xpcall'"),
    Misuse("loadstring", 'loadstring("return 1")', "there is no global 'loadstring'"),
    Misuse("setfenv", "setfenv(1, {})", "there is no global 'setfenv'"),
    Misuse("a global that is made", "counter = 1", "makes the global 'counter'", "local counter = 1 return counter"),
    Misuse("a global that nobody made", "return undefinedName", "there is no global 'undefinedName'"),
    Misuse("a text without a key", 'LOC("Hello")', "LOC: not of the form", 'assert(LOC("$$$/A=Hi ^1", 5) == "Hi 5")'),
    Misuse(
        "a table in the preferences",
        'import("LrPrefs").prefsForPlugin().list = {}',
        "only plain values can be kept",
        'import("LrPrefs").prefsForPlugin().list = "a,b"',
    ),
    Misuse("require with a path", 'require("lib/Json")', "root-level names", 'require("Nothing")'),
    Misuse("require of a file that is not there", 'require("Missing")', "the plug-in has no file Missing.lua"),
    Misuse("a dialog of an unknown style", 'import("LrDialogs").message("a", "b", "loud")', "no style 'loud'"),
)


@requirement("lightroom.simulator")
@pytest.mark.parametrize("misuse", MISUSES, ids=lambda misuse: misuse.what)
def test_misuse_throws(alone: SimulatedLightroom, misuse: Misuse) -> None:
    with pytest.raises(PluginError) as thrown:
        alone.run_lua(PREAMBLE + misuse.wrong)
    assert misuse.says in str(thrown.value)


@requirement("lightroom.simulator")
@pytest.mark.parametrize(
    "misuse", [misuse for misuse in MISUSES if misuse.right], ids=lambda misuse: f"not {misuse.what}"
)
def test_the_right_use_passes(alone: SimulatedLightroom, misuse: Misuse) -> None:
    alone.run_lua(PREAMBLE + misuse.right)
    assert alone.errors == ()


OUTSIDE_TASKS = {
    "HTTP": 'import("LrHttp").get("http://127.0.0.1:1/", nil, 1)',
    "a catalog read": 'import("LrApplication").activeCatalog():getAllPhotos()',
    "a gate": 'import("LrApplication").activeCatalog():withWriteAccessDo("T", function() end, { timeout = 1 })',
    "sleep": 'import("LrTasks").sleep(1)',
}


@requirement("lightroom.simulator")
@pytest.mark.parametrize("source", OUTSIDE_TASKS.values(), ids=OUTSIDE_TASKS.keys())
def test_what_yields_throws_outside_a_task(alone: SimulatedLightroom, source: str) -> None:
    with pytest.raises(PluginError, match="must be called from within a task"):
        alone.run_lua_script(source)


@requirement("lightroom.simulator")
def test_a_gate_without_a_time_out_throws_only_while_the_catalog_is_busy_when_not_strict(
    plugin: Path, catalog: Catalog
) -> None:
    gate = PREAMBLE + 'catalog:withWriteAccessDo("Test", function() end)'
    with SimulatedLightroom(catalog, data_folder=None, plugin_folder=plugin, is_strict=False) as lenient:
        lenient.run_lua(gate)
        lenient.busy_for(30)
        with pytest.raises(PluginError, match="blocked by another write access call"):
            lenient.run_lua(gate)
