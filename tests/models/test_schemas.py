"""JSON Schemas into the grammar's normal form, and the schema of an answer."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llguidance import LLMatcher

from safelight.models.schemas import (
    SchemaNotSupported,
    answer_of,
    answer_schema,
    argument_schemas,
    grammar_schema,
    reply_schema,
    split_choice,
)
from tests.models.json_schemas import NAMES, is_normal, schemas
from tests.requirement import requirement

PHOTOS = {
    "type": "object",
    "properties": {
        "rating": {"type": "integer", "minimum": 0, "maximum": 5},
        "set": {"type": "string"},
        "photo_ids": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["rating"],
    "oneOf": [{"required": ["set"]}, {"required": ["photo_ids"]}],
}


def transformed(schema: dict[str, Any]) -> dict[str, Any] | None:
    try:
        return grammar_schema(schema)
    except SchemaNotSupported:
        return None


def compiles(schema: dict[str, Any]) -> bool:
    grammar = LLMatcher.grammar_from_json_schema(schema, defaults={"whitespace_flexible": False})
    return LLMatcher.validate_grammar_with_warnings(grammar) == (False, [])


def dicts_of(node: Any) -> list[int]:
    """The identities of all dicts and lists inside."""
    if isinstance(node, dict):
        children = list(cast("dict[str, Any]", node).values())
    elif isinstance(node, list):
        children = cast("list[Any]", node)
    else:
        return []
    return [id(cast("object", node)), *(one for child in children for one in dicts_of(child))]


@requirement("local.grammar-schema", "local.schema-properties", "local.string-caps")
@given(schemas())
def test_every_schema_ends_in_normal_form_that_the_engine_reads(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    out = transformed(schema)
    assert schema == before, "the input was changed"
    if out is not None:
        assert is_normal(out)
        assert compiles(out)
        assert grammar_schema(out) == out, "not idempotent"
        assert not set(dicts_of(out)) & set(dicts_of(schema)), "shared with the input"


@requirement("local.schema-properties")
@given(st.lists(NAMES, unique=True, min_size=1))
def test_a_property_is_kept_whatever_its_name_and_in_its_place(names: list[str]) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names[:1]}
    assert list(grammar_schema(schema)["properties"]) == names
    assert compiles(grammar_schema(schema))


@pytest.mark.parametrize(
    ("schema", "normal"),
    [
        ({"type": "string", "format": "date", "maxLength": 3000, "default": ""}, {"type": "string", "maxLength": 1000}),
        ({"type": "integer", "minimum": 0, "maximum": 5}, {"type": "integer", "minimum": 0, "maximum": 5}),
        ({"type": "integer", "exclusiveMinimum": 0, "maximum": 9.5}, {"type": "integer", "minimum": 1, "maximum": 9}),
        (
            {"type": "integer", "exclusiveMinimum": True, "minimum": 0},
            {"type": "integer", "minimum": 1, "maximum": 2**53 - 1},
        ),
        ({"type": "number", "minimum": 0}, {"type": "number"}),
        ({"const": "x", "title": "X"}, {"enum": ["x"]}),
        ({"type": "string", "enum": ["a", None, "a", 3]}, {"enum": ["a"]}),
        ({"type": ["null", "boolean"]}, {"anyOf": [{"type": "null"}, {"type": "boolean"}]}),
        (
            {"type": ["string", "null"], "maxLength": 9, "minimum": 3},
            {"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]},
        ),
        (
            {"oneOf": [{"type": "string"}, {"type": "boolean"}], "maxLength": 5},
            {"anyOf": [{"type": "string", "maxLength": 5}, {"type": "boolean"}]},
        ),
        (
            {"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 4}]},
            {"type": "string", "minLength": 2, "maxLength": 4},
        ),
        (
            {"$ref": "#/definitions/a~1b%20c", "maxLength": 7, "definitions": {"a/b c": {"type": "string"}}},
            {"type": "string", "maxLength": 7},
        ),
        (
            {"type": "array", "items": {"type": "null"}},
            {"type": "array", "items": {"type": "null"}, "maxItems": 200},
        ),
        (
            {"properties": {"a": False, "b": {"type": "null"}}, "required": ["b"]},
            {"type": "object", "properties": {"b": {"type": "null"}}, "required": ["b"], "additionalProperties": False},
        ),
        (
            {"type": "object", "additionalProperties": {"type": "string"}},
            {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        ),
    ],
)
@requirement("local.grammar-schema")
def test_keywords_are_read_as_stated(schema: dict[str, Any], normal: dict[str, Any]) -> None:
    assert grammar_schema(schema) == normal


@pytest.mark.parametrize(
    ("schema", "reason", "pointer"),
    [
        ({"properties": {"n": {"$ref": "#"}}}, "back to itself", "/properties/n/$ref"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "back to itself", "/$defs/a/$ref"),
        ({"items": {"$ref": "#/$defs/gone"}}, "leads nowhere", "/items/$ref"),
        ({"$ref": "https://example.com/schema"}, "does not point into", "/$ref"),
        ({"properties": {"a/b": {"type": "strnig"}}}, "unknown", "/properties/a~1b/type"),
        ({"properties": {"a": False}, "required": ["a"]}, "no value", ""),
        ({"enum": [[1], {"a": 2}]}, "only lists and objects", "/enum"),
        ({"type": "string", "minLength": 2000}, "no value", ""),
    ],
)
@requirement("local.grammar-schema")
def test_what_no_grammar_can_hold_is_refused_with_its_place(schema: dict[str, Any], reason: str, pointer: str) -> None:
    with pytest.raises(SchemaNotSupported, match=reason) as refused:
        grammar_schema(schema)
    assert refused.value.pointer == pointer


@requirement("local.schema-properties")
def test_hostile_schemas_end_in_a_typed_error_soon() -> None:
    deep: dict[str, Any] = {}
    for _ in range(3_000):
        deep = {"properties": {"a": deep}}
    fan = {
        f"d{i}": {"properties": {"l": {"$ref": f"#/$defs/d{i + 1}"}, "r": {"$ref": f"#/$defs/d{i + 1}"}}}
        for i in range(30)
    }
    wide = {"allOf": [{"anyOf": [{"const": f"{i}{j}"} for j in range(9)]} for i in range(9)]}
    for schema in (deep, {"$ref": "#/$defs/d0", "$defs": {**fan, "d30": {}}}, wide):
        with pytest.raises(SchemaNotSupported):
            grammar_schema(schema)


@requirement("local.split-choice")
def test_a_choice_becomes_one_closed_object_each() -> None:
    before = copy.deepcopy(PHOTOS)
    out = split_choice(PHOTOS)
    assert before == PHOTOS
    assert [(list(one["properties"]), one["required"], one["additionalProperties"]) for one in out["anyOf"]] == [
        (["rating", "set"], ["rating", "set"], False),
        (["rating", "photo_ids"], ["rating", "photo_ids"], False),
    ]
    assert [one["required"] for one in grammar_schema(PHOTOS)["anyOf"]] == [["rating", "set"], ["rating", "photo_ids"]]


@requirement("local.split-choice")
def test_a_branch_that_would_satisfy_two_choices_is_left_out() -> None:
    schema: dict[str, Any] = {
        "properties": {"a": {}, "b": {}, "c": {}},
        "oneOf": [{"required": ["a"]}, {"required": ["a", "b"]}],
    }
    assert split_choice(schema)["required"] == ["a"]
    assert list(split_choice(schema)["properties"]) == ["a", "c"]
    assert split_choice({"type": "object"}) == {"type": "object"}


@requirement("local.answer-shape", "local.key-order")
def test_the_answer_schema_has_a_branch_for_each_tool_and_keeps_the_order() -> None:
    tools: list[object] = [
        {"name": "set_rating", "inputSchema": PHOTOS},
        SimpleNamespace(name="get_status", inputSchema=None),
    ]
    schema, set_aside = answer_schema(tools)
    assert set_aside == {}
    call, reply = schema["anyOf"]
    assert list(call["properties"]) == call["required"] == ["analysis", "call"]
    assert list(reply["properties"]) == reply["required"] == ["analysis", "reply"]
    assert [list(one["properties"]) for one in call["properties"]["call"]["anyOf"]] == [["set_rating"], ["get_status"]]
    assert reply == reply_schema() == answer_schema([])[0]
    assert compiles(schema)


@requirement("local.string-caps")
def test_analysis_reply_and_arguments_have_their_caps() -> None:
    arguments, _ = argument_schemas([{"name": "t", "inputSchema": {"properties": {"x": {"type": "string"}}}}])
    call, reply = answer_of(arguments)["anyOf"]
    assert call["properties"]["analysis"]["maxLength"] == 600
    assert reply["properties"]["reply"]["maxLength"] == 6000
    assert call["properties"]["call"]["properties"]["t"]["properties"]["x"]["maxLength"] == 1000


@requirement("local.bad-tool-aside")
def test_a_bad_tool_is_set_aside_alone() -> None:
    tools: list[object] = [
        {"name": "good", "inputSchema": {"type": "object"}},
        {"name": "text", "inputSchema": {"type": "string"}},
        {"name": "loop", "inputSchema": {"properties": {"n": {"$ref": "#"}}}},
        {"name": "list", "inputSchema": []},
        {"name": "good", "inputSchema": {}},
        {"inputSchema": {}},
    ]
    schema, set_aside = answer_schema(tools)
    assert '"good"' in json.dumps(schema)
    assert {"text", "loop", "list", "good", "None"} == set(set_aside)
    assert all(set_aside.values())
