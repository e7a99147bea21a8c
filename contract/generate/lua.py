"""The plug-in's constants, command table and routes as one Lua module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from documents import inlined
from models import HEADER

if TYPE_CHECKING:
    from documents import Documents

LIMITS = ("enum", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength")


def lua_contract(documents: Documents) -> str:
    """``Contract.lua``: formatted as StyLua would."""
    bridge = documents.bridge
    table = {
        "version": documents.version,
        "protocol": bridge["protocol"],
        "holdSeconds": bridge["hold_s"],
        "busyPollSeconds": bridge["busy_poll_s"],
        "idlePollSeconds": bridge["idle_poll_s"],
        "marginSeconds": bridge["margin_s"],
        "errors": bridge["errors"],
        "commands": {name: _command(command, bridge["defs"]) for name, command in bridge["commands"].items()},
        "routes": {
            operation["operationId"]: {"method": method.upper(), "path": path}
            for path, item in documents.openapi["paths"].items()
            for method, operation in item.items()
            if method != "parameters" and "x-protocol" not in operation
        },
    }
    return f"--{HEADER[1:]}\nreturn {_lua(table, 0)}\n"


def _command(command: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    arguments = _fields(inlined(command["arguments"], defs))
    return {"kind": command["kind"], "deadlineSeconds": command["deadline_s"], "arguments": arguments}


def _fields(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """An object's fields in order. One that says nothing of its fields is a fault: the plug-in could not check it."""
    required = schema.get("required", [])
    return [
        {"name": name, "type": rule["type"], "required": name in required} | _value(rule)
        for name, rule in schema["properties"].items()
    ]


def _value(schema: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = {"type": schema["type"]} | {key: schema[key] for key in LIMITS if key in schema}
    if schema["type"] == "array":
        value["items"] = _value(schema["items"])
    elif schema["type"] == "object" and schema.get("additionalProperties") is not True:
        value["properties"] = _fields(schema)
    return value


def _lua(value: Any, depth: int) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    tab = "\t" * (depth + 1)
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        rows = [f"{tab}{key} = {_lua(item, depth + 1)},\n" for key, item in pairs]
    else:
        rows = [f"{tab}{_lua(item, depth + 1)},\n" for item in value]
    return "{\n" + "".join(rows) + "\t" * depth + "}" if rows else "{}"
