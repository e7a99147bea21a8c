"""Real tools and the official test suite: what the grammar makes of each case is on record, and never gets worse.

The record is written anew with ``SAFELIGHT_WRITE_RATCHET=1``; a change of it is to be looked at.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from safelight.models.schemas import SchemaNotSupported
from safelight.models.schemas.normal import object_schema
from tests.models.grammar_walk import Walker
from tests.models.json_schemas import is_normal
from tests.models.ratchet import DRAFTS, refused_only_by, verdicts
from tests.requirement import requirement

DATA: Final = Path(__file__).parent.parent / "data"
SUITE_VARIABLE: Final = "SAFELIGHT_JSON_SCHEMA_SUITE"
TOOLS_VARIABLE: Final = "SAFELIGHT_MCP_TOOLS"
SAMPLES: Final = 3


def folder_of(variable: str) -> Path:
    """The folder that an environment variable names; without it the test is skipped, and says so."""
    named = os.environ.get(variable)
    if not named or not Path(named).is_dir():
        pytest.skip(f"{variable} names no folder")
    return Path(named)


def compare(name: str, found: dict[str, Any]) -> None:
    """Holds ``found`` against the record ``name``."""
    record = DATA / "ratchet" / f"{name}.json"
    if os.environ.get("SAFELIGHT_WRITE_RATCHET"):
        record.parent.mkdir(exist_ok=True)
        record.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    assert found == json.loads(record.read_text(encoding="utf-8"))


def tools_of(folder: Path) -> Iterator[tuple[str, Any]]:
    """The tools of every file in a folder, under the file's name and their own."""
    for file in sorted(folder.glob("*.json")):
        tools = json.loads(file.read_text(encoding="utf-8"))
        for tool in cast("list[dict[str, Any]]", tools if isinstance(tools, list) else []):
            yield f"{file.stem}/{tool['name']}", tool.get("inputSchema")


def tool_verdict(schema: Any, seed: int) -> str:
    """``sound``, ``set aside: why``, or by which dropped keywords alone a value that was written is refused."""
    schema = {} if schema is None else schema
    try:
        form = object_schema(schema)
    except SchemaNotSupported as refused:
        return f"set aside: {refused.reason}"
    assert is_normal(form)
    walker = Walker(form)
    assert walker.problems == (False, [])
    validator = validator_for(schema, default=Draft202012Validator)
    draw = random.Random(seed)
    loose: set[str] = set()
    for _ in range(SAMPLES):
        value = json.loads(walker.write(draw))
        if not validator(schema).is_valid(value):
            keywords = refused_only_by(schema, value, validator)
            assert keywords, f"{value} is admitted, but refused"
            loose.update(keywords)
    return f"looser by {' and '.join(sorted(loose))}" if loose else "sound"


@requirement("local.grammar-schema", "local.schema-properties")
def test_the_kept_tools_stand_as_recorded() -> None:
    compare("mcp_tools", {name: tool_verdict(schema, 1) for name, schema in tools_of(DATA / "mcp_tools")})


@requirement("local.schema-properties", "local.bad-tool-aside")
def test_every_tool_of_the_whole_corpus_is_sound_or_set_aside_for_a_keyword() -> None:
    for name, schema in tools_of(folder_of(TOOLS_VARIABLE)):
        assert tool_verdict(schema, 2), name


@pytest.mark.parametrize("draft", DRAFTS)
@requirement("local.grammar-schema", "local.schema-properties")
def test_the_official_suite_stands_as_recorded_and_nothing_is_looser(draft: str) -> None:
    folder = folder_of(SUITE_VARIABLE) / "tests" / draft
    found: dict[str, dict[str, dict[str, str]]] = {}
    for file in sorted(folder.rglob("*.json")):
        groups = found[file.relative_to(folder).as_posix()] = {}
        for group in json.loads(file.read_text(encoding="utf-8")):
            cases = group["tests"]
            words = verdicts(group["schema"], [c["data"] for c in cases], [c["valid"] for c in cases], draft)
            assert "looser" not in words, group["description"]
            groups[group["description"]] = dict(zip([c["description"] for c in cases], words, strict=True))
    compare(f"json_schema_{draft}", found)
