"""How the grammar and a schema agree on single values, for the ratchet files."""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

import jsonschema
from jsonschema.protocols import Validator

from safelight.models.schemas import SchemaNotSupported, grammar_schema
from safelight.models.schemas.keywords import DROPPED
from tests.models.grammar_walk import Walker, compact
from tests.models.relaxed import without

__all__ = ("DRAFTS", "refused_only_by", "verdicts")

DRAFTS: Final[dict[str, type[Validator]]] = {
    "draft4": jsonschema.Draft4Validator,
    "draft7": jsonschema.Draft7Validator,
    "draft2020-12": jsonschema.Draft202012Validator,
}


def verdicts(schema: Any, values: list[Any], valid: list[bool], draft: str) -> list[str]:
    """One word for each value: ``agrees``, ``stricter``, ``set aside``, ``looser by KEYWORD`` where the value is
    refused by a dropped keyword alone, and else ``looser``, which must not be."""
    try:
        form = grammar_schema(schema)
    except SchemaNotSupported:
        return ["set aside"] * len(values)
    walker = Walker(form)
    assert walker.problems == (False, []), (schema, walker.problems)
    found: list[str] = []
    for value, expected in zip(values, valid, strict=True):
        admitted = walker.admits(compact(value))
        if admitted == expected:
            found.append("agrees")
        elif expected:
            found.append("stricter")
        else:
            keywords = refused_only_by(schema, value, DRAFTS[draft])
            found.append("looser" if keywords is None else f"looser by {' and '.join(keywords)}")
    return found


def refused_only_by(schema: Any, value: Any, validator: type[Validator]) -> tuple[str, ...] | None:
    """The fewest dropped keywords without which ``value`` is valid; None where even without all of them it is not."""
    said = [keyword for keyword in DROPPED if f'"{keyword}"' in json.dumps(schema)]
    for count in (1, 2, len(said)):
        for keywords in itertools.combinations(said, count):
            if validator(without(schema, keywords)).is_valid(value):
                return keywords
    return None
