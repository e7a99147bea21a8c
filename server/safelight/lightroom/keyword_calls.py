"""What the Lua doubles of keywords call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from safelight.lightroom.clock import LIGHTROOM_EPOCH
from safelight.lightroom.keywords import folded
from safelight.lightroom.lua_value import LuaEngine, LuaTable, sequence, text, to_lua
from safelight.lightroom.metadata import LightroomRefusal

if TYPE_CHECKING:
    from safelight.lightroom.catalog import Catalog
    from safelight.lightroom.photo import Keyword
    from safelight.lightroom.scheduler import Scheduler

__all__ = ("KeywordCalls",)

_SEPARATORS = ",;|"
_SDK_ERROR = "bad argument #2 to 'format' (string expected, got nil)"
"""What Lightroom itself throws for some keywords."""


class KeywordCalls:
    """All of it runs in the scheduler's thread."""

    REFUSABLE = (
        "keyword_name keyword_parent keyword_children keyword_synonyms keyword_attributes keyword_photos keyword_place "
        "add_keyword remove_keyword"
    )
    PLAIN = "create_keyword keywords_with_ids"

    def __init__(self, lua: LuaEngine, catalog: Catalog, scheduler: Scheduler) -> None:
        self._lua = lua
        self._catalog = catalog
        self._tree = catalog.keywords
        self._scheduler = scheduler

    def keyword_name(self, keyword: int) -> bytes:
        if keyword in self._tree.nameless:
            raise LightroomRefusal(_SDK_ERROR)
        return self._keyword(keyword).name.encode()

    def keyword_parent(self, keyword: int) -> int | None:
        return self._keyword(keyword).parent

    def keyword_children(self, parent: int | None) -> LuaTable:
        if parent is not None:
            self._keyword(parent)
        if parent in self._tree.unreadable:
            raise LightroomRefusal(_SDK_ERROR)
        return self._lua.table_from(self._tree.children(parent))

    def keyword_synonyms(self, keyword: int) -> LuaTable:
        return to_lua(self._lua, self._keyword(keyword).synonyms)

    def keyword_attributes(self, keyword: int) -> LuaTable:
        found = self._keyword(keyword)
        attributes = {
            "keywordName": found.name,
            "synonyms": found.synonyms,
            "includeOnExport": found.include_on_export,
        }
        return to_lua(self._lua, attributes)

    def keyword_photos(self, keyword: int) -> LuaTable:
        local_id = self._keyword(keyword).local_id
        return self._lua.table_from([one.local_id for one in self._catalog.photos() if local_id in one.keywords])

    def keywords_with_ids(self, ids: LuaTable) -> LuaTable:
        return self._lua.table_from([local_id for local_id in sequence(ids) if local_id in self._tree])

    def keyword_place(self, name: bytes, parent: int | None) -> bytes:
        """What tells a keyword from all others; refuses names that Lightroom would take for several."""
        wanted = text(name)
        if not wanted.strip() or wanted != wanted.strip() or any(mark in wanted for mark in _SEPARATORS):
            raise LightroomRefusal(f"not a name for a keyword: {wanted!r}")
        return f"{parent}/{folded(wanted)}".encode()

    def create_keyword(
        self, name: bytes, synonyms: LuaTable, include_on_export: bool, parent: int | None
    ) -> tuple[int, bool]:
        """Its id, and whether it is new; one that was there stays as it was. Case counts here: plug-ins that left it to
        Lightroom to find what is there were left with both "dog" and "Dog".
        """
        siblings = self._tree.children(parent)
        prior = next((one for one in siblings if self._tree[one].name == text(name)), None)
        if prior is not None:
            return prior, False
        words = [text(word) for word in sequence(synonyms)]
        made = self._tree.add(text(name), parent, synonyms=words, include_on_export=include_on_export)
        return made.local_id, True

    def add_keyword(self, photo: int, keyword: int) -> None:
        self._set(photo, (*self._catalog.by_id(photo).keywords, self._keyword(keyword).local_id))

    def remove_keyword(self, photo: int, keyword: int) -> None:
        wanted = self._keyword(keyword).local_id
        self._set(photo, tuple(one for one in self._catalog.by_id(photo).keywords if one != wanted))

    def _set(self, photo: int, keywords: tuple[int, ...]) -> None:
        edited = self._scheduler.clock.now() - LIGHTROOM_EPOCH
        self._catalog.change_photo(photo, keywords=tuple(dict.fromkeys(keywords)), last_edit=edited)

    def _keyword(self, local_id: int) -> Keyword:
        if local_id not in self._tree:
            raise LightroomRefusal("the keyword is no longer in the catalog")
        return self._tree[local_id]
