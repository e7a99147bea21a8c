"""Tool schemas for cloud services: what every one of them takes, and nothing lost without a word."""

from __future__ import annotations

import copy
import json
import os
from pathlib import Path
from typing import Any, Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from safelight.models.schemas import SchemaNotSupported, portable_tool_schema
from safelight.models.schemas.names import argument_names
from tests.models.hostile_schemas import HOSTILE
from tests.models.service_rules import SERVICES, levels, parts_of
from tests.requirement import requirement

KEPT_TOOLS: Final = Path(__file__).parents[1] / "data" / "mcp_tools"

NAMES = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "title",
        "type",
        "properties",
        "$ref",
        "if",
        "format",
        "required",
        "enum",
        "items",
        "default",
        "const",
    ]
    + ["description", "x-guidance", "__proto__", "", "a/b", "filter[id]", "größe", "名前", "$defs", "\ud800"]
)
REFERENCES = st.sampled_from(["#", "#/$defs/s", "#/$defs/loop", "#/definitions/d%20d", "#gone", "#/properties/a", "x"])
JUNK = st.sampled_from(
    [None, True, False, -1, 3.0, 1e400, 10**400, "3", [], {}, ["a"], {"a": 1}, float("nan"), "\ud83d"]
)
WHOLE = st.integers(0, 9) | st.sampled_from([2_000, 10**6, 2**64])
BOUND = st.integers(-9, 9) | st.floats(-9, 9) | st.booleans() | st.sampled_from([2**64, -(2**64)])
TYPE = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object", "any"])
VALUE = st.sampled_from(["a", "", "größe", 0, 1, 1.0, 2.5, True, False, None, [1], {"a": 1}])
PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "type": TYPE | st.lists(TYPE, max_size=3),
    "const": VALUE,
    "enum": st.lists(VALUE, max_size=4),
    "required": st.lists(NAMES, max_size=3),
    "title": st.just("A title"),
    "description": st.sampled_from(["Says something.", "", "\ud83d half"]),
    "default": VALUE,
    "examples": st.lists(VALUE, max_size=2),
    "pattern": st.sampled_from(["^a+$", "(", "(?i)a", "[[a]]", "\\d", "\\Z"]),
    "format": st.sampled_from(["date", "int64", "uri"]),
    "minimum": BOUND,
    "maximum": BOUND,
    "exclusiveMinimum": BOUND,
    "exclusiveMaximum": BOUND,
    "multipleOf": BOUND,
    **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], WHOLE),
    "uniqueItems": st.booleans(),
    "nullable": st.just(True),
    "$ref": REFERENCES,
    "$schema": st.just("http://json-schema.org/draft-07/schema#"),
    "x-foo": st.just(1),
}


def _with_parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named = st.dictionaries(NAMES, inner, max_size=3)
    listed = st.lists(inner, max_size=3)
    parts: dict[str, st.SearchStrategy[Any]] = {
        **dict.fromkeys(["properties", "patternProperties", "dependentSchemas"], named),
        **dict.fromkeys(["anyOf", "oneOf", "allOf", "prefixItems"], listed),
        **dict.fromkeys(["additionalProperties", "not", "if", "then", "contains", "propertyNames"], inner),
        "items": inner | listed,
        "additionalItems": inner,
        "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2), max_size=2),
    }
    keywords = st.sampled_from([*parts] * 2 + ["properties", "anyOf", *PLAIN])
    return st.lists(keywords, max_size=4, unique=True).flatmap(
        lambda keys: st.fixed_dictionaries({key: parts.get(key, PLAIN.get(key, JUNK)) | JUNK for key in keys})
    )


SCHEMAS: Final = st.recursive(
    st.fixed_dictionaries({}, optional=PLAIN) | st.booleans() | JUNK, _with_parts, max_leaves=8
)


_LETTERS = st.sampled_from(["a", "b", "c"])
_TYPED: st.SearchStrategy[Any] = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={"minLength": st.integers(0, 2), "enum": st.lists(st.sampled_from(["a", "bc"]), min_size=1)},
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["integer", "number", ["integer", "null"]])},
        optional={"minimum": st.integers(-1, 1), "exclusiveMaximum": st.integers(0, 3) | st.just(0.5)},
    ),
    st.fixed_dictionaries({"enum": st.lists(st.sampled_from([0, 1.0, "a", True, None]), min_size=1)}),
    st.sampled_from([{"type": "boolean"}, {"const": 1}, {"const": None}, {}, True, {"$ref": "#/$defs/s"}]),
)


