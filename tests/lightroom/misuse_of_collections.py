"""Collections, collection sets, smart collections and searches: what they do not take, and when they cannot be used."""

from __future__ import annotations

from typing import Final

from tests.lightroom.misuse import Fact, Misuse

__all__ = ("MISUSES",)

_FIVE_STARS: Final = '{ criteria = "rating", operation = "==", value = 5 }'

MISUSES: Final[dict[Fact, tuple[Misuse, ...]]] = {
    "collections and searches": (
        Misuse(
            "reading a set in the gate that made it",
            'gate(function() catalog:createCollectionSet("New", nil, false):getName() end)',
            "cannot be used before the gate is closed",
            'local s gate(function() s = catalog:createCollectionSet("New") end) assert(s:getName() == "New")',
        ),
        Misuse(
            "filling a set in the gate that made it",
            'gate(function() catalog:createCollection("In", catalog:createCollectionSet("New"), false) end)',
            "cannot be used before the gate is closed",
            """
            local s
            gate(function() s = catalog:createCollectionSet("New", nil, false) end)
            gate(function() catalog:createCollection("In", s, false) end)
            assert(s:getChildren()[1]:getName() == "In")
            """,
        ),
        Misuse(
            "reading a smart collection in the gate that made it",
            f'gate(function() catalog:createSmartCollection("New", {_FIVE_STARS}, nil, false):getPhotos() end)',
            "cannot be used before the gate is closed",
        ),
        Misuse(
            "the id of a collection in the gate that made it",
            'gate(function() local id = catalog:createCollection("New", nil, false).localIdentifier end)',
            "cannot be used before the gate is closed",
        ),
        Misuse(
            "a set made outside a gate",
            'catalog:createCollectionSet("New", nil, false)',
            "must be called inside write access",
        ),
        Misuse(
            "a smart collection made outside a gate",
            f'catalog:createSmartCollection("New", {_FIVE_STARS}, nil, false)',
            "must be called inside write access",
        ),
        Misuse(
            "a smart collection without rules",
            'gate(function() catalog:createSmartCollection("New", {}, nil, false) end)',
            "searchDesc must be a table with a criterion",
        ),
        Misuse(
            "a collection as the place of another",
            'local c = catalog:getChildCollections()[1] gate(function() catalog:createCollection("New", c, false) end)',
            "LrCollectionSet|nil expected, got LrCollection",
        ),
        Misuse(
            "photos out of a collection outside a gate",
            "catalog:getChildCollections()[1]:removePhotos({ photo })",
            "must be called inside write access",
            "local c = catalog:getChildCollections()[1] gate(function() c:removePhotos({ photo }) end)",
        ),
        Misuse(
            "photos out of a smart collection",
            "local s = catalog:getChildCollections()[2] gate(function() s:removePhotos({ photo }) end)",
            "cannot be removed from a smart collection",
        ),
        Misuse(
            "a collection deleted outside a gate",
            "catalog:getChildCollections()[1]:delete()",
            "must be called inside write access",
            "local c = catalog:getChildCollections()[1] gate(function() c:delete() end)",
        ),
        Misuse(
            "a collection that is deleted",
            "local c = catalog:getChildCollections()[1] gate(function() c:delete() end) c:getName()",
            "no longer in the catalog",
        ),
        Misuse(
            "photos of a set",
            "catalog:getChildCollectionSets()[1]:getPhotos()",
            "LrCollectionSet has no 'getPhotos'",
            "catalog:getChildCollectionSets()[1]:getChildren()[1]:getPhotos()",
        ),
        Misuse(
            "a search inside a gate",
            f"gate(function() catalog:findPhotos({{ searchDesc = {_FIVE_STARS} }}) end)",
            "LrCatalog:findPhotos must not be called inside a write gate",
            f"catalog:findPhotos({{ searchDesc = {_FIVE_STARS} }})",
        ),
        Misuse("a search for nothing", "catalog:findPhotos({})", "searchDesc is missing"),
        Misuse(
            "a search that sorts by what it cannot",
            f'catalog:findPhotos({{ searchDesc = {_FIVE_STARS}, sort = "rating" }})',
            "cannot sort by 'rating'",
            f'catalog:findPhotos({{ searchDesc = {_FIVE_STARS}, sort = "fileName", ascending = true }})',
        ),
    ),
}
