"""Values between Python and Lua 5.1, whose strings are bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from lupa.lua51 import lua_type

__all__ = ("LuaEngine", "LuaTable", "mapping", "plain", "sequence", "text", "to_lua")


class LuaTable(Protocol):
    """The part of lupa's table that is used here."""

    def __getitem__(self, key: Any, /) -> Any: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __len__(self) -> int: ...
    def items(self) -> Any: ...
    def values(self) -> Any: ...


class LuaEngine(Protocol):
    """The part of lupa's runtime that is used here; made with ``encoding=None``, so that strings cross as bytes."""

    def execute(self, lua_code: bytes, *args: Any, name: bytes | None = None) -> Any: ...
    def table_from(self, *args: Any) -> LuaTable: ...
    def table(self) -> LuaTable: ...


def text(value: Any) -> str:
    """A Lua string as text; broken UTF-8 is shown, never refused."""
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


def to_lua(lua: LuaEngine, value: Any) -> Any:
    """The Lua form of a plain value: text becomes bytes, lists and mappings become tables."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        return lua.table_from({to_lua(lua, key): to_lua(lua, item) for key, item in entries.items()})
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return lua.table_from([to_lua(lua, item) for item in cast("Sequence[Any]", value)])
    return value


def sequence(table: LuaTable | None) -> list[Any]:
    """The elements of a Lua list, as they cross."""
    return [] if table is None else list(table.values())


def mapping(table: LuaTable) -> dict[str, Any]:
    """A Lua table with text keys; text values become ``str``."""
    return {text(key): text(item) if isinstance(item, bytes) else item for key, item in table.items()}


def plain(value: Any) -> Any:
    """The Python form of a Lua value: a table with the keys 1 to n is a list, an empty one a mapping."""
    if isinstance(value, bytes):
        return text(value)
    if lua_type(value) != "table":
        return value
    entries: dict[Any, Any] = dict(value.items())
    if entries and all(place in entries for place in range(1, len(entries) + 1)):
        return [plain(entries[place]) for place in range(1, len(entries) + 1)]
    return {text(key): plain(item) for key, item in entries.items()}
