"""The grammar's normal form, which every grammar engine reads alike.

A schema in normal form is one of
``{"type": "boolean" | "null" | "number"}``, ``{"type": "integer", "minimum", "maximum"}``,
``{"type": "string", "minLength"?, "maxLength"}``, ``{"enum": [scalars]}``,
``{"type": "array", "items", "minItems"?, "maxItems"}``,
``{"type": "object", "properties", "required", "additionalProperties": false}`` and ``{"anyOf": [two or more]}``.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.combine import alternatives
from safelight.models.schemas.limits import (
    ARGUMENT_CHARS,
    FREE_ITEMS,
    LIST_ITEMS,
    MAX_DEPTH,
    MAX_NODES,
    SAFE_INTEGER,
)
from safelight.models.schemas.read import Schema, read_schema

__all__ = ("grammar_schema", "normal_form")

_OBJECT: Final = {"properties", "required", "additionalProperties", "minProperties", "maxProperties"}
_ARRAY: Final = {"items", "prefixItems", "minItems", "maxItems"}
_STRING: Final = {"minLength", "maxLength"}
_NUMBER: Final = {"minimum", "maximum"}


def grammar_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema in normal form: references inlined, ``oneOf`` read as ``anyOf``, objects closed, everything bounded.

    What it admits, the original accepts too, apart from what only the dropped keywords refuse. Idempotent; the input
    is neither changed nor shared; the order of properties stays. Raises ``SchemaNotSupported``.
    """
    return normal_form(read_schema(schema))


def normal_form(schema: Schema | bool) -> dict[str, Any]:
    """Like ``grammar_schema``, for a schema that ``read_schema`` has read."""
    found = _Normal().of(schema, "", 0)
    if found is None:
        raise SchemaNotSupported("no value can satisfy this", "")
    return found


class _Normal:
    def __init__(self) -> None:
        self._nodes = 0

    def of(self, schema: Schema | bool, pointer: str, depth: int) -> Schema | None:
        """The normal form, or None when nothing satisfies the schema."""
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise SchemaNotSupported(f"nested deeper than {MAX_DEPTH} levels", pointer)
        if self._nodes > MAX_NODES:
            raise SchemaNotSupported(f"larger than {MAX_NODES:,} parts once its unions are multiplied out", pointer)
        found = [one for flat in alternatives(schema, pointer) for one in self._flat(flat, pointer, depth)]
        return _any_of(found)

    def _flat(self, flat: Schema, pointer: str, depth: int) -> list[Schema]:
        if "enum" in flat:
            return _enum(flat, pointer)
        types = flat.get("type") or _implied_types(flat)
        if types is None:
            return [_free_value()]
        found = (self._typed(kind, flat, pointer, depth) for kind in types)
        return [one for one in found if one is not None]

    def _typed(self, kind: str, flat: Schema, pointer: str, depth: int) -> Schema | None:
        if kind == "object":
            return self._object(flat, pointer, depth)
        if kind == "array":
            return self._array(flat, pointer, depth)
        if kind == "string":
            return _string(flat)
        if kind == "integer":
            return _integer(flat)
        return {"type": kind}

    def _object(self, flat: Schema, pointer: str, depth: int) -> Schema | None:
        unlisted = flat.get("additionalProperties", True)
        listed: dict[str, Schema | bool] = dict(flat.get("properties", {}))
        required = flat.get("required", [])
        for name in required:
            listed.setdefault(name, unlisted)
        properties: Schema = {}
        for name, node in listed.items():
            value = self.of(node, f"{pointer}/properties/{name}", depth + 1)
            if value is not None:
                properties[name] = value
            elif name in required:
                return None
        if flat.get("minProperties", 0) > len(properties) or flat.get("maxProperties", SAFE_INTEGER) < len(required):
            return None
        kept = [name for name in properties if name in required]
        return {"type": "object", "properties": properties, "required": kept, "additionalProperties": False}

    def _array(self, flat: Schema, pointer: str, depth: int) -> Schema | None:
        prefix = flat.get("prefixItems", [])
        rest = flat.get("items", True)
        most = flat.get("maxItems", SAFE_INTEGER)
        kinds = [self.of(node, f"{pointer}/prefixItems/{i}", depth + 1) for i, node in enumerate(prefix[:most])]
        if None in kinds:  # the list must end before an item that nothing satisfies
            most = min(most, kinds.index(None))
            kinds = kinds[:most]
        elif most > len(prefix):
            more = self.of(rest, f"{pointer}/items", depth + 1)
            most = len(prefix) if more is None else most
            kinds.append(more)
        items = _any_of([kind for kind in kinds if kind is not None])
        least = flat.get("minItems", 0)
        if least > most:
            return None
        out: Schema = {"type": "array", "items": items or {"type": "null"}}
        if least:
            out["minItems"] = least
        return {**out, "maxItems": max(least, min(most, LIST_ITEMS)) if items else 0}