def _typed_parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    objects = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(_LETTERS, inner, max_size=3)},
        optional={
            "required": st.lists(_LETTERS, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "anyOf": st.lists(
                st.fixed_dictionaries({"required": st.lists(_LETTERS, min_size=1)}), min_size=1, max_size=2
            ),
        },
    )
    lists = st.fixed_dictionaries({"type": st.just("array")}, optional={"items": inner, "maxItems": st.integers(0, 2)})
    several = st.lists(inner, min_size=1, max_size=3)
    unions = st.fixed_dictionaries({"anyOf": several}) | st.fixed_dictionaries({"oneOf": several})
    return objects | lists | unions | st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2)})


TYPED: st.SearchStrategy[Any] = st.recursive(_TYPED, _typed_parts, max_leaves=6)
VALUES: Final = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 2, 0.25, -1, "", "a", "bc"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_LETTERS, inner, max_size=3),
    max_leaves=5,
)


def _whole(schema: Any) -> dict[str, Any]:
    """The schema as a tool's, with what its references point to."""
    root = cast("dict[str, Any]", schema) if isinstance(schema, dict) else {"properties": {"a": schema}}
    loop = {"type": "object", "properties": {"again": {"$ref": "#/$defs/loop"}, "s": {"$ref": "#/$defs/s"}}}
    return {
        **root,
        "$defs": {"s": {"type": "string", "minLength": 1, "description": "A text."}, "loop": loop},
        "definitions": {"d d": {"$ref": "#/definitions/d d"}},
    }


QUICK: Final = ("json", "gemini", "ollama", "llama_server")
"""The others check a schema against that of schemas, which takes ten milliseconds for each part."""


def refusals(schema: dict[str, Any], *services: str) -> list[str]:
    """Why services would refuse a portable schema, its arguments under the names that are sent."""
    sent = argument_names(schema["properties"]).sent_schema(schema)
    return [f"{name}: {reason}" for name in services or SERVICES for reason in SERVICES[name](sent)]


def dicts_of(node: Any) -> set[int]:
    """The identities of all dicts and lists inside."""
    if not isinstance(node, dict | list):
        return set()
    held = cast("dict[str, Any]", node).values() if isinstance(node, dict) else cast("list[Any]", node)
    return {id(cast("object", node))}.union(*map(dicts_of, held))


def descriptions(schema: dict[str, Any]) -> str:
    return " ".join(part.get("description", "") for part in parts_of(schema))


@requirement("cloud.portable-schema")
@given(SCHEMAS)
def test_whatever_a_tool_says_every_service_takes_what_is_made_of_it(schema: Any) -> None:
    whole = _whole(schema)
    before = copy.deepcopy(whole)
    try:
        made = portable_tool_schema(whole)
    except SchemaNotSupported:
        return
    assert repr(whole) == repr(before), "the input was changed"
    assert refusals(made) == []
    assert json.dumps(portable_tool_schema(made)) == json.dumps(made), "not idempotent"
    assert not dicts_of(made) & dicts_of(whole), "shared with the input"
    assert json.dumps(portable_tool_schema(whole)) == json.dumps(made), "not byte-stable"


@given(st.dictionaries(NAMES.filter(lambda name: name != "\ud800"), SCHEMAS, min_size=1))
def test_no_property_is_lost_whatever_its_name(properties: dict[str, Any]) -> None:
    """fastmcp#3607, haystack PR#12219, clawbolt PR#1488: properties called title or type were deleted."""
    named = {"description": "Mine."}
    schema = {"type": "object", "properties": {name: dict(named) for name in properties}, "required": [*properties]}
    assert portable_tool_schema(schema)["properties"] == dict.fromkeys(properties, named)


def errors(schema: dict[str, Any] | bool, value: Any) -> list[str]:
    return [str(error.message) for error in cast("Any", Draft202012Validator(schema)).iter_errors(value)]


@given(
    st.fixed_dictionaries({}, optional={"a": TYPED, "b": TYPED}),
    st.lists(TYPED, min_size=1, max_size=2),
    st.sampled_from(["anyOf", "oneOf"]),
    st.data(),
)
def test_arguments_that_the_tool_takes_its_portable_schema_takes_too(
    properties: dict[str, Any], forms: list[Any], union: str, data: st.DataObject
) -> None:
    objects = [{"type": "object", "properties": {"c": form}} for form in forms]
    schema = {"type": "object", "properties": properties, union: objects, "$defs": {"s": {"type": "string"}}}
    try:
        made: dict[str, Any] | bool = portable_tool_schema(schema)
    except SchemaNotSupported:
        made = False
    for value in data.draw(st.lists(st.dictionaries(_LETTERS, VALUES), min_size=1, max_size=5)):
        if not errors(schema, value):
            assert errors(made, value) == []


