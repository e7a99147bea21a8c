"""Hypothesis strategies and checks for JSON Schemas."""

from __future__ import annotations

import random
from typing import Any, Final

from hypothesis import strategies as st

from safelight.models.schemas.limits import ARGUMENT_CHARS, SAFE_INTEGER

__all__ = ("NAMES", "hostile_values", "is_normal", "plain_schemas", "schemas", "value_of")

Strategy = st.SearchStrategy[dict[str, Any]]

NAMES: Final = st.sampled_from(
    ["title", "type", "properties", "$ref", "if", "format", "required", "enum", "items", "default", "const", "not"]
    + ["x-guidance", "__proto__", "", "a/b", "a~b", "größe", "é1", "名前", "$defs", "pattern", "a\nb", 'a"b', "\\"]
    + ["a", "b", "c", "oneOf", "additionalProperties", "x" * 70]
)
_FEW: Final = st.sampled_from(["a", "b", "type", "größe"])
_SCALARS: Final = st.sampled_from(["a", "", "größe", 'a"', "x\ny", 1, 0, -3, 1.5, 1.0, 2**53, 1e20, True, False, None])
_CONSTANTS: Final = _SCALARS | st.sampled_from([[], [1], ["a", "b"], {}, {"a": 1}, {"b": ["a"], "type": None}])
_DIALECTS: Final = {
    "2020": "https://json-schema.org/draft/2020-12/schema",
    "7": "http://json-schema.org/draft-07/schema#",
}


def _draw(required: dict[str, Any], optional: dict[str, Any]) -> Strategy:
    return st.fixed_dictionaries(required, optional=optional)


_STRINGS: Final = _draw(
    {"type": st.just("string")},
    {
        "minLength": st.integers(0, 3) | st.just(2.0),
        "maxLength": st.integers(2, 2000),
        "pattern": st.sampled_from(["^a", "b+$"]),
        "format": st.sampled_from(["date", "int64", "uri"]),
    },
)
_NUMBERS: Final = _draw(
    {"type": st.sampled_from(["integer", "integer", "number"])},
    {
        "minimum": st.integers(-50, 0) | st.floats(-9, 0),
        "maximum": st.integers(0, 10**30),
        "exclusiveMinimum": st.integers(-5, -1),
        "exclusiveMaximum": st.integers(3, 9) | st.floats(3, 4),
        "multipleOf": st.sampled_from([1, 2, 0.5, 7, 0.01]),
    },
)
_MIXED: Final = _draw(
    {"type": st.lists(st.sampled_from(["string", "null", "integer", "object", "array"]), min_size=1, unique=True)},
    {"format": st.just("int64"), "default": st.just(3), "nullable": st.just(True), "maxLength": st.integers(0, 5)},
)
_REFERENCES: Final = st.sampled_from(
    [{"$ref": "#/$defs/s"}, {"$ref": "#/$defs/tree"}, {"$ref": "#/$defs/a~1b%20c", "title": "t"}]
)
_LEAVES: Final = st.one_of(
    _STRINGS,
    _NUMBERS,
    _MIXED,
    _REFERENCES,
    _draw({"type": st.sampled_from(["boolean", "null", "number"])}, {}),
    _draw({"enum": st.lists(_CONSTANTS, min_size=1, max_size=4)}, {"type": st.sampled_from(["string", "integer"])}),
    _draw({"const": _CONSTANTS}, {"description": st.just("c")}),
    st.sampled_from([{}, {"description": "anything"}, {"type": "object"}, {"type": "array"}]),
)


def _object(properties: dict[str, Any], picked: list[int], rest: dict[str, Any]) -> dict[str, Any]:
    names = [*properties, "a"]
    required = {"required": [names[i % len(names)] for i in picked]} if picked else {}
    return {"type": "object", "properties": properties, **rest, **required}


