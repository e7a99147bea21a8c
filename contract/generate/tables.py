"""The server's tool table and the client's typed calls, by small templates."""

from __future__ import annotations

import json
import pprint
import subprocess
import sys
from typing import Any

from documents import Documents, inlined
from models import HEADER

_TABLE = '''{header}
"""Every tool of tools.yaml as MCP lists it, and every event type with its delivery."""

from __future__ import annotations

from typing import Final

from safelight.wire.base import BridgeTerms, ToolSpec

__all__ = ("BRIDGE", "COMMANDS", "ERROR_TEXTS", "LIVE_EVENTS", "NUMBERED_EVENTS", "TOOLS")

NUMBERED_EVENTS: Final = frozenset({numbered})
LIVE_EVENTS: Final = frozenset({live})

BRIDGE: Final = BridgeTerms({terms})

COMMANDS: Final[dict[str, tuple[str, float]]] = {commands}
"""Command -> its kind (read, view, write) and the seconds after which nobody waits for it."""

ERROR_TEXTS: Final[dict[str, str]] = {errors}

TOOLS: Final[dict[str, ToolSpec]] = {{
{tools}
}}
'''

_TERMS = ("protocol", "hold_s", "busy_poll_s", "idle_poll_s", "lease_s", "short_lease_s")


def server_tool_table(documents: Documents) -> str:
    """``safelight.wire.tool_table``: tools, command kinds and deadlines, event deliveries."""
    events = {
        schema["properties"]["type"]["const"]: schema["x-delivery"]
        for schema in documents.openapi["components"]["schemas"].values()
        if "x-delivery" in schema
    }
    defs = documents.tools["defs"]
    tools = [_tool_entry(name, tool, defs) for name, tool in documents.tools["tools"].items()]
    text = _TABLE.format(
        header=HEADER,
        numbered=sorted(event for event, delivery in events.items() if delivery == "numbered"),
        live=sorted(event for event, delivery in events.items() if delivery == "live"),
        terms=", ".join(f"{name}={documents.bridge[name]!r}" for name in _TERMS),
        commands={name: (c["kind"], float(c["deadline_s"])) for name, c in documents.bridge["commands"].items()},
        errors=documents.bridge["errors"],
        tools="\n".join(tools),
    )
    return _format(text, "tool_table.py")


def _tool_entry(name: str, tool: dict[str, Any], defs: dict[str, Any]) -> str:
    notes = tool["annotations"]
    output: dict[str, Any] = inlined(tool["output"], defs)
    return (
        f"{name!r}: ToolSpec(name={name!r}, title={tool['title']!r}, description={tool['description']!r}, "
        f"read_only={notes['read_only']}, destructive={notes['destructive']}, idempotent={notes['idempotent']}, "
        f"open_world={notes['open_world']}, on_photos={bool(tool.get('photos'))}, "
        f"developer={bool(tool.get('developer'))}, "
        f"input_schema={pprint.pformat(tool['input'], sort_dicts=False)}, "
        f"output_schema={pprint.pformat(output, sort_dicts=False)}),"
    )


_CALLS = '''{header}
"""One typed method for each operation of the contract; paths stand here and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

from safelight_client import models
from safelight_client._transport import Operation, StreamedEvent, Transport

__all__ = ("OPERATIONS", "Calls")

OPERATIONS: Final = {{
{operations}
}}


class Calls(Transport):
    """The operations of the contract by their names."""

{methods}
'''


def client_calls(openapi: dict[str, Any]) -> str:
    """``safelight_client._calls``: an abstract transport's methods, typed from the contract."""
    operations: list[str] = []
    methods: list[str] = []
    for path, item in openapi["paths"].items():
        shared = item.get("parameters", [])
        for method, operation in item.items():
            if method == "parameters" or "x-protocol" in operation:
                continue
            parameters = [_resolve(openapi, p) for p in [*shared, *operation.get("parameters", [])]]
            name = operation["operationId"]
            schemes = tuple(scheme for entry in operation["security"] for scheme in entry)
            operations.append(f"{name!r}: Operation(method={method.upper()!r}, path={path!r}, schemes={schemes!r}),")
            methods.append(_method(name, operation, parameters))
    text = _CALLS.format(header=HEADER, operations="\n".join(operations), methods="\n".join(methods))
    return _format(text, "_calls.py")


def _resolve(openapi: dict[str, Any], parameter: dict[str, Any]) -> dict[str, Any]:
    reference = parameter.get("$ref")
    return openapi["components"]["parameters"][reference.rsplit("/", 1)[1]] if reference else parameter


def _method(name: str, operation: dict[str, Any], parameters: list[dict[str, Any]]) -> str:
    in_path = [p["name"] for p in parameters if p["in"] == "path"]
    in_query = [p for p in parameters if p["in"] == "query"]
    in_header = {p["name"]: p["name"].lower().replace("-", "_") for p in parameters if p["in"] == "header"}
    body = operation.get("requestBody")
    arguments = [f"{p}: str" for p in in_path]
    if body:
        arguments.append(f"body: models.{_model(body['content']['application/json']['schema'])}")
    if in_query or in_header:
        arguments.append("*")
        types = {"integer": "int", "string": "str", "boolean": "bool"}
        arguments += [f"{p['name']}: {types[p['schema']['type']]} | None = None" for p in in_query]
        arguments += [f"{argument}: str | None = None" for argument in in_header.values()]
    path_values = "{" + ", ".join(f"{p!r}: {p}" for p in in_path) + "}"
    query_values = "{" + ", ".join(f"{p['name']!r}: {p['name']}" for p in in_query) + "}"
    given = f"OPERATIONS[{name!r}], {path_values}, {query_values}"
    signature = f"(self, {', '.join(arguments)})" if arguments else "(self)"
    summary = json.dumps(operation["summary"], ensure_ascii=False)[1:-1]
    success = next((code, r) for code, r in operation["responses"].items() if code.startswith("2"))
    content = success[1].get("content", {})
    if "text/event-stream" in content:
        return (
            f"    def {name}{signature} -> AsyncGenerator[StreamedEvent, None]:\n"
            f'        """{summary}"""\n        return self._stream({given})\n'
        )
    kind, suffix = _answer(content)
    sent = ", body" if body else ", None"
    headers = ", headers={" + ", ".join(f"{h!r}: {a}" for h, a in in_header.items()) + "}" if in_header else ""
    return (
        f"    async def {name}{signature} -> {kind}:\n"
        f'        """{summary}"""\n        return await self.{suffix[0]}({given}{sent}{suffix[1]}{headers})\n'
    )


def _answer(content: dict[str, Any]) -> tuple[str, tuple[str, str]]:
    if "application/json" in content:
        model = f"models.{_model(content['application/json']['schema'])}"
        return model, ("_json", f", {model}")
    if content:
        return "bytes", ("_bytes", "")
    return "None", ("_nothing", "")


def _model(schema: dict[str, Any]) -> str:
    return schema["$ref"].rsplit("/", 1)[1]


def _format(text: str, name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--line-length", "120", "--stdin-filename", name, "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"ruff could not format {name}:\n{done.stderr}")
    return done.stdout