STRING: Final = {"type": "string"}


REWRITTEN: Final[list[tuple[Any, Any]]] = [
    (True, {}),
    ({"type": "string", "format": "date", "pattern": "^a", "maxLength": 9, "default": "a"}, "same"),
    ({"type": "string", "format": "int64"}, {**STRING, "description": 'Format "int64".'}),
    ({"type": "string", "pattern": "(?<!a)b"}, {**STRING, "description": 'Matches "(?<!a)b".'}),
    ({"type": "string", "maxLength": 2000}, {**STRING, "description": "At most 2000 characters."}),
    ({"type": ["string", "null"], "maxLength": 5}, {"anyOf": [{**STRING, "maxLength": 5}, {"type": "null"}]}),
    (
        {"enum": ["a", None, ""]},
        {"anyOf": [{**STRING, "enum": ["a"]}, {"type": "null"}], "description": 'May be "" too.'},
    ),
    ({"type": "string", "enum": ["a", 3]}, {**STRING, "enum": ["a"]}),
    ({"enum": [1, 2.0]}, {"type": "integer", "enum": [1, 2]}),
    ({"const": "x", "title": "X"}, {**STRING, "enum": ["x"], "description": "X"}),
    ({"const": True}, {"type": "boolean", "description": "Only true."}),
    ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {**STRING, "enum": ["a", "b"]}),
    ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, {"type": "integer", "minimum": 1}),
    ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, {"type": "number", "exclusiveMinimum": 0}),
    ({"type": "number", "multipleOf": 0.5}, {"type": "number", "description": "A multiple of 0.5."}),
    ({"type": "array"}, {"type": "array", "items": {}}),
    ({"type": "array", "uniqueItems": True}, {"type": "array", "items": {}, "description": "No item twice."}),
    ({"type": "array", "maxItems": 1000}, {"type": "array", "items": {}, "description": "At most 1000 items."}),
    (
        {"items": [{"type": "string"}, {"type": "null"}], "additionalItems": False},
        {
            "type": "array",
            "description": 'The items in their order: [{"type": "string"}, {"type": "null"}].',
            "items": {"anyOf": [STRING, {"type": "null"}]},
            "maxItems": 2,
        },
    ),
    ({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 4}]}, {**STRING, "minLength": 2, "maxLength": 4}),
    ({"anyOf": [{"type": "number"}, {"not": {}}, {"type": "null"}]}, {"anyOf": [{"type": "number"}, {"type": "null"}]}),
    ({"not": {"type": "null"}}, {"description": 'Nothing like {"type": "null"}.'}),
    ({"$ref": "#/$defs/s", "description": "Where."}, {**STRING, "description": "Where. A text.", "minLength": 1}),
    ({"$ref": "#/definitions/gone"}, {"description": 'Its form "#/definitions/gone" is not given here.'}),
    ({"properties": {"a": {}}, "required": ["a"]}, {"type": "object", "properties": {"a": {}}, "required": ["a"]}),
    ({"type": "object", "additionalProperties": STRING}, "same"),
    ({"type": "object", "dependentRequired": {"a": ["b"]}}, {"type": "object", "description": 'With "a" give b too.'}),
    (
        {"type": "object", "patternProperties": {"^x-": {}}, "additionalProperties": False},
        {"type": "object", "description": 'Names that match "^x-": {}.'},
    ),
    ({"type": "any", "examples": [1, 2]}, {"description": 'For example 1, 2. Type: "any".'}),
]


@pytest.mark.parametrize(("part", "made"), REWRITTEN)
@requirement("cloud.portable-schema")
def test_a_part_is_kept_or_rewritten_or_said_in_words(part: Any, made: Any) -> None:
    found = portable_tool_schema({**_whole({}), "properties": {"p": part}})["properties"]["p"]
    assert found == (part if made == "same" else made)


@requirement("cloud.portable-schema")
def test_a_choice_of_required_properties_at_the_root_is_said_in_words() -> None:
    """claude-code#5878, opencode#35516, mobile-mcp#344."""
    schema = {"properties": {"set": STRING, "ids": {"type": "array"}, "n": {}}, "required": ["n"]}
    for key, word in (("oneOf", "exactly"), ("anyOf", "at least")):
        made = portable_tool_schema({**schema, key: [{"required": ["set"]}, {"required": ["ids", "n"]}]})
        assert made["description"] == f"Give {word} one of these: set; ids and n."
        assert (list(made["properties"]), made["required"]) == (["set", "ids", "n"], ["n"])


