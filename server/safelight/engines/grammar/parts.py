"""The schemas inside a schema in normal form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ("parts_of", "with_parts")


def parts_of(node: dict[str, Any]) -> list[dict[str, Any]]:
    """Those that stand directly in it."""
    properties = cast("dict[str, dict[str, Any]]", node.get("properties", {}))
    return [*properties.values(), *node.get("anyOf", ()), *([node["items"]] if "items" in node else [])]


def with_parts(node: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """The schema with each of those changed. The original stays as it is."""
    found = dict(node)
    if "properties" in node:
        properties = cast("dict[str, dict[str, Any]]", node["properties"])
        found["properties"] = {name: change(part) for name, part in properties.items()}
    if "anyOf" in node:
        found["anyOf"] = [change(part) for part in cast("list[dict[str, Any]]", node["anyOf"])]
    if "items" in node:
        found["items"] = change(node["items"])
    return found
