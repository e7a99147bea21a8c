"""JSON Schemas into the grammar's normal form, and the schema of an answer."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any

import pytest
from llguidance import LLMatcher

from safelight.models.schemas import (
    answer_of,
    answer_schema,
    argument_schemas,
    grammar_schema,
    reply_schema,
    split_choice,
)
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


def compiles(schema: dict[str, Any]) -> bool:
    grammar = LLMatcher.grammar_from_json_schema(schema, defaults={"whitespace_flexible": False})
    return LLMatcher.validate_grammar_with_warnings(grammar) == (False, [])


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
        {"name": "loop", "inputSchema": {"properties": {"n": {"$ref": "#"}}, "required": ["n"]}},
        {"name": "list", "inputSchema": []},
        {"name": "good", "inputSchema": {}},
        {"inputSchema": {}},
    ]
    schema, set_aside = answer_schema(tools)
    assert '"good"' in json.dumps(schema)
    assert {"text", "loop", "list", "good", "None"} == set(set_aside)
    assert all(set_aside.values())
