"""Reads the three documents of the contract and resolves the short forms that tools.yaml and bridge.yaml use."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = ROOT / "contract"


@dataclass(frozen=True)
class Documents:
    """The parsed contract. ``tools`` has no ``$shared`` left in it."""

    openapi: dict[str, Any]
    tools: dict[str, Any]
    bridge: dict[str, Any]

    @property
    def version(self) -> str:
        return self.openapi["info"]["version"]


def load() -> Documents:
    openapi, tools, bridge = (_read(name) for name in ("openapi.yaml", "tools.yaml", "bridge.yaml"))
    return Documents(openapi=openapi, tools=_expand_shared(tools), bridge=bridge)


def _read(name: str) -> dict[str, Any]:
    document = yaml.safe_load((CONTRACT / name).read_text(encoding="utf-8"))
    if lost := next(_keys_without_value(document), None):
        raise SystemExit(f"{name}: {lost!r} has no value; a text with a comma in braces needs quotes")
    return document


def _keys_without_value(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in cast("dict[str, Any]", node).items():
            if value is None:
                yield key
            yield from _keys_without_value(value)
    elif isinstance(node, list):
        for item in cast("list[Any]", node):
            yield from _keys_without_value(item)


def _expand_shared(tools: dict[str, Any]) -> dict[str, Any]:
    shared = tools["shared"]
    expanded = copy.deepcopy(tools)
    for tool in expanded["tools"].values():
        properties = tool["input"]["properties"]
        for name, schema in properties.items():
            if "$shared" in schema:
                properties[name] = copy.deepcopy(shared[schema["$shared"]])
    return expanded


def inlined(schema: Any, defs: dict[str, Any]) -> Any:
    """The schema with every ``#/defs/...`` reference replaced by what it names, so that it stands alone."""
    if isinstance(schema, dict):
        node = cast("dict[str, Any]", schema)
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/defs/"):
            return inlined(defs[reference.removeprefix("#/defs/")], defs)
        return {key: inlined(value, defs) for key, value in node.items()}
    if isinstance(schema, list):
        return [inlined(item, defs) for item in cast("list[Any]", schema)]
    return schema


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
