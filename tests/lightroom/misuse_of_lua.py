"""What a plug-in cannot do in Lightroom's Lua, and with files, logs and scripts."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "runtime": (
        Misuse("an SDK module that does not exist", 'import("LrKeywords")', "has no 'LrKeywords'", 'import("LrView")'),
        Misuse(
            "a function that does not exist", "LrTasks.sleepFor(1)", "LrTasks has no 'sleepFor'", "LrTasks.sleep(0)"
        ),
        Misuse("a catalog method that does not exist", "catalog:deleteKeyword()", "LrCatalog has no 'deleteKeyword'"),
        Misuse("a photo method that does not exist", "photo:createVirtualCopy()", "LrPhoto has no 'createVirtualCopy'"),
        Misuse("a collection method that does not exist", "catalog:getChildCollections()[1]:count()", "has no 'count'"),
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
        Misuse("an argument of a wrong type", "catalog:findPhotoByUuid(5)", "string expected, got number"),
        Misuse("an argument too many", 'catalog:getPath("x")', "takes 0 arguments, got 1", "catalog:getPath()"),
        Misuse("a method called with a dot", "catalog.getPath()", "must be called with ':'"),
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
        Misuse(
            "a global that is made", "counter = 1", "makes the global 'counter'", "local counter = 1 return counter"
        ),
        Misuse("a global that nobody made", "return undefinedName", "there is no global 'undefinedName'"),
        Misuse("getmetatable", "return getmetatable(photo)", "there is no global 'getmetatable'"),
        Misuse("rawset on an SDK object", 'rawset(photo, "rating", 5)', "there is no global 'rawset'"),
        Misuse("dofile", 'dofile("Menu.lua")', "there is no global 'dofile'"),
        Misuse("print", 'print("x")', "there is no global 'print'", 'import("LrLogger")("Test"):info("x")'),
        Misuse("the table of globals", "return _G.photo", "there is no global '_G'"),
        Misuse(
            "a read inside the iterator of a for loop",
            'for _ in function() return photo:getRawMetadata("rating") end do end',
            "attempt to yield across metamethod/C-call boundary",
            'local stars = photo:getRawMetadata("rating") for _ in function() return stars end do break end',
        ),
        Misuse(
            "a yield inside a plain pcall",
            "assert(pcall(LrTasks.yield))",
            "attempt to yield across metamethod/C-call boundary",
            "assert(LrTasks.pcall(LrTasks.yield))",
        ),
        Misuse(
            "sleep inside a plain pcall",
            "assert(pcall(LrTasks.sleep, 0))",
            "attempt to yield across metamethod/C-call boundary",
            "assert(LrTasks.pcall(LrTasks.sleep, 0))",
        ),
        Misuse(
            "a sort that looks into the catalog",
            'table.sort(catalog:getAllPhotos(), function(a, b) return a:getRawMetadata("rating") ~= b end)',
            "attempt to yield across metamethod/C-call boundary",
        ),
        Misuse(
            "a task without a function",
            'LrTasks.startAsyncTask("work")',
            "function expected, got string",
            "LrTasks.startAsyncTask(function() end)",
        ),
        Misuse("a failure in a task of its own", 'LrTasks.startAsyncTask(function() error("lost") end)', "lost"),
        Misuse(
            "a context without a name",
            'import("LrFunctionContext").callWithContext(function() end)',
            "string expected, got function",
            'import("LrFunctionContext").callWithContext("Test", function() end)',
        ),
        Misuse(
            "a context for the background without a function",
            'import("LrFunctionContext").postAsyncTaskWithContext("Test")',
            "function expected, got nil",
            'import("LrFunctionContext").postAsyncTaskWithContext("Test", function() end)',
        ),
        Misuse(
            "a cleanup that is no function",
            'context(function(context) context:addCleanupHandler("tidy") end)',
            "function expected, got string",
            "context(function(context) context:addCleanupHandler(function() end) end)",
        ),
        Misuse(
            "a context that is asked whether it was cancelled",
            "context(function(context) return context:isCanceled() end)",
            "LrFunctionContext has no 'isCanceled'",
        ),
    ),
    "files, logs and scripts": (
        Misuse(
            "a text without a key", 'LOC("Hello")', "LOC: not of the form", 'assert(LOC("$$$/A=Hi ^1", 5) == "Hi 5")'
        ),
        Misuse("require with a path", 'require("lib/Json")', "root-level names", 'require("Nothing")'),
        Misuse("require of a file that is not there", 'require("Missing")', "the plug-in has no file Missing.lua"),
        Misuse("a dialog of an unknown style", 'import("LrDialogs").message("a", "b", "loud")', "no style 'loud'"),
        Misuse("a JSON module, which the SDK does not have", 'import("LrJSON")', "has no 'LrJSON'"),
        Misuse(
            "a logger without a name", 'import("LrLogger")()', "string expected, got nil", 'import("LrLogger")("Test")'
        ),
        Misuse(
            "a level of the log that does not exist",
            'import("LrLogger")("Test"):warning("x")',
            "LrLogger has no 'warning'",
            'import("LrLogger")("Test"):warn("x")',
        ),
        Misuse("a file that is not there", 'import("LrFileUtils").readFile("/nowhere/at/all")', "readFile"),
        Misuse(
            "a standard folder that does not exist",
            'import("LrPathUtils").getStandardFilePath("downloads")',
            "no standard path 'downloads'",
            'import("LrPathUtils").getStandardFilePath("home")',
        ),
        Misuse(
            "a path that is none",
            'import("LrPathUtils").child("/a", nil)',
            "string expected, got nil",
            'assert(import("LrPathUtils").child("/a", "b") == "/a/b")',
        ),
        Misuse("require with an ending", 'require("Nothing.lua")', "root-level names"),
        Misuse("require above the plug-in's folder", 'require("../Nothing")', "root-level names"),
        Misuse(
            "a changed plug-in object",
            '_PLUGIN.path = "/elsewhere"',
            "LrPlugin cannot be changed",
            "return _PLUGIN.path",
        ),
        Misuse(
            "a binding of an unknown kind",
            'import("LrView").bind({ keys = "a" })',
            "knows no option 'keys'",
            'import("LrView").bind({ key = "a", bind_to_object = {} })',
        ),
        Misuse("a control that is not simulated", 'import("LrView").slider({})', "LrView has no 'slider'"),
    ),
}
