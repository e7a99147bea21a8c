"""Keywords and collections of a catalog file: two trees, and which photos hang on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from safelight.lightroom import lrcat_values as values
from safelight.lightroom.collections import CollectionKind
from safelight.lightroom.lua_literal import LuaTextRefused, lua_literal
from safelight.lightroom.photo import Keyword

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from safelight.lightroom.lrcat_tables import LrcatTables

__all__ = ("LrcatCollection", "read_collections", "read_keyword_photos", "read_keywords")

_KINDS: Final[dict[str, CollectionKind]] = {
    "com.adobe.ag.library.group": "set",
    "com.adobe.ag.library.smart_collection": "smart",
}
_RULES: Final = "ag.library.smart_collection"


class LrcatCollection(Struct, frozen=True, kw_only=True):
    """A collection as the file has it. A smart one has ``rules``, a search description, and no photos."""

    local_id: int
    name: str
    kind: CollectionKind
    parent: int | None
    photo_ids: tuple[int, ...] = ()
    rules: Any = None


def read_keywords(tables: LrcatTables) -> list[Keyword]:
    """Parents before their children. The nameless keyword that holds all others is left out."""
    synonyms: dict[int, list[str]] = {}
    for row in tables.rows("AgLibraryKeywordSynonym", "keyword", "name", order=("id_local",)):
        if name := values.text(row["name"]):
            synonyms.setdefault(row["keyword"], []).append(name)
    columns = ("id_local", "name", "parent", "includeOnExport")
    rows = {row["id_local"]: row for row in tables.rows("AgLibraryKeyword", *columns, order=("id_local",))}
    named = {local_id: row["parent"] for local_id, row in rows.items() if values.text(row["name"])}
    return [
        Keyword(
            local_id=local_id,
            name=rows[local_id]["name"],
            parent=parent,
            include_on_export=values.number(rows[local_id]["includeOnExport"]) != 0,
            synonyms=tuple(synonyms.get(local_id, ())),
        )
        for local_id, parent in _from_the_top(named)
    ]


def read_keyword_photos(tables: LrcatTables, keywords: Iterable[Keyword]) -> dict[int, tuple[int, ...]]:
    """The local ids of each photo's keywords, by the photo's."""
    known = {keyword.local_id for keyword in keywords}
    found: dict[int, dict[int, None]] = {}
    for row in tables.rows("AgLibraryKeywordImage", "image", "tag", order=("id_local",)):
        if row["tag"] in known:
            found.setdefault(row["image"], {})[row["tag"]] = None
    return {image: tuple(tags) for image, tags in found.items()}


def read_collections(tables: LrcatTables, photo_ids: Mapping[int, Any]) -> list[LrcatCollection]:
    """Sets before what they hold. Lightroom's own ones (the Quick Collection, unsaved prints and books) are left out,
    and published ones, which stand in tables of their own."""
    members = _members(tables, photo_ids)
    rules = _rules(tables)
    columns = ("id_local", "name", "parent", "creationId", "systemOnly")
    rows = {
        row["id_local"]: row
        for row in tables.rows("AgLibraryCollection", *columns, order=("id_local",))
        if not values.number(row["systemOnly"]) and values.text(row["name"])
    }
    kinds: dict[Any, CollectionKind] = {local_id: _kind(row["creationId"]) for local_id, row in rows.items()}
    parents = {local_id: row["parent"] if kinds.get(row["parent"]) == "set" else None for local_id, row in rows.items()}
    return [
        LrcatCollection(
            local_id=local_id,
            name=rows[local_id]["name"],
            kind=kinds[local_id],
            parent=parent,
            photo_ids=tuple(members.get(local_id, ())) if kinds[local_id] == "collection" else (),
            rules=rules.get(local_id) if kinds[local_id] == "smart" else None,
        )
        for local_id, parent in _from_the_top(parents)
    ]


def _kind(creation_id: Any) -> CollectionKind:
    """Saved prints, books, slideshows and web galleries are collections too."""
    return _KINDS.get(creation_id, "collection")


def _members(tables: LrcatTables, photo_ids: Mapping[int, Any]) -> dict[int, dict[int, None]]:
    found: dict[int, dict[int, None]] = {}
    order = ("positionInCollection", "id_local")
    for row in tables.rows("AgLibraryCollectionImage", "collection", "image", order=order):
        if row["image"] in photo_ids:
            found.setdefault(row["collection"], {})[row["image"]] = None
    return found


def _rules(tables: LrcatTables) -> dict[int, Any]:
    found: dict[int, Any] = {}
    for row in tables.rows("AgLibraryCollectionContent", "collection", "content", "owningModule"):
        if row["owningModule"] == _RULES:
            try:
                found[row["collection"]] = lua_literal(values.text(row["content"]))
            except LuaTextRefused:
                continue
    return found


def _from_the_top(parents: Mapping[int, Any]) -> list[tuple[int, int | None]]:
    """Each id with the one above it, that one first. What is above nothing that is there, or above itself in a damaged
    catalog, stands at the top."""
    placed: dict[int, int | None] = {}
    for local_id in parents:
        line: dict[int, None] = {}
        place: Any = local_id
        while place in parents and place not in placed and place not in line:
            line[place] = None
            place = parents[place]
        above: int | None = place if place in placed else None
        for one in reversed(line):
            placed[one] = above
            above = one
    return list(placed.items())
