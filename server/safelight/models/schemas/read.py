"""Reads an untrusted JSON Schema: references inlined, keywords that the grammar knows kept, their values well typed.

What comes out is a tree of fresh dicts that holds only ``KEPT`` keywords. Keywords that no grammar can hold (``not``,
``if``, ``pattern``, ``uniqueItems``, ...) are left out: the tool still validates its arguments with its own schema.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias, cast
from urllib.parse import unquote

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.limits import MAX_DEPTH, MAX_NODES

__all__ = ("TYPES", "Schema", "read_schema")

Schema: TypeAlias = dict[str, Any]

TYPES: Final = ("string", "integer", "number", "boolean", "null", "array", "object")

_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")


def read_schema(schema: object) -> Schema | bool:
    """The schema with its references inlined. Raises ``SchemaNotSupported`` for recursion, references that lead
    nowhere or outside, and schemas that are too deep or too large."""
    return _Reader(schema).read(schema, "", 0, ())


class _Reader:
    def __init__(self, document: object) -> None:
        self._document = document
        self._nodes = 0

    def read(self, node: object, pointer: str, depth: int, active: tuple[str, ...]) -> Schema | bool:
        if isinstance(node, bool):
            return node
        if not isinstance(node, dict):
            return True
        self._count(pointer, depth)
        source = cast("dict[Any, Any]", node)
        out: Schema = {}
        self._read_values(source, out, pointer)
        self._read_children(source, out, pointer, depth, active)
        return self._read_reference(source, out, pointer, depth, active)

    def _count(self, pointer: str, depth: int) -> None:
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise SchemaNotSupported(f"nested deeper than {MAX_DEPTH} levels", pointer)
        if self._nodes > MAX_NODES:
            raise SchemaNotSupported(f"larger than {MAX_NODES:,} parts once its references are inlined", pointer)

    def _read_values(self, source: dict[Any, Any], out: Schema, pointer: str) -> None:
        if "type" in source:
            out["type"] = _types(source["type"], pointer)
        if "const" in source:
            out["enum"] = [source["const"]]
        elif isinstance(source.get("enum"), list):
            out["enum"] = list(source["enum"])
        if isinstance(source.get("required"), list):
            names = cast("list[object]", source["required"])
            out["required"] = list(dict.fromkeys(name for name in names if isinstance(name, str)))
        for key in _COUNTS:
            if (count := _integral(source.get(key))) is not None and count >= 0:
                out[key] = count
        for key in _BOUNDS:
            if _is_number(source.get(key)) or (key.startswith("exclusive") and source.get(key) is True):
                out[key] = source[key]
        if any(key in source for key in ("pattern", "format")) and "type" not in source and "enum" not in source:
            out["type"] = ["string"]

    def _read_children(
        self, source: dict[Any, Any], out: Schema, pointer: str, depth: int, active: tuple[str, ...]
    ) -> None:
        def child(node: object, *steps: object) -> Schema | bool:
            path = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
            return self.read(node, pointer + path, depth + 1, active)

        if isinstance(source.get("properties"), dict):
            properties = cast("dict[Any, object]", source["properties"])
            out["properties"] = {str(name): child(node, "properties", name) for name, node in properties.items()}
        for key in _LISTS:
            if isinstance(source.get(key), list):
                nodes = cast("list[object]", source[key])
                out[key] = [child(node, key, i) for i, node in enumerate(nodes) if _is_schema(node)]
        items = source.get("items")
        if isinstance(items, list):  # the draft 4 form of prefixItems
            out["prefixItems"] = [child(node, "items", i) for i, node in enumerate(cast("list[object]", items))]
            items = source.get("additionalItems")
        if isinstance(items, dict | bool):
            out["items"] = child(cast("object", items), "items")
        if isinstance(source.get("additionalProperties"), dict | bool):
            out["additionalProperties"] = child(source["additionalProperties"], "additionalProperties")

    def _read_reference(
        self, source: dict[Any, Any], out: Schema, pointer: str, depth: int, active: tuple[str, ...]
    ) -> Schema | bool:
        for key in ("$dynamicRef", "$recursiveRef"):
            if key in source:
                raise SchemaNotSupported(f"{key} is not supported", f"{pointer}/{key}")
        reference = source.get("$ref")
        if not isinstance(reference, str):
            return out
        where = f"{pointer}/$ref"
        if reference in active:
            raise SchemaNotSupported(f"the reference {reference!r} leads back to itself", where)
        target, path = self._find(reference, where)
        inlined = self.read(target, path, depth + 1, (*active, reference))
        return {"allOf": [inlined, out]} if out else inlined

    def _find(self, reference: str, where: str) -> tuple[object, str]:
        if not reference.startswith("#") or (len(reference) > 1 and reference[1] != "/"):
            raise SchemaNotSupported(f"the reference {reference!r} does not point into this schema", where)
        node = self._document
        path = unquote(reference[1:])
        for raw in path.split("/")[1:]:
            step = raw.replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and step in node:
                node = cast("dict[str, object]", node)[step]
            elif isinstance(node, list) and step.isdecimal() and int(step) < len(cast("list[object]", node)):
                node = cast("list[object]", node)[int(step)]
            else:
                raise SchemaNotSupported(f"the reference {reference!r} leads nowhere", where)
        return node, path


def _types(value: object, pointer: str) -> list[str]:
    named = cast("list[object]", value) if isinstance(value, list) else [value]
    known = [name for name in TYPES if name in named]
    if not known:
        raise SchemaNotSupported(f"the type {value!r} is unknown", f"{pointer}/type")
    # In the order that the schema lists them: the model sees the first alternatives first.
    return sorted(known, key=named.index)


def _is_schema(value: object) -> bool:
    return isinstance(value, dict | bool)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _integral(value: object) -> int | None:
    if _is_number(value) and int(cast("float", value)) == value:
        return int(cast("float", value))
    return None
