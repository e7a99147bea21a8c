"""msgspec structs by datamodel-code-generator."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, cast

from documents import CONTRACT, camel

HEADER = "# Generated from the contract by `make generate`; never edited."


def server_models(openapi: dict[str, Any]) -> str:
    """Structs of all bodies and events; request bodies refuse unknown fields."""
    base = "safelight.wire.base"
    strict = {name: f"{base}.Request" for name in sorted(_request_schemas(openapi))}
    return _codegen(CONTRACT / "openapi.yaml", "openapi", f"{base}.Wire", strict)


def client_models(openapi: dict[str, Any]) -> str:
    """The same structs for the client, which ignores fields that it does not know."""
    del openapi
    return _codegen(CONTRACT / "openapi.yaml", "openapi", "safelight_client._wire.Wire", {})


def server_tool_models(tools: dict[str, Any]) -> str:
    """``<Tool>Arguments`` and ``<Tool>Answer`` of every tool."""
    roots: dict[str, Any] = {}
    for name, tool in tools["tools"].items():
        roots[f"{camel(name)}Arguments"] = tool["input"]
        roots[f"{camel(name)}Answer"] = tool["output"]
    return _from_schemas(roots, tools["defs"])


def server_bridge_models(bridge: dict[str, Any]) -> str:
    """``<Command>Arguments`` and ``<Command>Outcome`` of every command to the plug-in."""
    roots: dict[str, Any] = {}
    for name, command in bridge["commands"].items():
        roots[f"{camel(name)}Arguments"] = command["arguments"]
        roots[f"{camel(name)}Outcome"] = command["result"]
    return _from_schemas(roots, bridge["defs"])


def _from_schemas(roots: dict[str, Any], defs: dict[str, Any]) -> str:
    document = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}}
    text = json.dumps(document | {"components": {"schemas": defs | roots}}).replace("#/defs/", "#/components/schemas/")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "schemas.json"
        source.write_text(text, encoding="utf-8")
        return _codegen(source, "openapi", "safelight.wire.base.Wire", {})


def _codegen(source: Path, kind: str, base: str, base_map: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "models.py"
        command = [
            *(sys.executable, "-m", "datamodel_code_generator", "--input", str(source), "--input-file-type", kind),
            *("--output", str(target), "--output-model-type", "msgspec.Struct", "--target-python-version", "3.11"),
            *("--disable-timestamp", "--openapi-scopes", "schemas", "--keyword-only", "--use-annotated"),
            *("--enum-field-as-literal", "all", "--output-datetime-class", "datetime", "--base-class", base),
            *("--custom-file-header", HEADER, "--formatters", "ruff-format", "ruff-check"),
        ]
        if base_map:
            command += ["--base-class-map", json.dumps(base_map)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"datamodel-code-generator failed on {source.name}:\n{done.stderr}")
        # The generator inherits the base's options but does not repeat them, and a type checker wants them repeated.
        return target.read_text(encoding="utf-8").replace("kw_only=True", "frozen=True, kw_only=True")


def _request_schemas(openapi: dict[str, Any]) -> set[str]:
    """Names of the components that request bodies are made of."""
    components = openapi["components"]["schemas"]
    found: set[str] = set()
    waiting: list[Any] = [
        operation["requestBody"]["content"]
        for path in openapi["paths"].values()
        for method, operation in path.items()
        if method != "parameters" and "requestBody" in operation
    ]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += cast("list[Any]", node)
        elif isinstance(node, dict):
            node = cast("dict[str, Any]", node)
            name = str(node.get("$ref", "")).removeprefix("#/components/schemas/")
            if name in components and name not in found:
                found.add(name)
                waiting.append(components[name])
            waiting += node.values()
    return {name for name in found if components[name].get("type") == "object"}
