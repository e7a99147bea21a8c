"""Alternatives of a schema: unions and ``allOf`` multiplied out, so that each alternative stands alone."""

from __future__ import annotations

from typing import Any, Final

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.choice import is_choice, split
from safelight.models.schemas.limits import MAX_ALTERNATIVES
from safelight.models.schemas.read import TYPES, Schema

__all__ = ("alternatives", "combine")

_LOWER: Final = ("minLength", "minItems", "minProperties", "minimum")
_UPPER: Final = ("maxLength", "maxItems", "maxProperties", "maximum")


def alternatives(schema: Schema | bool, pointer: str) -> list[Schema]:
    """The schema as a list of schemas without ``allOf``, ``anyOf`` and ``oneOf`` at the top; any of them will do.

    What stands beside a union is pushed into each of its branches. An empty list means that nothing satisfies it.
    """
    if isinstance(schema, bool):
        return [{}] if schema else []
    rest = {key: value for key, value in schema.items() if key not in ("allOf", "anyOf", "oneOf")}
    found = [_plain_bounds(rest)]
    for part in schema.get("allOf", []):
        found = _product(found, alternatives(part, pointer), pointer)
    for key in ("oneOf", "anyOf"):
        branches = schema.get(key)
        if branches and is_choice(branches):
            choices = [branch["required"] for branch in branches]
            objects = [{**base, "type": ["object"]} for base in found if "object" in base.get("type", ["object"])]
            found = [one for base in objects for one in split(base, choices, exactly_one=key == "oneOf")]
        elif branches:
            union = [one for branch in branches for one in alternatives(branch, pointer)]
            found = _product(found, union, pointer)
    return found


def _product(left: list[Schema], right: list[Schema], pointer: str) -> list[Schema]:
    if len(left) * len(right) > MAX_ALTERNATIVES:
        raise SchemaNotSupported(f"more than {MAX_ALTERNATIVES} alternatives in one place", pointer)
    return [both for a in left for b in right if (both := combine(a, b)) is not None]


def combine(a: Schema, b: Schema) -> Schema | None:
    """What satisfies both, or None where their types leave nothing."""
    out = {**b, **a}
    if "type" in a and "type" in b:
        out["type"] = _common_types(a["type"], b["type"])
        if not out["type"]:
            return None
    if "enum" in a and "enum" in b:
        out["enum"] = [x for x in a["enum"] if any(_same(x, y) for y in b["enum"])]
    for keys, pick in ((_LOWER, max), (_UPPER, min)):
        for key in keys:
            if key in a and key in b:
                out[key] = pick(a[key], b[key])
    if "required" in a and "required" in b:
        out["required"] = list(dict.fromkeys([*a["required"], *b["required"]]))
    if "items" in a and "items" in b:
        out["items"] = _all_of(a["items"], b["items"])
    if "prefixItems" in out:
        out["prefixItems"] = _both_prefixes(a, b)
    if any(key in s for s in (a, b) for key in ("properties", "additionalProperties")):
        _combine_properties(a, b, out)
    return out


def _combine_properties(a: Schema, b: Schema, out: Schema) -> None:
    mine, theirs = a.get("properties", {}), b.get("properties", {})
    rest_a, rest_b = a.get("additionalProperties", True), b.get("additionalProperties", True)
    out["properties"] = {
        name: _all_of(mine.get(name, rest_a), theirs.get(name, rest_b)) for name in dict.fromkeys([*mine, *theirs])
    }
    out["additionalProperties"] = _all_of(rest_a, rest_b)


def _all_of(a: Schema | bool, b: Schema | bool) -> Schema | bool:
    if isinstance(a, bool):
        return b if a else False
    if isinstance(b, bool):
        return a if b else False
    return {"allOf": [a, b]}


def _both_prefixes(a: Schema, b: Schema) -> list[Schema | bool]:
    length = max(len(a.get("prefixItems", [])), len(b.get("prefixItems", [])))

    def at(schema: Schema, index: int) -> Schema | bool:
        prefix = schema.get("prefixItems", [])
        return prefix[index] if index < len(prefix) else schema.get("items", True)

    return [_all_of(at(a, i), at(b, i)) for i in range(length)]


def _common_types(a: list[str], b: list[str]) -> list[str]:
    def wide(types: list[str]) -> set[str]:
        return {*types, "integer"} if "number" in types else set(types)

    common = wide(a) & wide(b)
    if "number" in common:
        common.discard("integer")
    return sorted(common, key=lambda name: a.index(name) if name in a else TYPES.index(name) + len(a))


def _same(x: object, y: object) -> bool:
    return x == y and isinstance(x, bool) == isinstance(y, bool)


def _plain_bounds(schema: dict[str, Any]) -> Schema:
    """Exclusive bounds as inclusive ones: exact for whole numbers, which are the only ones whose bounds are kept."""
    out = dict(schema)
    for exclusive, inclusive, step in (("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)):
        bound = out.pop(exclusive, None)
        if bound is True and inclusive in out:
            out[inclusive] = _beyond(out[inclusive], step)
        elif bound is not None and bound is not True:
            edge = _beyond(bound, step)
            pick = max if step > 0 else min
            out[inclusive] = pick(edge, out[inclusive]) if inclusive in out else edge
    return out


def _beyond(bound: float, step: int) -> float:
    """The first whole number past an exclusive bound; fractions are rounded later."""
    return int(bound) + step if bound == int(bound) else bound
