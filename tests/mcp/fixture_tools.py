"""The tools that the public conformance suite calls, on an MCP server of the SDK. What they do is written in the suite;
the transport under them is Safelight's own."""

from __future__ import annotations

import base64
import struct
import warnings
import zlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp.shared.message import ServerMessageMetadata

from safelight.tools.mcp_progress import ProgressReport
from safelight.tools.mcp_server import Context

__all__ = ("build_fixture_server",)

Content = list[types.ContentBlock]
Arguments = dict[str, Any]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG: Final = base64.b64encode(
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\x00\xff\x00\x00"))
    + _chunk(b"IEND", b"")
).decode()
"""One red pixel."""
WAV: Final = base64.b64encode(
    b"RIFF" + struct.pack("<I", 36) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    + b"data" + struct.pack("<I", 0)
).decode()  # fmt: skip
EMPTY: Final[Arguments] = {"type": "object", "properties": {}}
ADDRESSES: Final[Arguments] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
DEFAULTS: Final[Arguments] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
}
_TITLED: Final = [
    {"const": "value1", "title": "First Option"},
    {"const": "value2", "title": "Second Option"},
    {"const": "value3", "title": "Third Option"},
]
_UNTITLED: Final = ["option1", "option2", "option3"]
ENUMS: Final[Arguments] = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": _UNTITLED},
        "titledSingle": {"type": "string", "oneOf": _TITLED},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _UNTITLED}},
        "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
    },
}
PERSON: Final[Arguments] = {
    "type": "object",
    "properties": {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    },
    "required": ["username", "email"],
}


def _text(text: str) -> types.TextContent:
    return types.TextContent(text=text)


def _image() -> types.ImageContent:
    return types.ImageContent(data=PNG, mime_type="image/png")


def _resource(uri: str, mime_type: str, text: str) -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=text))


async def _simple(context: Context, arguments: Arguments) -> Content:
    return [_text("This is a simple text response for testing.")]


async def _picture(context: Context, arguments: Arguments) -> Content:
    return [_image()]


async def _audio(context: Context, arguments: Arguments) -> Content:
    return [types.AudioContent(data=WAV, mime_type="audio/wav")]


async def _embedded(context: Context, arguments: Arguments) -> Content:
    return [_resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]


async def _mixed(context: Context, arguments: Arguments) -> Content:
    data = _resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return [_text("Multiple content types test:"), _image(), data]


async def _logging(context: Context, arguments: Arguments) -> Content:
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        message = types.LoggingMessageNotification(
            params=types.LoggingMessageNotificationParams(level="info", data=said)
        )
        await context.session.send_notification(message, related_request_id=context.request_id)
    return [_text("Three messages were logged.")]


async def _progress(context: Context, arguments: Arguments) -> Content:
    report = ProgressReport(context.session)
    for done in (1, 50, 100):
        await report(done, 100)
    return [_text("All is done.")]


async def _sampling(context: Context, arguments: Arguments) -> Content:
    message = types.SamplingMessage(role="user", content=_text(str(arguments["prompt"])))
    request = types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))
    said = await context.session.send_request(request, types.CreateMessageResult, metadata=_related(context))
    return [_text(f"LLM response: {getattr(said.content, 'text', '')}")]


async def _asked(context: Context, message: str, schema: Arguments) -> types.ElicitResult:
    parameters = types.ElicitRequestFormParams.model_validate({"message": message, "requestedSchema": schema})
    request = types.ElicitRequest(params=parameters)
    return await context.session.send_request(request, types.ElicitResult, metadata=_related(context))


def _related(context: Context) -> ServerMessageMetadata:
    return ServerMessageMetadata(related_request_id=context.request_id)


async def _elicitation(context: Context, arguments: Arguments) -> Content:
    answer = await _asked(context, str(arguments["message"]), PERSON)
    return [_text(f"User response: action: {answer.action}, content: {answer.content}")]


def _completed(schema: Arguments) -> Callable[[Context, Arguments], Awaitable[Content]]:
    async def run(context: Context, arguments: Arguments) -> Content:
        answer = await _asked(context, "Please fill this in.", schema)
        return [_text(f"Elicitation completed: action={answer.action}, content={answer.content}")]

    return run


def _needs(name: str) -> Arguments:
    return {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}


_TOOLS: Final[dict[str, tuple[Arguments, Callable[[Context, Arguments], Awaitable[Content]]]]] = {
    "test_simple_text": (EMPTY, _simple),
    "test_image_content": (EMPTY, _picture),
    "test_audio_content": (EMPTY, _audio),
    "test_embedded_resource": (EMPTY, _embedded),
    "test_multiple_content_types": (EMPTY, _mixed),
    "test_tool_with_logging": (EMPTY, _logging),
    "test_tool_with_progress": (EMPTY, _progress),
    "test_sampling": (_needs("prompt"), _sampling),
    "test_elicitation": (_needs("message"), _elicitation),
    "test_elicitation_sep1034_defaults": (EMPTY, _completed(DEFAULTS)),
    "test_elicitation_sep1330_enums": (EMPTY, _completed(ENUMS)),
    "json_schema_2020_12_tool": (ADDRESSES, _simple),
}


async def build_fixture_server() -> Server[Any]:
    """The server, as ``McpEndpoint`` wants it built."""
    listed = [
        types.Tool(name=name, description=f"Of the conformance suite: {name}.", input_schema=schema)
        for name, (schema, _) in _TOOLS.items()
    ]
    listed.append(types.Tool(name="test_error_handling", description="Fails.", input_schema=EMPTY))

    async def list_tools(context: Context, parameters: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=listed)

    async def call_tool(context: Context, parameters: types.CallToolRequestParams) -> types.CallToolResult:
        if parameters.name == "test_error_handling":
            sentence = "This tool intentionally returns an error for testing"
            return types.CallToolResult(content=[_text(sentence)], is_error=True)
        _, run = _TOOLS[parameters.name]
        return types.CallToolResult(content=await run(context, parameters.arguments or {}))

    async def set_level(context: Context, parameters: types.SetLevelRequestParams) -> types.EmptyResult:
        return types.EmptyResult()

    with warnings.catch_warnings():
        # The suite's newest version that can be had tests logging, which the SDK calls deprecated.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        return Server(  # pyright: ignore[reportDeprecated]  # as above
            "conformance", on_list_tools=list_tools, on_call_tool=call_tool, on_set_logging_level=set_level
        )
