"""The schema of a whole answer over many tools, held by the grammar itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llguidance import LLMatcher, LLTokenizer

from safelight.models.schemas import answer_of, answer_schema, argument_schemas
from safelight.models.schemas.answer import MAX_NAME
from tests.requirement import requirement

BYTES = LLTokenizer("byte")
# Without U+007F, which llguidance writes as it is in some places and escaped in others.
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), min_size=1, max_size=80)
ODD_NAMES = st.sampled_from(
    ["calendar.create", "größe", "é1", "名前", 'q"uote\\', "two\nlines", "\x00", "x" * 128, "</s>", "analysis"]
)


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def grammar_of(schema: dict[str, Any]) -> str:
    return LLMatcher.grammar_from_json_schema(compact(schema), defaults={"whitespace_flexible": False})


def compiled(schema: dict[str, Any]) -> LLMatcher:
    return LLMatcher(BYTES, grammar_of(schema), log_level=0)


def admits(grammar: LLMatcher, answer: object) -> bool:
    matcher = grammar.deep_copy()
    written = list(compact(answer).encode())
    return matcher.try_consume_tokens(written) == len(written) and matcher.is_accepting()


def tool(name: object, **properties: Any) -> dict[str, Any]:
    return {"inputSchema": {"additionalProperties": False, "properties": properties}, "name": name}


@requirement("local.answer-shape", "local.key-order")
@given(st.lists(NAMES | ODD_NAMES, min_size=1, max_size=3, unique=True))
def test_a_tool_is_called_by_its_name_whatever_it_is_and_keys_keep_their_order(names: list[str]) -> None:
    """XGrammar's keys with umlauts, names with dots, quotes and line ends."""
    schema, set_aside = answer_schema([tool(name, **{name: {"type": "integer"}}) for name in names])
    assert set_aside == {}
    assert json.loads(json.dumps(schema, sort_keys=True)) == schema
    grammar = compiled(schema)
    for name in names:
        called = {name: {name: 1}}
        assert admits(grammar, {"analysis": "So.", "call": called})
        assert not admits(grammar, {"call": called, "analysis": "So."})
        assert not admits(grammar, {"analysis": "So.", "call": called, "reply": ""})
        assert not admits(grammar, {"call": called})
        assert not admits(grammar, {"analysis": "So.", "call": {name + "x": {}}})
    assert admits(grammar, {"analysis": "", "reply": "Yes."})
    assert not admits(grammar, {"reply": "Yes.", "analysis": ""})


@requirement("local.key-order")
def test_sorting_the_schema_changes_nothing_of_the_order_that_matters() -> None:
    schema, _ = answer_schema([tool("zoom", to={"type": "integer"}), tool("ask", who={"type": "string"})])
    by_name = json.loads(json.dumps(schema, sort_keys=True))
    for one in (schema, by_name):
        called, reply = one["anyOf"]
        assert list(called["properties"]) == called["required"] == ["analysis", "call"]
        assert list(reply["properties"]) == reply["required"] == ["analysis", "reply"]


@requirement("local.bad-tool-aside")
@pytest.mark.parametrize(
    ("bad", "label", "reason"),
    [
        ({"inputSchema": {}}, "None", "it has no name"),
        (tool(""), "", "it has no name"),
        (tool(5), "None", "it has no name"),
        (tool("x" * (MAX_NAME + 1)), "x" * (MAX_NAME + 1), "longer than 200 characters"),
        (tool("half \ud83d"), "half \ud83d", "half a character"),
        (tool("good"), "good", "a second tool has the same name"),
        ({"name": "list", "inputSchema": []}, "list", "its input schema is no object"),
        ({"name": "never", "inputSchema": {"properties": {"a": False}, "required": ["a"]}}, "never", "a"),
    ],
)
def test_a_tool_that_cannot_be_called_is_set_aside_with_the_reason(bad: Any, label: str, reason: str) -> None:
    arguments, set_aside = argument_schemas([tool("good", a={"type": "null"}), bad, tool("last")])
    assert list(arguments) == ["good", "last"]
    assert list(arguments["good"]["properties"]) == ["a"]
    assert list(set_aside) == [label]
    assert reason in set_aside[label]


def test_of_two_tools_with_one_name_neither_takes_the_others_place() -> None:
    bad = {"name": "twice", "inputSchema": {"type": "string"}}
    arguments, set_aside = argument_schemas([bad, tool("twice")])
    assert arguments == {}
    assert "second" not in set_aside["twice"]


@requirement("local.bad-tool-aside")
@pytest.mark.parametrize("kind", ["properties", "values", "free", "ranges"])
def test_of_more_tools_than_a_grammar_holds_the_first_ones_are_kept(kind: str) -> None:
    parts: dict[str, dict[str, Any]] = {
        "properties": {"properties": {f"p{i}": {"type": "string", "maxLength": i} for i in range(40)}},
        "values": {"type": "string", "enum": [f"value {i}" for i in range(400)]},
        "free": {},
        "ranges": {"type": "integer"},
    }
    offered = [
        tool(f"tool {i}", a={**parts[kind], **({"maximum": i} if kind == "ranges" else {})}) for i in range(2_000)
    ]
    arguments, set_aside = argument_schemas(offered)
    assert len(arguments) + len(set_aside) == 2_000
    assert list(arguments) == [f"tool {i}" for i in range(len(arguments))]
    assert set(set_aside.values()) == {"the tools before it fill the grammar already"}
    assert LLMatcher.validate_grammar_with_warnings(grammar_of(answer_of(arguments))) == (False, [])


def test_what_is_made_of_a_tool_is_nobody_elses() -> None:
    offered = [tool("a", n={"type": "integer"})]
    first, _ = argument_schemas(offered)
    before = json.dumps(first)
    first["a"]["properties"].clear()
    assert json.dumps(argument_schemas(offered)[0]) == before
