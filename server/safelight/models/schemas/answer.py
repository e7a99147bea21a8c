"""The one schema of a local model's answer: an analysis, then either a call or a reply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.limits import ANALYSIS_CHARS, REPLY_CHARS
from safelight.models.schemas.normal import normal_form
from safelight.models.schemas.read import read_schema

__all__ = ("answer_of", "answer_schema", "argument_schemas", "reply_schema")


def answer_schema(tools: Iterable[object]) -> tuple[dict[str, Any], dict[str, str]]:
    """The answer schema over ``tools`` (objects or dicts with ``name`` and ``inputSchema``), and the tools that had
    to be set aside, each with the reason. Never raises for a tool."""
    arguments, set_aside = argument_schemas(tools)
    return answer_of(arguments), set_aside


def argument_schemas(tools: Iterable[object]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Each tool's arguments in normal form, by name, and the tools set aside, each with the reason."""
    arguments: dict[str, dict[str, Any]] = {}
    set_aside: dict[str, str] = {}
    for tool in tools:
        name = _field(tool, "name")
        if not isinstance(name, str) or not name:
            set_aside[str(name)] = "it has no name"
        elif name in arguments:
            set_aside[name] = "a second tool has the same name"
        else:
            try:
                arguments[name] = _arguments(_field(tool, "inputSchema", "input_schema"))
            except SchemaNotSupported as refused:
                set_aside[name] = refused.message
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


def _arguments(schema: object) -> dict[str, Any]:
    if schema is None:
        schema = {}
    if not isinstance(schema, dict):
        raise SchemaNotSupported("its input schema is no object", "")
    # MCP lets a root say nothing of its type; arguments are an object all the same.
    return normal_form({"allOf": [read_schema(cast("object", schema)), {"type": ["object"]}]})


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
