"""Arguments are checked with the tool's own schema; what is wrong, also with the schema itself, is said in words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.gate.arguments import ArgumentCheck
from tests.requirement import requirement

BROKEN: dict[str, dict[str, Any]] = {
    "a reference that leads nowhere": {"properties": {"n": {"$ref": "#/$defs/gone"}}},
    "a reference to the web": {"properties": {"n": {"$ref": "https://example.com/schema.json"}}},
    "a reference to a file": {"properties": {"n": {"$ref": "file:///etc/hostname"}}},
    "a reference to itself": {"properties": {"n": {"$ref": "#/properties/n"}}},
    "an anchor that is not there": {"properties": {"n": {"$dynamicRef": "#gone"}}},
    "a broken pattern": {"properties": {"n": {"type": "string", "pattern": "(["}}},
    "a broken pattern of names": {"patternProperties": {"([": {}}},
    "an unknown type": {"properties": {"n": {"type": "strnig"}}},
    "a type that is none": {"properties": {"n": {"type": [{}]}}},
    "a bound that is text": {"properties": {"n": {"maxLength": "3"}}},
    "properties that are a list": {"properties": [1]},
    "items that are a number": {"properties": {"n": {"not": 5}}},
    "choices that are a number": {"anyOf": 5},
    "a schema that is none": {"properties": {"n": None}},
    "an id that is a number": {"$id": 5, "properties": {"n": {}}},
}


@requirement("local.validate-anyway")
@pytest.mark.parametrize("schema", BROKEN.values(), ids=BROKEN)
def test_a_schema_that_nothing_can_be_checked_with_lets_nothing_through(schema: dict[str, Any]) -> None:
    problem = ArgumentCheck(schema).problem({"n": "a"})
    assert problem is not None
    assert "tool's own schema is broken" in problem or "nested too deeply" in problem
    assert len(problem) < 500


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=()), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
KEYWORDS = [
    "type",
    "enum",
    "const",
    "required",
    "minimum",
    "maxLength",
    "pattern",
    "format",
    "multipleOf",
    "$ref",
    "$id",
]
PARTS = ["properties", "patternProperties", "items", "prefixItems", "anyOf", "allOf", "not", "if", "then", "contains"]


@requirement("local.validate-anyway")
@given(
    st.dictionaries(st.sampled_from(KEYWORDS), JUNK, max_size=2),
    st.dictionaries(st.sampled_from(PARTS + KEYWORDS), JUNK | st.dictionaries(st.just("n"), JUNK), max_size=3),
    st.dictionaries(st.sampled_from(["n", "m"]), JUNK, max_size=2),
)
def test_whatever_schema_and_arguments_are_the_answer_is_words_or_nothing(
    part: dict[str, Any], schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    problem = ArgumentCheck({"properties": {"n": part}, **schema}).problem(arguments)
    assert problem is None or problem.strip()