@requirement("cloud.portable-schema")
def test_alternatives_at_the_root_are_united_and_told_apart_in_words() -> None:
    """langchainjs#9804, google-calendar-mcp#39; the example tool of MCP's own documents is of this kind."""
    by_name = {"properties": {"kind": {"const": "name"}, "name": STRING}, "required": ["kind", "name"], "title": "Name"}
    by_place = {"properties": {"kind": {"const": "place"}, "x": {"type": "number"}}, "required": ["kind"]}
    made = portable_tool_schema({"type": "object", "oneOf": [by_name, by_place]})
    assert made == {
        "type": "object",
        "description": 'Exactly one of these forms: kind = "name" and name (Name); kind = "place", and if you want x.',
        "properties": {
            "kind": {"type": "string", "enum": ["name", "place"]},
            "name": STRING,
            "x": {"type": "number"},
        },
        "required": ["kind"],
    }


def test_all_of_at_the_root_is_merged_with_what_references_bring() -> None:
    """notion-mcp-server#102, lmstudio-bug-tracker#738."""
    base = {"properties": {"a": STRING}, "required": ["a"], "additionalProperties": False}
    both = [{"$ref": "#/definitions/base"}, {"properties": {"b": True}}]
    made = portable_tool_schema({"allOf": both, "definitions": {"base": base}})
    assert made == {
        "type": "object",
        "properties": {"a": STRING, "b": {}},
        "required": ["a"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("empty", [{}, {"type": "object"}, {"$schema": "x"}, {"properties": {}}, {"properties": None}])
def test_a_tool_without_arguments_has_an_empty_object(empty: dict[str, Any]) -> None:
    assert portable_tool_schema(empty) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("schema", "reason", "pointer"),
    [
        ({"type": "string"}, "no object", "/type"),
        ([], "no object", ""),
        ({"properties": {"a": False}, "required": ["a"]}, "required", "/properties"),
        ({"allOf": [False]}, "no value", ""),
    ],
)
def test_only_what_is_no_object_or_can_never_be_right_is_refused(schema: Any, reason: str, pointer: str) -> None:
    with pytest.raises(SchemaNotSupported, match=reason) as refused:
        portable_tool_schema(schema)
    assert refused.value.pointer == pointer


@requirement("cloud.portable-schema")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_schemas_end_in_something_small_that_services_take(name: str) -> None:
    """openclaw#153687, crewAI PR#5500: the walker ran out of stack, or of time."""
    made = portable_tool_schema(HOSTILE[name])
    assert refusals(made, *QUICK) == []
    assert sum(1 for _ in parts_of(made)) < 30_000
    assert levels(made) <= 10


def test_a_schema_that_comes_back_to_itself_is_told_once_and_named() -> None:
    """fastapi_mcp#238, langflow PR#12359."""
    children = {"type": "array", "items": {"$ref": "#/$defs/Node"}}
    node = {"type": "object", "properties": {"name": STRING, "children": children}}
    made = portable_tool_schema({"properties": {"root": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}})
    again = made["properties"]["root"]["properties"]["children"]["items"]
    assert again == {"type": "object", "description": 'Again in the form of "Node".'}


def _tools(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for path in sorted(folder.rglob("*.json")):
        held: Any = json.loads(path.read_text(encoding="utf-8"))
        found += cast("list[dict[str, Any]]", held if isinstance(held, list) else held.get("tools", []))
    return [tool for tool in found if isinstance(tool.get("inputSchema"), dict)]


@requirement("cloud.portable-schema")
def test_real_tools_are_taken_by_every_service_with_all_their_arguments() -> None:
    """Set SAFELIGHT_MCP_TOOLS to a folder of tool lists to try others."""
    tools = _tools(Path(os.environ.get("SAFELIGHT_MCP_TOOLS") or KEPT_TOOLS))
    assert len(tools) > 10
    for tool in tools:
        schema = cast("dict[str, Any]", tool["inputSchema"])
        made = portable_tool_schema(schema)
        assert refusals(made) == [], tool["name"]
        assert made["properties"].keys() >= schema.get("properties", {}).keys(), tool["name"]
        assert portable_tool_schema(made) == made, tool["name"]
        for part in parts_of(schema) if "$ref" not in json.dumps(schema) else ():
            assert str(part.get("description", "")).strip() in descriptions(made), tool["name"]
