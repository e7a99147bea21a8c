"""What cannot be read from the catalog or written to it."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "reading": (
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
            "a batch of ids instead of photos",
            'catalog:batchGetRawMetadata({ photo:getRawMetadata("uuid") }, { "uuid" })',
            "a list of LrPhoto expected, got string",
        ),
        Misuse(
            "an unknown raw key",
            'photo:getRawMetadata("stars")',
            'unknown metadata key: "stars"',
            'photo:getRawMetadata("rating")',
        ),
        Misuse(
            "an unknown formatted key",
            'photo:getFormattedMetadata("stars")',
            'unknown metadata key: "stars"',
            'photo:getFormattedMetadata("caption")',
        ),
        Misuse(
            "caption as raw metadata in a batch",
            'catalog:batchGetRawMetadata({ photo }, { "caption" })',
            'unknown metadata key: "caption"',
            'catalog:batchGetFormattedMetadata({ photo }, { "caption" })',
        ),
        Misuse(
            "uuid as formatted metadata in a batch",
            'catalog:batchGetFormattedMetadata({ photo }, { "uuid" })',
            'unknown metadata key: "uuid"',
        ),
        Misuse(
            "one photo instead of a list",
            'catalog:batchGetRawMetadata(photo, { "uuid" })',
            "table expected, got LrPhoto",
        ),
        Misuse(
            "one key instead of a list",
            'catalog:batchGetRawMetadata({ photo }, "uuid")',
            "table|nil expected, got string",
        ),
        Misuse(
            "a search with a misspelt option",
            'catalog:findPhotos({ searchdesc = { criteria = "rating", operation = "==", value = 3 } })',
            "knows no option 'searchdesc'",
        ),
        Misuse(
            "a search by an unknown criterion",
            'catalog:findPhotos({ searchDesc = { criteria = "stars", operation = "==", value = 3 } })',
            "stars",
        ),
        Misuse(
            "a search in a range by the wrong name",
            'catalog:findPhotos({searchDesc = { criteria = "rating", operation = "inRange", value = 2, value2 = 4 }})',
            "inRange",
            'catalog:findPhotos({ searchDesc = { criteria = "rating", operation = "in", value = 2, value2 = 4 }})',
        ),
        Misuse(
            "a lookup that the SDK does not document",
            "catalog:getPhotoByLocalId(1)",
            "LrCatalog has no 'getPhotoByLocalId'",
        ),
        Misuse(
            "a collection looked up by its name",
            'catalog:getCollectionByLocalIdentifier("Favourites")',
            "number expected, got string",
        ),
        Misuse(
            "keywords looked up by their names",
            'catalog:getKeywordsByLocalId({ "Dog" })',
            "a list of number expected, got string",
        ),
    ),
    "metadata, keywords and collections": (
        Misuse(
            "rating 0",
            'gate(function() photo:setRawMetadata("rating", 0) end)',
            "rating must be nil or 1 to 5",
            'gate(function() photo:setRawMetadata("rating", nil) end)',
        ),
        Misuse("rating 6", 'gate(function() photo:setRawMetadata("rating", 6) end)', "rating must be nil or 1 to 5"),
        Misuse("a rating as text", 'gate(function() photo:setRawMetadata("rating", "5") end)', "rating must be nil"),
        Misuse(
            "a key that cannot be set", 'gate(function() photo:setRawMetadata("path", "x") end)', "unknown metadata key"
        ),
        Misuse(
            "a title that is no text", 'gate(function() photo:setRawMetadata("title", 5) end)', "title must be a text"
        ),
        Misuse(
            "photos into a smart collection",
            "local s = catalog:getChildCollections()[2] gate(function() s:addPhotos({ photo }) end)",
            "cannot be added to a smart collection",
        ),
        Misuse(
            "a flag that is none",
            'gate(function() photo:setRawMetadata("pickStatus", 2) end)',
            "pickStatus",
            'gate(function() photo:setRawMetadata("pickStatus", -1) end)',
        ),
        Misuse(
            "a colour that is no text",
            'gate(function() photo:setRawMetadata("colorNameForLabel", 1) end)',
            "colorNameForLabel",
            'gate(function() photo:setRawMetadata("colorNameForLabel", "red") end)',
        ),
        Misuse(
            "a position without a longitude",
            'gate(function() photo:setRawMetadata("gps", { latitude = 1 }) end)',
            "gps",
            'gate(function() photo:setRawMetadata("gps", { latitude = 1, longitude = 2 }) end)',
        ),
        Misuse(
            "keywords as metadata",
            'gate(function() photo:setRawMetadata("keywords", { "Dog" }) end)',
            "unknown metadata key",
        ),
        Misuse(
            "a keyword made outside a gate",
            'catalog:createKeyword("New", {}, true, nil, true)',
            "must be called inside write access",
        ),
        Misuse(
            "a keyword without its list of synonyms",
            'gate(function() catalog:createKeyword("New") end)',
            "table expected, got nil",
        ),
        Misuse(
            "a keyword given by its name",
            'gate(function() photo:addKeyword("Dog") end)',
            "LrKeyword expected, got string",
            "local k = catalog:getKeywords()[1] gate(function() photo:addKeyword(k) end)",
        ),
        Misuse(
            "a keyword given outside a gate",
            "photo:addKeyword(catalog:getKeywords()[1])",
            "must be called inside write access",
        ),
        Misuse(
            "a keyword taken by its name",
            'gate(function() photo:removeKeyword("Dog") end)',
            "LrKeyword expected, got string",
        ),
        Misuse(
            "ids into a collection",
            "local c = catalog:getChildCollections()[1] gate(function() c:addPhotos({ 1 }) end)",
            "a list of LrPhoto expected, got number",
        ),
        Misuse(
            "photos into a set",
            "local s = catalog:getChildCollectionSets()[1] gate(function() s:addPhotos({ photo }) end)",
            "LrCollectionSet has no 'addPhotos'",
        ),
        Misuse("a stack that is made", "gate(function() photo:addToStack(photo) end)", "LrPhoto has no 'addToStack'"),
        Misuse(
            "a photo that is removed",
            "gate(function() catalog:removePhoto(photo) end)",
            "LrCatalog has no 'removePhoto'",
        ),
    ),
}
