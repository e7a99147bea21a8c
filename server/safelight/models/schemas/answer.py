"""The one schema of a local model's answer: an analysis, then either a call or a reply."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.limits import ANALYSIS_CHARS, REPLY_CHARS, SAFE_INTEGER
from safelight.models.schemas.literal import smaller_than
from safelight.models.schemas.normal import object_schema

__all__ = ("answer_of", "answer_schema", "argument_schemas", "reply_schema")

MAX_NAME: Final = 200
"""Characters of a tool's name. MCP has up to 128."""

ALL_PARTS: Final = 10_000
"""Schemas inside schemas, of all tools together. llguidance reads about 13,000."""

_WIDE: Final = 1_000_000
_WIDE_PARTS: Final = 20
"""What a whole number with a bound beyond that counts for: its digits are a large part of a grammar. One without bounds
of its own is there once for all."""

ALL_CHARS: Final = 1_000_000

_KEPT_SCHEMAS: Final = 1_024
_KEPT_PARTS: Final = 5_000
"""Also where one dict stands in many places, so that its text would have no end."""
_KEPT_CHARS: Final = 32_768
"""A larger schema is worked out anew each time."""


def answer_schema(tools: Iterable[object]) -> tuple[dict[str, Any], dict[str, str]]:
    """The answer schema over ``tools`` (objects or dicts with ``name`` and ``inputSchema``), and the tools that had
    to be set aside, each with the reason. Never raises for a tool."""
    arguments, set_aside = argument_schemas(tools)
    return answer_of(arguments), set_aside


def argument_schemas(tools: Iterable[object]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Each tool's arguments in normal form, by name, and the tools set aside, each with the reason. The first tools are
    kept where all together are more than a grammar holds."""
    arguments: dict[str, dict[str, Any]] = {}
    set_aside: dict[str, str] = {}
    seen: set[object] = set()
    parts_left, chars_left = ALL_PARTS, ALL_CHARS
    for tool in tools:
        name = _field(tool, "name")
        label = name if isinstance(name, str) else str(None)
        if (problem := _problem_of(name, seen)) is not None:
            set_aside.setdefault(label, problem)
            continue
        seen.add(name)
        found = _arguments(_field(tool, "inputSchema", "input_schema"))
        if isinstance(found, str):
            set_aside[label] = found
        elif found.parts > parts_left or len(found.text) > chars_left:
            set_aside[label] = "the tools before it fill the grammar already"
        else:
            parts_left -= found.parts
            chars_left -= len(found.text)
            arguments[label] = json.loads(found.text)
    return arguments, set_aside


def answer_of(arguments: Mapping[str, dict[str, Any]], *, may_reply: bool = True) -> dict[str, Any]:
    """The answer schema for tools whose arguments are in normal form already; only the reply when there are none."""
    calls = [_closed({name: schema}) for name, schema in arguments.items()]
    if not calls:
        return reply_schema()
    call = calls[0] if len(calls) == 1 else {"anyOf": calls}
    called = _closed({"analysis": _text(ANALYSIS_CHARS), "call": call})
    return {"anyOf": [called, reply_schema()]} if may_reply else called


def reply_schema() -> dict[str, Any]:
    """The answer schema of a turn that may not call."""
    return _closed({"analysis": _text(ANALYSIS_CHARS), "reply": _text(REPLY_CHARS)})


class _Arguments(NamedTuple):
    """Arguments in normal form, as text, and how many schemas stand in it, the tool's own included."""

    text: str
    parts: int


def _problem_of(name: object, seen: set[object]) -> str | None:
    """Why a tool cannot be called by its name."""
    if not isinstance(name, str) or not name:
        return "it has no name"
    if len(name) > MAX_NAME:
        return f"its name is longer than {MAX_NAME} characters"
    if not _is_text(name):
        return "its name holds half a character"
    return "a second tool has the same name" if name in seen else None


def _arguments(schema: object) -> _Arguments | str:
    """The arguments, or why there are none. Worked out once for equal schemas: lists of tools change, tools hardly."""
    if schema is None:
        schema = {}
    if not isinstance(schema, dict):
        return "its input schema is no object"
    if not smaller_than(_KEPT_PARTS, cast("object", schema)):
        return _written(cast("object", schema))
    try:
        text = json.dumps(schema)
    except (ValueError, TypeError, RecursionError):
        return _written(cast("object", schema))
    return _written_text(text) if len(text) <= _KEPT_CHARS else _written(cast("object", schema))


@lru_cache(maxsize=_KEPT_SCHEMAS)
def _written_text(text: str) -> _Arguments | str:
    return _written(json.loads(text))


def _written(schema: object) -> _Arguments | str:
    # MCP lets a root say nothing of its type; arguments are an object all the same.
    try:
        found = object_schema(schema)
    except SchemaNotSupported as refused:
        return refused.message
    except RecursionError:
        return "it is nested too deeply"
    text = json.dumps(found, ensure_ascii=False)
    if not _is_text(text):
        return "a name or a value in its input schema holds half a character"
    return _Arguments(text, 1 + _parts(found))


def _parts(schema: dict[str, Any]) -> int:
    if schema.get("type") == "integer":
        least, most = schema["minimum"], schema["maximum"]
        return _WIDE_PARTS if max(-least, most) > _WIDE and (-least, most) != (SAFE_INTEGER, SAFE_INTEGER) else 1
    held = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if "items" in schema:
        held.append(schema["items"])
    return 1 + sum(map(_parts, held))


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _field(tool: object, *names: str) -> object:
    for name in names:
        if isinstance(tool, Mapping):
            if name in tool:
                return cast("Mapping[str, object]", tool)[name]
        elif hasattr(tool, name):
            return getattr(tool, name)
    return None


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _text(chars: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": chars}
