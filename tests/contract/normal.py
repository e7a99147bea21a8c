"""Brings our components and those that msgspec makes of the structs into one form, so that they can be compared."""

from __future__ import annotations

from typing import Any, cast

__all__ = ("comparable",)

Schema = dict[str, Any]

_SAID_ELSEWHERE = ("description", "title", "x-delivery", "default", "discriminator", "contentMediaType", "format")


def comparable(schema: Any, components: dict[str, Any]) -> Any:
    """The schema without annotations; plain components in place, objects by name, unions sorted, ``const`` as an
    ``enum`` of one."""
    if isinstance(schema, list):
        return [comparable(item, components) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast(Schema, schema).copy()
    if "$ref" in node:
        name = node.pop("$ref").rsplit("/", 1)[1]
        target: Schema = components[name]
        if target.get("type") == "object" or "oneOf" in target or "anyOf" in target:
            return {"$ref": name}
        node = {**target, **node}
    for annotation in _SAID_ELSEWHERE:
        node.pop(annotation, None)
    return _shaped({key: _value(key, value, components) for key, value in node.items()}, components)


def _value(key: str, value: Any, components: dict[str, Any]) -> Any:
    if key == "properties":
        return {name: comparable(schema, components) for name, schema in value.items()}
    return comparable(value, components)


def _shaped(node: Schema, components: dict[str, Any]) -> Schema:
    if "const" in node:
        node = {"enum": [node["const"]]}
    for key in ("enum", "required"):
        if key in node:
            node[key] = sorted(node[key])
    if node.get("additionalProperties") in ({}, True):
        del node["additionalProperties"]
    kinds = node.pop("type", None)
    alternatives = node.pop("oneOf", None) or node.pop("anyOf", None)
    if isinstance(kinds, list):
        plain = [kind for kind in cast("list[str]", kinds) if kind != "null"]
        alternatives = [*(comparable({**node, "type": kind}, components) for kind in plain), {"type": "null"}]
    if alternatives is not None:
        return {"any": sorted(alternatives, key=repr)}
    if kinds is not None and "enum" not in node:
        node["type"] = kinds
    if kinds == "object":
        node = {"required": [], "properties": {}, **node}
    return node