def _any_of(found: list[Schema]) -> Schema | None:
    branches: list[Schema] = []
    for one in found:
        branches.extend(one.get("anyOf", [one]))
    unique = list({json.dumps(one): one for one in branches}.values())
    if len(unique) < 2:
        return unique[0] if unique else None
    return {"anyOf": unique}


def _implied_types(flat: Schema) -> list[str] | None:
    """The type that the keywords speak of, where a schema names none; None where it says nothing at all."""
    for keywords, kind in ((_OBJECT, "object"), (_ARRAY, "array"), (_STRING, "string"), (_NUMBER, "number")):
        if flat.keys() & keywords:
            return [kind]
    return None


def _string(flat: Schema) -> Schema | None:
    least, most = flat.get("minLength", 0), min(flat.get("maxLength", ARGUMENT_CHARS), ARGUMENT_CHARS)
    if least > most:
        return None
    return {"type": "string", **({"minLength": least} if least else {}), "maxLength": most}


def _integer(flat: Schema) -> Schema | None:
    low = max(math.ceil(flat.get("minimum", -SAFE_INTEGER)), -SAFE_INTEGER)
    high = min(math.floor(flat.get("maximum", SAFE_INTEGER)), SAFE_INTEGER)
    return {"type": "integer", "minimum": low, "maximum": high} if low <= high else None


def _enum(flat: Schema, pointer: str) -> list[Schema]:
    members = [member for member in map(_plain, flat["enum"]) if member is not None or None in flat["enum"]]
    if flat["enum"] and not members:
        raise SchemaNotSupported("only lists and objects to choose from", f"{pointer}/enum")
    fitting = [member for member in members if _admits(flat, member)]
    unique = list({json.dumps(member): member for member in fitting}.values())
    return [{"enum": unique}] if unique else []


def _plain(member: object) -> object:
    """A scalar as the grammar spells it; None for what is no finite scalar."""
    if isinstance(member, float):
        if not math.isfinite(member):
            return None
        return int(member) if member.is_integer() and abs(member) <= SAFE_INTEGER else member
    return member if isinstance(member, str | int | bool) else None


def _admits(flat: Schema, member: object) -> bool:
    types: list[str] | None = flat.get("type")
    if isinstance(member, bool):
        return types is None or "boolean" in types
    if member is None:
        return types is None or "null" in types
    if isinstance(member, str):
        fits = flat.get("minLength", 0) <= len(member) <= flat.get("maxLength", len(member))
        return fits and (types is None or "string" in types)
    if not isinstance(member, int | float):
        return False
    wanted = {"number"} if isinstance(member, float) else {"number", "integer"}
    fits = flat.get("minimum", member) <= member <= flat.get("maximum", member)
    return fits and (types is None or bool(wanted.intersection(types)))


def _free_value() -> Schema:
    """Any scalar, or a short list of scalars: what can be written where a schema says nothing, and yet has an end."""
    scalars: list[Schema] = [
        {"type": "string", "maxLength": ARGUMENT_CHARS},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
    ]
    items = [dict(scalar) for scalar in scalars]
    return {"anyOf": [*scalars, {"type": "array", "items": {"anyOf": items}, "maxItems": FREE_ITEMS}]}
