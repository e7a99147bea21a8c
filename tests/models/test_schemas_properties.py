"""What holds for the normal form of every schema: generated ones, on the grammar engines that are installed."""

from __future__ import annotations

import copy
import json
import random
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema.validators import validator_for

from safelight.models.schemas import SchemaNotSupported, grammar_schema, split_choice
from safelight.models.schemas.limits import ARGUMENT_CHARS
from tests.models.grammar_walk import Walker, compact, longest
from tests.models.json_schemas import NAMES, hostile_values, is_normal, plain_schemas, schemas, value_of
from tests.models.ratchet import refused_only_by
from tests.requirement import requirement

SEEDS = st.integers(0, 2**32)
quiet = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large])


def transformed(schema: Any) -> dict[str, Any]:
    """The normal form; a schema that cannot have one is no example."""
    try:
        return grammar_schema(schema)
    except SchemaNotSupported as refused:
        assert refused.reason, refused
        assume(False)
        raise


def containers(node: object) -> list[int]:
    """The identities of all dicts and lists inside."""
    if isinstance(node, dict):
        children = list(cast("dict[str, object]", node).values())
    elif isinstance(node, list):
        children = cast("list[object]", node)
    else:
        return []
    return [id(cast("object", node)), *(one for child in children for one in containers(child))]


@requirement("local.grammar-schema", "local.schema-properties", "local.string-caps")
@quiet
@given(schemas())
def test_every_schema_ends_in_a_normal_form_that_is_its_own_and_shares_nothing(schema: dict[str, Any]) -> None:
    before = copy.deepcopy(schema)
    form = transformed(schema)
    assert is_normal(form)
    assert schema == before, "the input was changed"
    assert grammar_schema(form) == form, "not idempotent"
    inside = containers(form)
    assert len(set(inside)) == len(inside), "a part stands in two places"
    assert not set(inside) & set(containers(schema)), "shared with the input"
    assert '"$ref"' not in json.dumps(form).replace('"$ref":', "")


@requirement("local.schema-properties")
@quiet
@given(schemas(), SEEDS)
def test_what_the_grammar_writes_the_schema_accepts_but_for_dropped_keywords(schema: dict[str, Any], seed: int) -> None:
    walker = Walker(transformed(schema))
    assert walker.problems == (False, [])
    validator = validator_for(schema)
    draw = random.Random(seed)
    for _ in range(2):
        value = json.loads(walker.write(draw))
        assert validator(schema).is_valid(value) or refused_only_by(schema, value, validator), value


@requirement("local.schema-properties")
@quiet
@given(plain_schemas(), SEEDS)
def test_a_value_in_schema_order_within_the_caps_is_admitted(schema: dict[str, Any], seed: int) -> None:
    value = value_of(schema, random.Random(seed))
    walker = Walker(grammar_schema(schema))
    assert walker.problems == (False, [])
    assert walker.admits(compact(value))


@requirement("local.schema-properties")
@given(st.lists(NAMES, unique=True, min_size=1))
def test_a_property_is_kept_whatever_its_name_and_in_its_place(names: list[str]) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names[:1]}
    form = grammar_schema(schema)
    assert list(form["properties"]) == names
    walker = Walker(form)
    assert walker.problems == (False, [])
    assert walker.admits(compact(dict.fromkeys(names, "größe")))


@requirement("local.schema-properties", "local.string-caps")
@quiet
@given(schemas(), SEEDS)
def test_a_writer_that_never_wants_to_end_ends_within_its_bound(schema: dict[str, Any], seed: int) -> None:
    form = transformed(schema)
    most = longest(form)
    assume(most <= 1_500)
    assert len(Walker(form).write(random.Random(seed), closing=0, most=most + 1).encode()) <= most


@requirement("local.schema-properties", "local.bad-tool-aside")
@quiet
@given(hostile_values())
def test_nothing_that_stands_for_a_schema_breaks_the_transform(schema: Any) -> None:
    try:
        form = grammar_schema(schema)
    except SchemaNotSupported as refused:
        assert refused.reason
        assert refused.message
    else:
        assert is_normal(form)
        assert grammar_schema(form) == form
        assert Walker(form).problems == (False, [])
    try:
        split_choice(schema)
    except SchemaNotSupported as refused:
        assert refused.reason


@requirement("local.string-caps")
def test_a_text_stops_at_its_cap_counted_in_characters() -> None:
    walker = Walker(grammar_schema({"type": "string"}))
    for letter in ("a", "é", "名", "😀", "\n", '"'):
        assert walker.admits(compact(letter * ARGUMENT_CHARS))
        assert not walker.admits(compact(letter * (ARGUMENT_CHARS + 1)))


@pytest.mark.parametrize("text", ["1e400", "1" * 30, "0." + "1" * 30, "-1e5"])
@requirement("local.schema-properties")
def test_a_number_cannot_be_written_without_end_or_past_what_python_holds(text: str) -> None:
    walker = Walker(grammar_schema({"type": "number"}))
    assert not walker.admits(text)
    assert walker.admits("-1234567.000125")
