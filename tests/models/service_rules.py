"""What the services refuse in a tool, as their error messages and sources tell it. One bad tool costs the request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

__all__ = ("SERVICES", "levels", "parts_of")

_TYPES: Final = {"string", "integer", "number", "boolean", "null", "array", "object"}
_KEY: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_CHOICES: Final = {"oneOf", "anyOf", "allOf", "enum", "const", "not"}
_OLLAMA: Final = {"anyOf", "type", "items", "description", "enum", "properties", "required"}


def children(schema: dict[str, Any]) -> Iterator[Any]:
    """The schemas right inside a schema."""
    for key in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
        yield from cast("dict[str, Any]", schema.get(key, {})).values()
    for key in ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"):
        if key in schema and not (key == "additionalProperties" and schema[key] is False):
            yield schema[key]
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        yield from schema.get(key, [])


def _all(schema: object) -> Iterator[object]:
    yield schema
    if isinstance(schema, dict):
        for child in children(cast("dict[str, Any]", schema)):
            yield from _all(child)


def parts_of(schema: object) -> Iterator[dict[str, Any]]:
    """A schema and all schemas in it."""
    return (cast("dict[str, Any]", part) for part in _all(schema) if isinstance(part, dict))


def _no_objects(schema: object) -> Iterator[str]:
    return (f"{part!r} is not of type 'object'" for part in _all(schema) if not isinstance(part, dict))


def levels(schema: dict[str, Any]) -> int:
    """How deep schemas stand in schemas."""
    return 1 + max((levels(child) for child in children(schema)), default=0)


def _sent(schema: dict[str, Any]) -> Iterator[str]:
    """What every service does first: read JSON."""
    try:
        text = json.dumps(schema, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError) as problem:
        yield f"no JSON: {problem}"
        return
    if json.loads(text) != schema:
        yield "not the same once it was read"


def openai(schema: dict[str, Any]) -> Iterator[str]:
    """mcphost#35, langchainjs#9804, home-generative-agent#545, vscode-unify-chat-provider#162, crewAI#6628."""
    yield from _no_objects(schema)
    if schema.get("type") != "object":
        yield "schema must be a JSON Schema of 'type: \"object\"'"
    yield from (f"schema must not have '{key}' at the top level" for key in _CHOICES & schema.keys())
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as problem:
        yield f"invalid schema: {problem.message}"
    for part in parts_of(schema):
        if part.get("type") == "array" and not isinstance(part.get("items"), dict):
            yield "array schema missing items"
        extra = set(part.get("required", [])) - set(part.get("properties", {}))
        yield from (f"extra required key {key!r} supplied" for key in extra)
        if "pattern" in part:
            re.compile(part["pattern"])


def anthropic(schema: dict[str, Any]) -> Iterator[str]:
    """claude-code#5878, composio#3500, appstore-connect-mcp#2, Dokploy/mcp#74, litellm#26692."""
    if schema.get("type") != "object":
        yield "input_schema.type: Field required"
    if {"oneOf", "allOf", "anyOf"} & schema.keys():
        yield "input_schema does not support oneOf, allOf, or anyOf at the top level"
    yield from (
        f"property keys should match pattern: {key!r}" for key in schema["properties"] if not _KEY.fullmatch(key)
    )
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as problem:
        yield f"JSON schema is invalid: {problem.message}"
    yield from ("$ref is rejected" for part in parts_of(schema) if "$ref" in part)


def gemini(schema: dict[str, Any]) -> Iterator[str]:
    """opencode#20273, mcp-server-excel#607, n8n#15553, gemini-cli#5923, python-genai#1732."""
    yield from _no_objects(schema)
    if levels(schema) > 10:
        yield "exceeds the maximum allowed nesting depth"
    for part in parts_of(schema):
        if isinstance(part.get("type"), list):
            yield "Proto field is not repeating, cannot start list"
        if part.get("type") == "array" and not isinstance(part.get("items"), dict):
            yield "items: missing field"
        for member in part.get("enum", []):
            if isinstance(member, bool) or not isinstance(member, str | int | float) or member == "":
                yield f"enum: {member!r} cannot be"
        refused = {
            "const",
            "allOf",
            "not",
            "if",
            "patternProperties",
            "title",
            "$ref",
            "$defs",
            "definitions",
            "$schema",
        }
        yield from refused & part.keys()


def ollama(schema: dict[str, Any]) -> Iterator[str]:
    """ollama#18051, oh-my-pi#4488, ollama#10328."""
    yield from _no_objects(schema)
    for part in parts_of(schema):
        for key in _OLLAMA & part.keys():
            wanted = {"type": str, "description": str, "items": dict, "properties": dict}.get(key, list)
            if not isinstance(part[key], wanted):
                yield f"cannot unmarshal {key}"
        if not all(isinstance(name, str) for name in part.get("required", [])):
            yield "cannot unmarshal required"


def llama_server(schema: dict[str, Any]) -> Iterator[str]:
    """llama.cpp#7703, #14227, #17473, #25746, #8073, PR#6555."""
    yield from _no_objects(schema)
    for part in parts_of(schema):
        if "type" in part and part["type"] not in _TYPES:
            yield f"Unrecognized type {part['type']!r}"
        if part.get("enum") == []:
            yield "empty enum"
        for key in ("minLength", "maxLength"):
            if not isinstance(part.get(key, 0), int) or part.get(key, 0) >= 2000:
                yield "number of repetitions exceeds sane defaults"
        for key in ("minItems", "maxItems"):
            if not isinstance(part.get(key, 0), int) or part.get(key, 0) > 500:
                yield f"{key} takes for ever"
        if "anyOf" in part and {"properties", "type", "enum", "items"} & part.keys():
            yield "anyOf beside other keywords"
        yield from {"oneOf", "allOf", "not", "if", "patternProperties", "uniqueItems", "$ref"} & part.keys()
        if part.get("type") == "integer":
            bounds = [part.get(key, 0) for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")]
            if not all(isinstance(bound, int) and abs(bound) < 2**63 for bound in bounds):
                yield "bounds of an integer"


SERVICES: Final = {
    "json": _sent,
    "openai": openai,
    "anthropic": anthropic,
    "gemini": gemini,
    "ollama": ollama,
    "llama_server": llama_server,
}
"""Each gives the reasons for which it would refuse a tool with these parameters."""
