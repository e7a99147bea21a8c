"""Hypothesis strategies and checks for JSON Schemas."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ("NAMES", "is_normal", "schemas")

NAMES = st.sampled_from(
    ["title", "type", "properties", "$ref", "if", "format", "required", "enum", "items", "default", "const"]
    + ["x-guidance", "__proto__", "", "a/b", "a~b", "größe", "é1", "名前", "$defs", "pattern"]
)

_SCALARS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")}, optional={"minLength": st.integers(0, 3), "maxLength": st.integers(3, 2000)}
    ),
    st.fixed_dictionaries(
        {"type": st.just("integer")},
        optional={
            "minimum": st.integers(-50, 0) | st.floats(-9, 0),
            "maximum": st.integers(0, 10**30),
            "exclusiveMinimum": st.integers(-5, -1) | st.just(True),
        },
    ),
    st.fixed_dictionaries({"type": st.sampled_from(["boolean", "null", "number"])}),
    st.fixed_dictionaries({"enum": st.lists(st.sampled_from(["a", "", "größe", 1, 1.0, True, None]), min_size=1)}),
    st.fixed_dictionaries({"const": st.sampled_from(["x", 0, False, None, '"'])}),
    st.fixed_dictionaries(
        {"type": st.lists(st.sampled_from(["string", "null", "integer"]), min_size=1, unique=True)},
        optional={"format": st.just("int64"), "pattern": st.just("^a"), "default": st.just(3)},
    ),
    st.sampled_from([{}, {"description": "anything"}, {"type": "object"}, {"type": "array"}, {"$ref": "#/$defs/s"}]),
)


def _object(properties: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
    names = [*properties, "a"]
    picked: list[int] = rest.get("required", [])
    required = [names[i % len(names)] for i in picked]
    return {"type": "object", "properties": properties, **rest, "required": required}


def _nested(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    rest = st.fixed_dictionaries(
        {},
        optional={"required": st.lists(st.integers(0, 9), max_size=3), "additionalProperties": st.booleans() | inner},
    )
    objects = st.builds(_object, st.dictionaries(NAMES, inner, max_size=4), rest)
    lists: Any = st.lists(inner, min_size=1, max_size=2)
    arrays = {
        "items": inner | st.booleans(),
        "minItems": st.integers(0, 2),
        "maxItems": st.integers(2, 10**6),
        "prefixItems": lists,
    }
    kinds: list[st.SearchStrategy[dict[str, Any]]] = [
        objects,
        st.fixed_dictionaries({"type": st.just("array")}, optional=arrays),
        st.fixed_dictionaries({"anyOf": lists}, optional={"title": st.just("t")}),
        st.fixed_dictionaries({"oneOf": lists}),
        st.fixed_dictionaries({"allOf": lists}),
    ]
    return st.one_of(kinds)


def schemas() -> st.SearchStrategy[dict[str, Any]]:
    """Schemas whose ``#/$defs/s`` exists. Some of them cannot be satisfied."""
    return st.recursive(_SCALARS, _nested, max_leaves=8).map(
        lambda schema: {**schema, "$defs": {"s": {"type": "string", "minLength": 1}}}
    )


def is_normal(schema: Any) -> bool:
    """Whether a schema is in the grammar's normal form."""
    if "anyOf" in schema:
        return set(schema) == {"anyOf"} and len(schema["anyOf"]) > 1 and all(map(is_normal, schema["anyOf"]))
    if "enum" in schema:
        scalar = all(member is None or isinstance(member, str | int | float | bool) for member in schema["enum"])
        return set(schema) == {"enum"} and len(schema["enum"]) > 0 and scalar
    kind = schema["type"]
    if kind == "object":
        listed = schema["properties"]
        required = schema["required"]
        return (
            set(schema) == {"type", "properties", "required", "additionalProperties"}
            and schema["additionalProperties"] is False
            and len(set(required)) == len(required)
            and set(required) <= set(listed)
            and all(map(is_normal, listed.values()))
        )
    if kind == "array":
        return {"type", "items", "maxItems"} <= set(schema) <= {"type", "items", "minItems", "maxItems"} and is_normal(
            schema["items"]
        )
    if kind == "string":
        capped = schema["maxLength"] <= 1000
        return {"type", "maxLength"} <= set(schema) <= {"type", "minLength", "maxLength"} and capped
    if kind == "integer":
        return set(schema) == {"type", "minimum", "maximum"} and abs(schema["minimum"]) < 2**53 > abs(schema["maximum"])
    return kind in ("number", "boolean", "null") and set(schema) == {"type"}