def _objects(inner: Strategy, dialect: str) -> Strategy:
    schema = inner | st.booleans()
    depends = st.dictionaries(_FEW, st.lists(_FEW, max_size=2, unique=True), max_size=2)
    optional: dict[str, Any] = {
        "additionalProperties": schema,
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "e", "^$"]), inner, max_size=2),
        "propertyNames": st.sampled_from(
            [{"maxLength": 4}, {"enum": ["a", "b", "new"]}, {"pattern": "^[a-z]+$"}, True]
        ),
        "minProperties": st.integers(0, 3),
        "maxProperties": st.integers(1, 4),
    }
    if dialect == "7":
        optional["dependencies"] = depends | st.dictionaries(_FEW, schema, max_size=1)
    else:
        optional["dependentRequired"] = depends
        optional["dependentSchemas"] = st.dictionaries(_FEW, schema, max_size=1)
        optional["unevaluatedProperties"] = schema
    named = st.dictionaries(NAMES, schema, max_size=4)
    return st.builds(_object, named, st.lists(st.integers(0, 9), max_size=3), _some(optional))


def _some(optional: dict[str, Any]) -> Strategy:
    """A few of the keywords: all of them at once are seldom satisfied."""
    some = st.fixed_dictionaries({}, optional=optional)

    def three(found: dict[str, Any], at: int) -> dict[str, Any]:
        return dict([*found.items()][at : at + 3])

    return st.builds(three, some, st.integers(0, 4))


def _arrays(inner: Strategy, dialect: str) -> Strategy:
    schema = inner | st.booleans()
    tuples = st.lists(schema, min_size=1, max_size=2)
    optional: dict[str, Any] = {
        "items": schema,
        "minItems": st.integers(0, 2),
        "maxItems": st.integers(1, 10**6),
        "uniqueItems": st.booleans(),
        "contains": schema,
    }
    if dialect == "7":
        optional |= {"items": schema | tuples, "additionalItems": schema}
    else:
        optional |= {"prefixItems": tuples, "minContains": st.integers(0, 2), "maxContains": st.integers(0, 3)}
        optional |= {"unevaluatedItems": schema}
    return _some(optional).map(lambda rest: {"type": "array", **rest})


def _nested(inner: Strategy, dialect: str) -> Strategy:
    branches = st.lists(inner | st.booleans(), min_size=1, max_size=3)
    requires = st.lists(st.lists(_FEW, min_size=1, max_size=2, unique=True), min_size=1, max_size=3)
    choice = requires.map(lambda names: [{"required": one} for one in names])
    objects, arrays = _objects(inner, dialect), _arrays(inner, dialect)
    union = st.sampled_from(["anyOf", "oneOf", "allOf"])

    def beside(keyword: str, values: Any, base: dict[str, Any]) -> dict[str, Any]:
        return {**base, keyword: values}

    def merged(base: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
        return {**base, **rest}

    nothing: Strategy = st.builds(dict[str, Any])
    return st.one_of(
        objects,
        objects,
        arrays,
        st.builds(beside, union, branches, nothing | inner),
        st.builds(beside, union, choice, objects),
        st.builds(beside, st.just("not"), inner | choice.map(lambda found: found[0]), objects | inner),
        st.builds(merged, objects, _draw({"if": inner}, {"then": inner, "else": inner})),
    )


def _document(schema: dict[str, Any], dialect: str) -> dict[str, Any]:
    tree = {"type": "object", "properties": {"v": {"type": "integer"}, "kids": {"items": {"$ref": "#/$defs/tree"}}}}
    definitions = {"s": {"type": "string", "minLength": 1}, "tree": tree, "a/b c": {"enum": ["x", "y"]}}
    return {"$schema": _DIALECTS[dialect], **schema, "$defs": definitions}


def _documents(dialect: str) -> Strategy:
    found: Strategy = st.recursive(_LEAVES, lambda inner: _nested(inner, dialect), max_leaves=6)
    return found.map(lambda schema: _document(schema, dialect))


_DOCUMENTS: Final = st.one_of([_documents(dialect) for dialect in _DIALECTS])


def schemas() -> Strategy:
    """Valid schemas of drafts 7 and 2020-12, over all keywords. Some of them cannot be satisfied."""
    return _DOCUMENTS


def hostile_values() -> st.SearchStrategy[Any]:
    """Anything that JSON, or a Python dict, can hold where a schema is expected."""
    keywords = st.sampled_from(
        ["type", "enum", "const", "required", "properties", "items", "anyOf", "oneOf", "allOf", "not", "if", "then"]
        + ["minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxLength", "minItems", "maxItems"]
        + ["pattern", "format", "$ref", "$defs", "$id", "$anchor", "$dynamicRef", "contains", "minContains"]
        + ["patternProperties", "propertyNames", "dependencies", "dependentRequired", "additionalProperties"]
        + ["minProperties", "maxProperties", "unevaluatedProperties", "unevaluatedItems", "prefixItems"]
    )
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 3) | st.sampled_from([10**400, -(10**400), 2**63]),
        st.floats(),
        st.sampled_from(["object", "array", "string", "#", "#/", "#a", "(", "x\x7f", "\ud800", "", "a"]),
    )
    return st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.dictionaries(keywords, inner, max_size=5),
            st.dictionaries(keywords | NAMES | st.none() | st.integers(), inner, max_size=3),
            st.lists(inner, max_size=3),
        ),
        max_leaves=12,
    )


