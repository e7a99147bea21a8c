"""Schemas made to loop, to multiply or to exhaust: each ends soon, in a small normal form or in a typed reason."""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any, Final

import pytest

from safelight.models.schemas import SchemaNotSupported, answer_schema, grammar_schema, split_choice
from tests.models.grammar_walk import Walker, compact
from tests.models.json_schemas import is_normal
from tests.requirement import requirement

# Of the process's own time. On an idle core none takes a quarter of it.
SOON: Final = 1.0


def nested(levels: int, wrap: Callable[[Any], Any]) -> Any:
    inner: Any = {}
    for _ in range(levels):
        inner = wrap(inner)
    return inner


def cycle(fill: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    fill(schema)
    return schema


def chain(count: int, level: Callable[[dict[str, str]], Any], end: Any) -> dict[str, Any]:
    """Definitions each of which refers to the next as often as ``level`` likes."""
    defs = {f"d{i}": level({"$ref": f"#/$defs/d{i + 1}"}) for i in range(count)}
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{count}": end}}


def objects(count: int, **rest: Any) -> list[dict[str, Any]]:
    return [{"type": "object", "properties": {f"p{i}": {"type": "string"}}, **rest} for i in range(count)]


def many(count: int) -> dict[str, Any]:
    return {f"p{i}": {"type": "string"} for i in range(count)}


REFUSED: Final[dict[str, tuple[Any, str]]] = {
    "properties 3,000 deep": (nested(3_000, lambda inner: {"properties": {"a": inner}}), "properties"),
    "items 3,000 deep": (nested(3_000, lambda inner: {"items": inner}), "items"),
    "allOf 3,000 deep": (nested(3_000, lambda inner: {"allOf": [inner]}), "allOf"),
    "anyOf 3,000 deep": (nested(3_000, lambda inner: {"anyOf": [inner]}), "anyOf"),
    "not 3,000 deep": (nested(3_000, lambda inner: {"not": inner}), "allOf, anyOf"),
    "a const 3,000 deep": ({"const": nested(3_000, lambda inner: {"a": inner})}, "properties"),
    "2^30 properties": (
        chain(30, lambda next_: {"properties": {"l": next_, "r": next_}}, {"type": "null"}),
        r"\$ref",
    ),
    "2^30 shared dicts": (nested(30, lambda inner: {"properties": {"l": inner, "r": inner}}), "parts"),
    "2^25 branches": (nested(25, lambda inner: {"anyOf": [inner, inner]}), "anyOf"),
    "12^9 alternatives": (
        {"allOf": [{"anyOf": [{"required": [f"{i}.{j}"]} for j in range(9)]} for i in range(12)]},
        "allOf",
    ),
    "20,000 properties": ({"properties": many(20_000)}, "parts"),
    "20,000 required names": ({"required": list(many(20_000))}, "parts"),
    "20,000 branches": ({"anyOf": objects(20_000)}, "parts"),
    "20,000 exclusive branches": ({"oneOf": objects(20_000)}, "parts"),
    "4,000 members of allOf": ({"allOf": objects(4_000)}, "allOf"),
    "100,000 values": ({"enum": list(range(100_000))}, "enum"),
    "10,000 dependent names": ({"dependentRequired": {f"p{i}": [f"p{i + 1}"] for i in range(10_000)}}, "dependent"),
    "a name of 300,000 characters": ({"properties": {"x" * 300_000: {}}}, "characters"),
    "a million tries of patterns": (
        {"properties": many(1_000), "patternProperties": {f"^{i}": {} for i in range(1_000)}},
        "patternProperties",
    ),
    "itself": (cycle(lambda schema: schema.update({"allOf": [schema]})), "itself"),
    "its own opposite": (cycle(lambda schema: schema.update({"not": schema})), "fails"),
    "itself, required": (cycle(lambda schema: schema.update(required=["a"], properties={"a": schema})), "itself"),
    "a const inside itself": (cycle(lambda schema: schema.update(const=schema)), "deeper"),
    "a list": ([], "no schema"),
    "nothing": (None, "no schema"),
}

WRITTEN: Final[dict[str, Any]] = {
    "properties of itself": cycle(lambda schema: schema.update(properties={"a": schema})),
    "itself or a text": cycle(lambda schema: schema.update(anyOf=[schema, {"type": "string"}])),
    "itself alone or a text": cycle(lambda schema: schema.update(oneOf=[schema, {"type": "string"}])),
    "a hundred tries of every text": {
        "properties": {"a" * 90: {}},
        "patternProperties": {"^(a+)+$|^(a|aa)+$": {}, "(a*)*b": {}, "a*a*a*b": {}, "(": {}},
    },
    "twenty kinds of nodes": {
        "$ref": "#/$defs/N0",
        "$defs": {
            f"N{i}": {"type": "object", "properties": {f"c{j}": {"$ref": f"#/$defs/N{j}"} for j in range(20)}}
            for i in range(20)
        },
    },
    "sixty branches that overlap": {"oneOf": [{**one, "required": [*one["properties"]]} for one in objects(60)]},
    "numbers past every type": {
        "properties": {
            "a": {"type": "integer", "multipleOf": 10**4000},
            "b": {"type": "integer", "minimum": -(10**400), "maximum": 1e308, "multipleOf": 5e-324},
            "c": {"enum": [10**400, float("nan"), float("inf"), 1e308]},
            "d": {"type": "integer", "minimum": float("nan"), "exclusiveMaximum": float("inf")},
        }
    },
    "least common multiples": {"allOf": [{"type": "integer", "multipleOf": 10**4000 + i} for i in range(300)]},
    "names that are none": {"properties": {None: {}, 1: {}, "a": {"type": "null"}}, "required": [None, 1, ["a"]]},
    "dicts of other kinds": defaultdict[str, Any](dict, {"properties": OrderedDict[str, Any](a={"type": "integer"})}),
}


@pytest.mark.parametrize("name", REFUSED)
@requirement("local.schema-properties", "local.bad-tool-aside")
def test_a_schema_without_end_is_refused_soon_in_words(name: str) -> None:
    schema, reason = REFUSED[name]
    began = time.process_time()
    with pytest.raises(SchemaNotSupported, match=reason):
        grammar_schema(schema)
    assert time.process_time() - began < SOON


@pytest.mark.parametrize("name", WRITTEN)
@requirement("local.schema-properties", "local.grammar-schema")
def test_a_schema_that_only_seems_endless_is_written_soon(name: str) -> None:
    began = time.process_time()
    form = grammar_schema(WRITTEN[name])
    assert time.process_time() - began < SOON
    assert is_normal(form)
    assert Walker(form).problems == (False, [])


@requirement("local.grammar-schema")
def test_a_recursive_schema_stands_inside_itself_twice_and_then_ends() -> None:
    tree = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["name"],
    }
    walker = Walker(grammar_schema(tree))

    def of(levels: int) -> dict[str, Any]:
        return {"name": "n", "children": [of(levels - 1)]} if levels else {"name": "n"}

    assert [walker.admits(compact(of(levels))) for levels in range(5)] == [True, True, True, False, False]
    assert walker.admits('{"name":"n","children":[{"name":"n","children":[]}]}')


@requirement("local.split-choice")
def test_a_choice_in_a_schema_without_end_is_refused_in_words() -> None:
    deep: dict[str, Any] = nested(3_000, lambda inner: {"properties": {"a": inner}})
    for schema in (deep, cycle(lambda schema: schema.update(properties={"a": schema}))):
        with pytest.raises(SchemaNotSupported, match="deeper"):
            split_choice(schema)


@requirement("local.bad-tool-aside")
def test_a_hostile_tool_takes_no_other_tool_with_it() -> None:
    tools: list[object] = [{"name": name, "inputSchema": schema} for name, (schema, _) in REFUSED.items()]
    _, set_aside = answer_schema([{"name": "good", "inputSchema": {"type": "object"}}, *tools])
    assert "good" not in set_aside
    # A tool without a schema has no arguments, and what items says is no affair of an object.
    assert set(REFUSED) - set(set_aside) == {"nothing", "items 3,000 deep"}
    assert all(set_aside.values())
