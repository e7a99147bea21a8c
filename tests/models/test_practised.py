"""What a small model is offered."""

from __future__ import annotations

import jsonschema
import pytest

from safelight.models.chat_model import ToolOffer
from safelight.models.local_examples import PATTERNS
from safelight.models.practised import practised
from tests.models.offers import OFFERS

USED = {pattern.tool for pattern in PATTERNS.values() if pattern.tool is not None}


def test_only_tools_that_some_example_uses_are_offered_in_their_order() -> None:
    offered = practised(OFFERS)
    assert [tool.name for tool in offered] == [tool.name for tool in OFFERS if tool.name in USED]
    assert len(offered) < len(OFFERS)


def test_each_tool_has_the_arguments_of_its_examples_and_those_that_it_needs() -> None:
    by_name = {tool.name: tool.input_schema for tool in OFFERS}
    for tool in practised(OFFERS):
        shown = {a for pattern in PATTERNS.values() if pattern.tool == tool.name for a in pattern.arguments}
        properties = set(tool.input_schema["properties"])
        full = by_name[tool.name]
        assert properties >= (shown | set(full.get("required", ()))) & full["properties"].keys()
        assert properties <= shown | set(full.get("required", ())) | {"set", "photo_ids"}
        assert {**tool.input_schema, "properties": None} == {**full, "properties": None}


def test_every_example_is_a_call_that_its_tool_takes() -> None:
    schemas = {tool.name: tool.input_schema for tool in practised(OFFERS)}
    for pattern in PATTERNS.values():
        if pattern.tool is not None:
            for example in pattern.examples:
                jsonschema.validate(example.arguments, schemas[pattern.tool])


@pytest.mark.parametrize("tools", [(), (ToolOffer(name="other", title="", description="", input_schema={}),)])
def test_tools_without_any_example_stay_as_they_are(tools: tuple[ToolOffer, ...]) -> None:
    assert practised(tools) == tools


def test_the_offer_itself_is_left_alone() -> None:
    before = [sorted(tool.input_schema["properties"]) for tool in OFFERS]
    practised(OFFERS)
    assert [sorted(tool.input_schema["properties"]) for tool in OFFERS] == before