# --- schemas of which the grammar holds everything ---

_PLAIN_LEAVES: Final = st.one_of(
    _draw({"type": st.just("string")}, {"minLength": st.integers(0, 3), "maxLength": st.integers(3, 20)}),
    _draw({"type": st.just("integer")}, {"minimum": st.integers(-50, 0), "maximum": st.integers(0, 10**30)}),
    _draw({"type": st.sampled_from(["boolean", "null", "number"])}, {"title": st.just("t")}),
    _draw({"enum": st.lists(_SCALARS, min_size=1, max_size=4)}, {}),
)


def _plain_object(properties: dict[str, Any], picked: list[int]) -> dict[str, Any]:
    names = list(properties)
    return {"type": "object", "properties": properties, "required": [names[i] for i in picked if i < len(names)]}


def plain_schemas() -> Strategy:
    """Schemas of which no keyword is dropped or held more strictly than it is said."""

    def nested(inner: Strategy) -> Strategy:
        bounds = {"minItems": st.integers(0, 1), "maxItems": st.integers(1, 3)}
        return st.one_of(
            st.builds(
                _plain_object, st.dictionaries(NAMES, inner, max_size=4), st.lists(st.integers(0, 3), max_size=3)
            ),
            _draw({"type": st.just("array"), "items": inner}, bounds),
            _draw({"anyOf": st.lists(inner, min_size=1, max_size=3)}, {"description": st.just("d")}),
            _draw({"allOf": st.lists(inner, min_size=1, max_size=1)}, {}),
        )

    return st.recursive(_PLAIN_LEAVES, nested, max_leaves=8)


def value_of(schema: dict[str, Any], draw: random.Random) -> Any:
    """A value that a plain schema accepts, its properties in the order of the schema."""
    if "anyOf" in schema or "allOf" in schema:
        return value_of(draw.choice(schema.get("anyOf") or schema["allOf"]), draw)
    if "enum" in schema:
        chosen = draw.choice(schema["enum"])
        return int(chosen) if isinstance(chosen, float) and chosen.is_integer() else chosen
    kind = schema["type"]
    if kind == "object":
        chosen = [name for name in schema["properties"] if name in schema["required"] or draw.random() < 0.5]
        return {name: value_of(schema["properties"][name], draw) for name in chosen}
    if kind == "array":
        count = draw.randint(schema.get("minItems", 0), schema.get("maxItems", 3))
        return [value_of(schema["items"], draw) for _ in range(count)]
    if kind == "string":
        letters = 'ab"\\\n\té😀名 '
        return "".join(draw.choices(letters, k=draw.randint(schema.get("minLength", 0), schema.get("maxLength", 9))))
    if kind == "integer":
        low, high = schema.get("minimum", -SAFE_INTEGER), min(schema.get("maximum", SAFE_INTEGER), SAFE_INTEGER)
        return draw.randint(low, high)
    return {"boolean": draw.random() < 0.5, "null": None, "number": draw.choice([0, -1, 2.5, 0.125])}[kind]


# --- the normal form ---


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
        capped = schema["maxLength"] <= ARGUMENT_CHARS
        return {"type", "maxLength"} <= set(schema) <= {"type", "minLength", "maxLength"} and capped
    if kind == "integer":
        return set(schema) == {"type", "minimum", "maximum"} and abs(schema["minimum"]) < 2**53 > abs(schema["maximum"])
    return kind in ("number", "boolean", "null") and set(schema) == {"type"}
