"""Thumbnails, exports, HTTP and secrets, used wrongly."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "thumbnails and exports": (
        Misuse(
            "a thumbnail requested inside a gate",
            "gate(function() photo:requestJpegThumbnail(64, 64, function() end) end)",
            "must not be called inside a write gate",
        ),
        Misuse("a thumbnail without a callback", "photo:requestJpegThumbnail(64, 64)", "function expected, got nil"),
        Misuse(
            "a thumbnail inside a plain pcall",
            "assert(pcall(photo.requestJpegThumbnail, photo, 64, 64, function() end))",
            "attempt to yield across metamethod/C-call boundary",
        ),
        Misuse(
            "a thumbnail request that is not held",
            "local came thumbnail(function() came = true end) LrTasks.sleep(0.3) assert(came, 'dropped')",
            "dropped",
            "local ok local held = thumbnail(function() ok = true end) while held and not ok do LrTasks.sleep(0) end",
        ),
        Misuse(
            "a callback that waits",
            "local held = thumbnail(function() LrTasks.sleep(0) end) LrTasks.sleep(0.3) return held",
            "must be called from within a task",
        ),
        Misuse(
            "an export that asks",
            'export({ LR_collisionHandling = "ask" })',
            "LR_collisionHandling must be one of rename, overwrite, skip",
            'export({ LR_collisionHandling = "rename" })',
        ),
        Misuse(
            "an export that says nothing on files that are there",
            "export({ LR_collisionHandling = none })",
            "LR_collisionHandling is missing",
        ),
        Misuse(
            "a quality in percent",
            "export({ LR_jpeg_quality = 85 })",
            "LR_jpeg_quality must be a number from 0 to 1",
            "export({ LR_jpeg_quality = 0.85 })",
        ),
        Misuse("a format in lower case", 'export({ LR_format = "jpeg" })', "LR_format must be one of"),
        Misuse("a misspelt setting", "export({ LR_size_constrain = true })", "knows no setting 'LR_size_constrain'"),
        Misuse(
            "a size without its numbers",
            "export({ LR_size_doConstrain = true })",
            "needs LR_size_maxWidth and LR_size_maxHeight",
            "export({ LR_size_doConstrain = true, LR_size_maxWidth = 64, LR_size_maxHeight = 64 })",
        ),
        Misuse(
            "an export to a place that is chosen later",
            'export({ LR_export_destinationType = "chooseLater" })',
            "LR_export_destinationType must be one of specificFolder",
        ),
        Misuse(
            "an export without settings",
            "LrExportSession({ photosToExport = { photo } })",
            "needs photosToExport and exportSettings",
        ),
        Misuse(
            "an export of ids",
            'LrExportSession({ photosToExport = { "x" }, exportSettings = settings })',
            "a list of LrPhoto expected, got string",
        ),
        Misuse(
            "an export inside a gate",
            "gate(function() export({}) end)",
            "LrExportSession must not be called inside a write gate",
        ),
        Misuse(
            "renditions walked inside a gate",
            "local s = export({}) gate(function() s:renditions() end)",
            "must not be called inside a write gate",
        ),
        Misuse("renditions with an unknown option", "export({}):renditions({ stop = true })", "knows no option 'stop'"),
        Misuse(
            "a rendition waited for inside a plain pcall",
            "for _, r in export({}):renditions() do assert(pcall(r.waitForRender, r)) end",
            "attempt to yield across metamethod/C-call boundary",
        ),
    ),
    "HTTP and secrets": (
        Misuse(
            "a header that is not one",
            'LrHttp.get("http://127.0.0.1:1/", { { name = "A", value = "b" } }, 1)',
            "knows no option 'name'",
            'LrHttp.get("http://127.0.0.1:1/", { { field = "A", value = "b" } }, 1)',
        ),
        Misuse(
            "a table in the preferences",
            'import("LrPrefs").prefsForPlugin().list = {}',
            "only plain values can be kept",
            'import("LrPrefs").prefsForPlugin().list = "a,b"',
        ),
        Misuse("an address that is none", "LrHttp.get(5)", "string expected, got number"),
        Misuse(
            "headers as a map",
            'LrHttp.get("http://127.0.0.1:1/", { Accept = "text/plain" }, 1)',
            "a list of table expected, got nil",
        ),
        Misuse(
            "a header without a value",
            'LrHttp.get("http://127.0.0.1:1/", { { field = "Accept" } }, 1)',
            "a header needs field and value",
        ),
        Misuse(
            "a body that is a table",
            'LrHttp.post("http://127.0.0.1:1/", { a = 1 }, nil, "POST", 1)',
            "string expected, got table",
            'LrHttp.post("http://127.0.0.1:1/", "{}", nil, "POST", 1)',
        ),
        Misuse("a time-out as text", 'LrHttp.get("http://127.0.0.1:1/", nil, "5")', "number|nil expected, got string"),
        Misuse("streaming", 'LrHttp.stream("http://127.0.0.1:1/")', "LrHttp has no 'stream'"),
        Misuse("a socket", 'import("LrSocket")', "has no 'LrSocket'"),
        Misuse(
            "a page that is no address",
            'LrHttp.openUrlInBrowser({ url = "http://127.0.0.1:1/" })',
            "string expected, got table",
            'LrHttp.openUrlInBrowser("http://127.0.0.1:1/")',
        ),
        Misuse(
            "a function in the preferences",
            'import("LrPrefs").prefsForPlugin().callback = function() end',
            "only plain values can be kept",
        ),
        Misuse(
            "a preference under a number",
            'import("LrPrefs").prefsForPlugin()[1] = "x"',
            "only plain values can be kept",
        ),
    ),
}
