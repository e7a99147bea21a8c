"""What does not go into a write gate, or not outside one."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "write access": (
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
            'private(function() photo:setRawMetadata("rating", 3) end)',
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
            'private(function() catalog:setPropertyForPlugin(_PLUGIN, "x", 1) end)',
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
            "HTTP inside a gate",
            'gate(function() LrHttp.get("http://127.0.0.1:1/", nil, 1) end)',
            "LrHttp.get must not be called inside a write gate",
        ),
        Misuse(
            "sleep inside a gate", "gate(function() LrTasks.sleep(0) end)", "must not be called inside a write gate"
        ),
        Misuse(
            "a scan of the catalog inside a gate",
            "gate(function() catalog:getAllPhotos() end)",
            "must not be called inside a write gate",
        ),
        Misuse(
            "a gate without a name",
            "catalog:withWriteAccessDo(function() end, { timeout = 1 })",
            "string expected, got function",
        ),
        Misuse(
            "an asynchronous gate",
            'catalog:withWriteAccessDo("Test", function() end, { timeout = 1, asynchronous = true })',
            "no asynchronous gates",
        ),
        Misuse(
            "a private gate inside a gate",
            "gate(function() catalog:withPrivateWriteAccessDo(function() end, { timeout = 1 }) end)",
            "cannot be nested",
        ),
        Misuse(
            "a write in a task that a gate starts",
            'gate(function() LrTasks.startAsyncTask(function() photo:setRawMetadata("rating", 3) end) end)',
            "must be called inside write access",
        ),
        Misuse(
            "a dialog inside a gate",
            'gate(function() import("LrDialogs").message("Hello") end)',
            "must not be called inside a write gate",
            'import("LrDialogs").message("Hello")',
        ),
        Misuse(
            "a question inside a gate",
            'gate(function() import("LrDialogs").confirm("Sure?") end)',
            "must not be called inside a write gate",
        ),
        Misuse(
            "posting inside a gate",
            'gate(function() LrHttp.post("http://127.0.0.1:1/", "x", nil, "POST", 1) end)',
            "LrHttp.post must not be called inside a write gate",
        ),
        Misuse(
            "a batch read inside a gate",
            'gate(function() catalog:batchGetRawMetadata({ photo }, { "uuid" }) end)',
            "must not be called inside a write gate",
        ),
        Misuse(
            "a photo looked up inside a gate",
            'gate(function() catalog:findPhotoByUuid("x") end)',
            "must not be called inside a write gate",
            'assert(catalog:findPhotoByUuid("x") == nil)',
        ),
        Misuse(
            "the photos of a collection read inside a gate",
            "local c = catalog:getChildCollections()[1] gate(function() c:getPhotos() end)",
            "LrCollection:getPhotos must not be called inside a write gate",
            "local c = catalog:getChildCollections()[1] gate(function() c:getName() end) c:getPhotos()",
        ),
        Misuse(
            "what is in a set read inside a gate",
            "local s = catalog:getChildCollectionSets()[1] gate(function() s:getChildren() end)",
            "LrCollectionSet:getChildren must not be called inside a write gate",
        ),
        Misuse(
            "the collections of a photo read inside a gate",
            "gate(function() photo:getContainedCollections() end)",
            "LrPhoto:getContainedCollections must not be called inside a write gate",
            "photo:getContainedCollections()",
        ),
        Misuse(
            "what stands below a keyword read inside a gate",
            "local k = catalog:getKeywords()[1] gate(function() k:getChildren() end)",
            "LrKeyword:getChildren must not be called inside a write gate",
            "local k = catalog:getKeywords()[1] gate(function() k:getName() end) k:getChildren()",
        ),
        Misuse(
            "the photos of a keyword read inside a gate",
            "local k = catalog:getKeywords()[1] gate(function() k:getPhotos() end)",
            "LrKeyword:getPhotos must not be called inside a write gate",
        ),
        Misuse(
            "a keyword read in the gate that made it",
            'gate(function() keyword("New"):getName() end)',
            "cannot be used before the gate is closed",
            'local k gate(function() k = keyword("New") end) assert(k:getName() == "New")',
        ),
        Misuse(
            "a keyword given in the gate that made it",
            'gate(function() photo:addKeyword(keyword("New")) end)',
            "cannot be used before the gate is closed",
            'local k gate(function() k = keyword("New") end) gate(function() photo:addKeyword(k) end)',
        ),
        Misuse(
            "a keyword made twice in one gate",
            'gate(function() for _ = 1, 2 do keyword("New") end end)',
            "twice for one keyword in one write gate",
            'for _ = 1, 2 do gate(function() keyword("New") end) end',
        ),
    ),
    "selection and view": (
        Misuse(
            "a selection without an active photo", "catalog:setSelectedPhotos(nil, {})", "LrPhoto expected, got nil"
        ),
        Misuse(
            "a module of Lightroom that does not exist",
            'import("LrApplicationView").switchToModule("Library")',
            "no module 'Library'",
            'import("LrApplicationView").switchToModule("library")',
        ),
        Misuse(
            "a source that is none",
            'catalog:setActiveSources("Favourites")',
            "Favourites is not a source",
            "catalog:setActiveSources(catalog.kAllPhotos)",
        ),
        Misuse(
            "a source of Lightroom's own in a list",
            "catalog:setActiveSources({ catalog.kAllPhotos })",
            "not a source that stands in a list",
            "catalog:setActiveSources({ catalog:getChildCollections()[1] })",
        ),
        Misuse(
            "selecting inside a gate",
            "gate(function() catalog:setSelectedPhotos(photo, {}) end)",
            "must not be called inside a write gate",
            "catalog:setSelectedPhotos(photo, {})",
        ),
        Misuse(
            "the selection read inside a gate",
            "gate(function() catalog:getTargetPhotos() end)",
            "must not be called inside a write gate",
            "catalog:getTargetPhotos()",
        ),
        Misuse(
            "the view read inside a gate",
            "gate(function() catalog:getMultipleSelectedOrAllPhotos() end)",
            "must not be called inside a write gate",
        ),
        Misuse(
            "other photos that are ids",
            'catalog:setSelectedPhotos(photo, { "x" })',
            "a list of LrPhoto expected, got string",
        ),
        Misuse(
            "a list with a hole",
            "local all = catalog:getAllPhotos() catalog:setSelectedPhotos(photo, { [1] = all[1], [3] = all[3] })",
            "a list of LrPhoto expected, got nil",
        ),
        Misuse(
            "a filter with an unknown part",
            "catalog:setViewFilter({ stars = 3 })",
            "knows no option 'stars'",
            'catalog:setViewFilter({ filtersActive = true, minRating = 3, ratingOp = ">=" })',
        ),
        Misuse(
            "a view that does not exist",
            'import("LrApplicationView").showView("Grid")',
            "no view 'Grid'",
            'import("LrApplicationView").showView("grid")',
        ),
        Misuse(
            "sources changed inside a gate",
            "gate(function() catalog:setActiveSources(catalog.kAllPhotos) end)",
            "must not be called inside a write gate",
        ),
    ),
}
