"""The rule of every keyword, each with what the grammar then writes and what it does not."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import pytest

from safelight.models.schemas import SchemaNotSupported, grammar_schema
from safelight.models.schemas.keywords import DROPPED, RULES
from tests.models.grammar_walk import Walker, compact
from tests.requirement import requirement


class Example(NamedTuple):
    schema: dict[str, Any]
    admitted: list[Any]
    refused: list[Any]


_TEXT: Final = {"type": "string"}
_AB: Final = {"type": "object", "properties": {"a": _TEXT, "b": _TEXT}}
_TUPLE: Final = [{"type": "integer"}, {"type": "number"}]
_QUIET: Final = Example(_TEXT, ["x"], [1])
_LETTERS: Final = {"type": "object", "additionalProperties": {"enum": [1]}, "required": ["a"]}
_GRADE: Final = {"type": "object", "properties": {"a": {"type": "integer"}}}
_CASES: Final = {
    **_AB,
    "if": {"properties": {"a": {"enum": ["x"]}}, "required": ["a"]},
    "then": {"required": ["b"]},
    "else": {"properties": {"b": False}},
}
_DEFS: Final = {"a/b c": _TEXT, "t": {"$anchor": "text", **_TEXT}}

EXAMPLES: Final[dict[str, Example]] = {
    "type": Example({"type": ["string", "null"]}, ["", None], [1, True]),
    "enum": Example({"enum": ["a", 1, None, {"k": [2, 2]}]}, ["a", 1, None, {"k": [2, 2]}], ["b", {}, True]),
    "const": Example({"const": {"a": "größe"}}, [{"a": "größe"}], [{}, {"a": "x"}]),
    "minLength": Example({"type": "string", "minLength": 2}, ["éé"], ["é"]),
    "maxLength": Example({"type": "string", "maxLength": 2}, ["\n😀"], ["abc"]),
    "minItems": Example({"type": "array", "items": {"type": "null"}, "minItems": 1}, [[None]], [[]]),
    "maxItems": Example({"type": "array", "items": {"type": "null"}, "maxItems": 1}, [[None]], [[None, None]]),
    "required": Example({**_AB, "required": ["a", "new"]}, [{"a": "", "new": 1}], [{"a": ""}, {}]),
    "properties": Example(_AB, [{"a": "", "b": ""}, {"b": ""}], [{"a": 1}, {"c": 1}]),
    "items": Example({"type": "array", "items": {"enum": [1]}}, [[1, 1]], [[2]]),
    "minimum": Example({"type": "integer", "minimum": 0.5}, [1], [0]),
    "maximum": Example({"type": "integer", "maximum": 5}, [5, -9], [6]),
    "exclusiveMinimum": Example({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, [1], [0]),
    "exclusiveMaximum": Example({"type": "integer", "exclusiveMaximum": 3}, [2], [3]),
    "multipleOf": Example({"type": "integer", "multipleOf": 5, "minimum": 0, "maximum": 9}, [0, 5], [3]),
    "pattern": Example({"type": "string", "enum": ["ab", "b"], "pattern": "^a"}, ["ab"], ["b"]),
    "format": Example({"format": "uri"}, ["x"], [1]),
    "uniqueItems": Example({"type": "array", "items": {"enum": [1]}, "uniqueItems": True}, [[1]], [[2]]),
    "contentEncoding": _QUIET,
    "contentMediaType": _QUIET,
    "contentSchema": _QUIET,
    "additionalProperties": Example(_LETTERS, [{"a": 1}], [{"a": 2}, {"a": 1, "b": 1}]),
    "patternProperties": Example({**_AB, "patternProperties": {"^a": {"maxLength": 1}}}, [{"a": "x"}], [{"a": "xx"}]),
    "propertyNames": Example(
        {"type": "object", "propertyNames": {"enum": ["x"]}, "additionalProperties": {"enum": [1]}},
        [{"x": 1}, {}],
        [{"y": 1}, {"x": 2}],
    ),
    "minProperties": Example({**_AB, "minProperties": 1}, [{"a": ""}, {"b": ""}, {"a": "", "b": ""}], [{}]),
    "maxProperties": Example({**_AB, "maxProperties": 1}, [{"a": ""}, {"b": ""}, {}], [{"a": "", "b": ""}]),
    "additionalItems": Example({"type": "array", "items": _TUPLE, "additionalItems": False}, [[1, 2]], [[1, 2, 3]]),
    "prefixItems": Example({"type": "array", "prefixItems": _TUPLE, "items": False}, [[1, 2]], [["a"], [1, 2, 3]]),
    "contains": Example({"type": "array", "contains": {"enum": [1]}}, [[1]], [[], [2]]),
    "minContains": Example({"type": "array", "contains": {"enum": [1]}, "minContains": 2}, [[1, 1]], [[1]]),
    "maxContains": Example({"type": "array", "contains": {"enum": [1]}, "maxContains": 1}, [[1]], [[1, 1]]),
    "unevaluatedProperties": Example(
        {"allOf": [_AB], "required": ["c"], "unevaluatedProperties": {"enum": [1]}}, [{"a": "", "c": 1}], [{"c": 2}]
    ),
    "unevaluatedItems": Example(
        {"type": "array", "prefixItems": [{"enum": [1]}], "unevaluatedItems": False}, [[1], []], [[1, 1]]
    ),
    "dependentRequired": Example(
        {**_AB, "dependentRequired": {"a": ["b"]}}, [{"b": ""}, {}, {"a": "", "b": ""}], [{"a": ""}]
    ),
    "dependentSchemas": Example(
        {**_AB, "dependentSchemas": {"a": {"properties": {"b": {"maxLength": 1}}}}},
        [{"b": "xx"}, {"a": "", "b": "x"}],
        [{"a": "", "b": "xx"}],
    ),
    "dependencies": Example({**_AB, "dependencies": {"a": ["b"]}}, [{"b": ""}, {"a": "", "b": ""}], [{"a": ""}]),
    "allOf": Example({"allOf": [{"type": "string", "minLength": 2}, {"maxLength": 3}]}, ["ab"], ["a", "abcd"]),
    "anyOf": Example({"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}, ["a", "b", None], ["c"]),
    "oneOf": Example(
        {**_AB, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, [{"a": ""}, {"b": ""}], [{}, {"a": "", "b": ""}]
    ),
    "not": Example({**_GRADE, "not": {"required": ["a"]}}, [{}], [{"a": 1}]),
    "if": Example(_CASES, [{"a": "x", "b": ""}, {}], [{"a": "x"}, {"b": ""}]),
    "then": Example(_CASES, [{"a": "x", "b": ""}], [{"a": "x"}]),
    "else": Example(_CASES, [{}], [{"b": ""}]),
    "$ref": Example({"$ref": "#/$defs/a~1b%20c", "maxLength": 1, "$defs": _DEFS}, ["x"], [1, "xx"]),
    "$dynamicRef": Example({"$dynamicRef": "#t", "$defs": {"t": {"$dynamicAnchor": "t", **_TEXT}}}, ["x"], [1]),
    "$recursiveRef": Example({"properties": {"a": {"$recursiveRef": "#"}}}, [{"a": {"a": {}}}], [{"a": 1}]),
    "$defs": Example({"$ref": "#/$defs/t", "$defs": _DEFS}, ["x"], [1]),
    "definitions": Example({"$ref": "#/definitions/t", "definitions": _DEFS}, ["x"], [1]),
    "$id": Example({"$id": "https://a.test/r", "$ref": "t", "$defs": {"t": {"$id": "t", **_TEXT}}}, ["x"], [1]),
    "id": Example({"id": "https://a.test/r", "$ref": "#t", "definitions": {"t": {"id": "#t", **_TEXT}}}, ["x"], [1]),
    "$anchor": Example({"$ref": "#text", "$defs": _DEFS}, ["x"], [1]),
    "$dynamicAnchor": Example({"$ref": "#t", "$defs": {"t": {"$dynamicAnchor": "t", **_TEXT}}}, ["x"], [1]),
    **dict.fromkeys(("$recursiveAnchor", "$schema", "$vocabulary", "$comment", "title", "description"), _QUIET),
    **dict.fromkeys(("default", "examples", "deprecated", "readOnly", "writeOnly", "nullable"), _QUIET),
}

LOOSER: Final[dict[str, Example]] = {
    "minimum": Example({"type": "number", "minimum": 1}, [0.5], []),
    "maximum": Example({"type": "number", "maximum": 1}, [1.5], []),
    "exclusiveMinimum": Example({"type": "number", "exclusiveMinimum": 1}, [1], []),
    "exclusiveMaximum": Example({"type": "number", "exclusiveMaximum": 1}, [1], []),
    "multipleOf": Example({"type": "number", "multipleOf": 0.5}, [0.25], []),
    "pattern": Example({"type": "string", "pattern": "^a"}, ["b"], []),
    "format": Example({"type": "string", "format": "date"}, ["b"], []),
    "uniqueItems": Example({"type": "array", "items": {"enum": [1]}, "uniqueItems": True}, [[1, 1]], []),
    "contentEncoding": Example({"type": "string", "contentEncoding": "base64"}, ["?"], []),
    "contentMediaType": Example({"type": "string", "contentMediaType": "application/json"}, ["?"], []),
    "oneOf": Example({"oneOf": [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]}, ["ab"], []),
    "not": Example({"type": "string", "not": {"const": "a"}}, ["a"], []),
}


@requirement("local.grammar-schema")
def test_the_table_has_an_example_of_every_keyword_and_of_every_dropped_one() -> None:
    assert set(EXAMPLES) == set(RULES)
    assert set(LOOSER) == set(DROPPED)
    assert all(rule.text for rule in RULES.values())


@pytest.mark.parametrize("keyword", EXAMPLES)
@requirement("local.grammar-schema")
def test_a_keyword_becomes_what_the_table_says(keyword: str) -> None:
    example = EXAMPLES[keyword]
    schema = {keyword: "x", **example.schema} if example is _QUIET else example.schema
    walker = Walker(grammar_schema(schema))
    assert walker.problems == (False, [])
    assert [value for value in example.admitted if not walker.admits(compact(value))] == []
    assert [value for value in example.refused if walker.admits(compact(value))] == []


@pytest.mark.parametrize("keyword", LOOSER)
@requirement("local.grammar-schema")
def test_a_dropped_keyword_admits_what_only_it_refuses(keyword: str) -> None:
    example = LOOSER[keyword]
    walker = Walker(grammar_schema(example.schema))
    assert all(walker.admits(compact(value)) for value in example.admitted)


@pytest.mark.parametrize(
    ("schema", "reason", "pointer"),
    [
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "back to itself", "/$defs/a"),
        ({"items": {"$ref": "#/$defs/gone"}}, r"\$ref '#/\$defs/gone' leads nowhere", "/items/$ref"),
        ({"$ref": "https://example.com/schema"}, r"\$ref .* does not point into", "/$ref"),
        ({"properties": {"a/b": {"type": "strnig"}}}, "type 'strnig' is unknown", "/properties/a~1b/type"),
        ({"type": []}, "type .* is unknown", "/type"),
        ({"properties": {"a": False}, "required": ["a"]}, "schema false", "/properties/a"),
        ({"enum": [[1, "a"]]}, "enum", ""),
        ({"enum": []}, "enum", "/enum"),
        ({"enum": ["\ud800", "\x7f"]}, "enum", "/enum"),
        ({"type": "string", "minLength": 2000}, "minLength", ""),
        ({"type": "array", "items": {}, "minItems": 2, "maxItems": 1}, "minItems", ""),
        ({"allOf": [{"type": "string"}, {"type": "null"}]}, "allOf", "/allOf"),
        ({"oneOf": [True, {"type": "null"}, {}]}, "oneOf", "/oneOf"),
        ({"type": "object", "minProperties": 1}, "minProperties", ""),
        ({"required": ["\x7f"]}, "required", ""),
    ],
)
@requirement("local.grammar-schema", "local.bad-tool-aside")
def test_what_no_grammar_can_hold_is_refused_with_its_keyword_and_place(
    schema: dict[str, Any], reason: str, pointer: str
) -> None:
    with pytest.raises(SchemaNotSupported, match=reason) as refused:
        grammar_schema(schema)
    assert refused.value.pointer == pointer
