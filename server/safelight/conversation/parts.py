"""The conversation as values: what was said, called and answered, independent of any model's API.

A history is a tuple of messages. An ``AssistantTurn`` with calls is followed directly by one ``ToolResults``
message that answers each of its calls once, in the order of the calls; ``repair`` restores that rule.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

__all__ = (
    "AssistantTurn",
    "Finish",
    "History",
    "Image",
    "Message",
    "Outcome",
    "ToolCall",
    "ToolResult",
    "ToolResults",
    "Usage",
    "UserMessage",
)

Outcome: TypeAlias = Literal["success", "failed", "denied", "interrupted", "skipped"]
"""How a call ended: ``success`` ran and worked; ``failed`` ran and reported an error, or its outcome is not
known; ``denied`` the person or a rule said no; ``interrupted`` stopped or cut off by a restart; ``skipped`` never
considered."""

Finish: TypeAlias = Literal["stop", "calls", "length"]
"""Why a model turn ended: a reply, tool calls, or the token limit."""


class Image(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="image"):
    """A picture that a tool returned."""

    mime_type: str
    data: bytes
    photo_id: str | None = None
    """Lightroom's uuid of the photo that the picture shows, when it shows one."""


class ToolCall(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="tool_call"):
    """A call as the model wrote it. ``arguments`` are decoded JSON and not yet validated."""

    call_id: str
    tool: str
    arguments: dict[str, Any]


class ToolResult(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="tool_result"):
    """The one answer to a call; ``text`` is what the model reads, compact JSON or a sentence."""

    call_id: str
    tool: str
    outcome: Outcome
    text: str
    images: tuple[Image, ...] = ()


class UserMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="user"):
    """What the person wrote. ``context`` holds changing facts (date, selection, mode) told to the model beside it."""

    text: str
    context: str = ""


class AssistantTurn(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="assistant"):
    """One model turn: reasoning first, then either a reply (``text``) or calls."""

    reasoning: str = ""
    text: str = ""
    calls: tuple[ToolCall, ...] = ()


class ToolResults(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="tool_results"):
    """The results of all calls of the turn before it, in the order of the calls."""

    results: tuple[ToolResult, ...]


Message: TypeAlias = UserMessage | AssistantTurn | ToolResults
History: TypeAlias = tuple[Message, ...]


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one turn. ``cached_tokens`` of ``prompt_tokens`` were not computed again."""

    prompt_tokens: int
    completion_tokens: int = 0
    cached_tokens: int = 0
    context_window: int = 0
