"""The tools of the contract as a whole: which there are, in which class, and what they have in common."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

from safelight.gate.decision import class_of
from safelight.wire.tool_table import TOOLS
from tests.requirement import requirement

ROWS = {
    row["id"]: row["rule"]
    for row in yaml.safe_load((Path(__file__).parents[1] / "requirements.yaml").read_text(encoding="utf-8"))
}
MOST_WORDS = 25


@requirement("tool.list-read", "tool.list-change", "tool.list-destructive", "perm.class")
@pytest.mark.parametrize("kind", ["read", "change", "destructive"])
def test_the_tools_of_a_class_are_those_that_are_asked_for(kind: str) -> None:
    asked = re.findall(r"[a-z]+_[a-z_]+", re.sub(r"\([^)]*\)", "", ROWS[f"tool.list-{kind}"]))
    assert sorted(asked) == sorted(n for n, spec in TOOLS.items() if class_of(spec) == kind and not spec.developer)


def test_only_the_trace_is_for_developers() -> None:
    assert [name for name, spec in TOOLS.items() if spec.developer] == ["bridge_trace"]


@pytest.mark.parametrize("name", list(TOOLS))
def test_a_description_is_short_and_ends_as_a_sentence(name: str) -> None:
    spec = TOOLS[name]
    assert 0 < len(spec.description.split()) <= MOST_WORDS
    assert spec.description.endswith(".")
    assert spec.title
    assert not spec.title.endswith(".")


@requirement("context.compact-results")
def test_an_argument_means_the_same_in_every_tool() -> None:
    schemas: defaultdict[str, set[str]] = defaultdict(set)
    for spec in TOOLS.values():
        for name, schema in spec.input_schema["properties"].items():
            schemas[name].add(json.dumps(schema, sort_keys=True))
    assert {name for name, found in schemas.items() if len(found) > 1} == set()


@requirement("tool.targets", "mcp.flat-schemas")
@pytest.mark.parametrize("name", list(TOOLS))
def test_tools_on_photos_take_a_set_or_ids_and_no_schema_has_a_choice_at_its_top(name: str) -> None:
    spec = TOOLS[name]
    assert ({"set", "photo_ids"} <= spec.input_schema["properties"].keys()) is spec.on_photos
    assert not {"oneOf", "anyOf", "allOf", "not"} & spec.input_schema.keys()
    assert not {"set", "photo_ids"} & set(spec.input_schema.get("required", ()))
    assert spec.input_schema["additionalProperties"] is False
