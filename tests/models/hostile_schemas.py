"""Schemas that run a walker out of stack or of time."""

from __future__ import annotations

from typing import Any, Final

__all__ = ("HOSTILE",)


def _deep(depth: int, key: str) -> dict[str, Any]:
    deep: dict[str, Any] = {}
    for _ in range(depth):
        deep = {key: {"a": deep}} if key == "properties" else {key: [deep]} if key.endswith("Of") else {key: deep}
    return deep


def _fan_out(group: str, key: str) -> dict[str, Any]:
    fan: dict[str, Any] = {"d30": {"type": "string"}}
    for i in range(30):
        twice = [{"$ref": f"#/{group}/d{i + 1}"}, {"$ref": f"#/{group}/d{i + 1}"}]
        fan[f"d{i}"] = {key: twice} if key.endswith("Of") else {key: {"l": twice[0], "r": twice[1]}}
    return {"properties": {"a": {"$ref": f"#/{group}/d0"}}, group: fan}


def _shared() -> dict[str, Any]:
    shared: dict[str, Any] = {"description": "The innermost."}
    for _ in range(30):
        shared = {"properties": {"l": shared, "r": shared}, "anyOf": [shared, shared], "allOf": [shared, shared]}
    shared["allOf"].append(shared)
    return shared


HOSTILE: Final[dict[str, Any]] = {
    **{
        f"deep {key}": _deep(3_000, key) for key in ("properties", "items", "anyOf", "allOf", "oneOf", "not", "default")
    },
    **{f"fan {key}": _fan_out("$defs", key) for key in ("properties", "anyOf", "oneOf", "allOf")},
    "shared": _shared(),
    "wide": {"properties": {f"p{i}": {"type": "string", "description": "x" * 50} for i in range(20_000)}},
    "wide twice": {
        "anyOf": [{"properties": {f"p{i}": {} for i in range(5_000)}}] * 3,
        "properties": {"a": {"$ref": "#"}},
    },
    "chain": {"$ref": "#/$defs/0", "$defs": {str(i): {"$ref": f"#/$defs/{i + 1}"} for i in range(20_000)}},
    "members": {"properties": {"a": {"anyOf": [{"const": i} for i in range(5_000)], "maxLength": 3}}},
    "conditions": {"allOf": [{"if": {"required": [str(i)]}, "then": {}} for i in range(5_000)]},
    "union": {"anyOf": [{"properties": {"a": {"const": i}}, "required": ["a"]} for i in range(1_000)]},
    "pattern": {"properties": {"a": {"pattern": "(" * 100_000}, "b": {"pattern": "(a{1,9999}){1,9999}"}}},
}
