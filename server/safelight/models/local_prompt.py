"""What a local model reads: instructions and tools as text, and the conversation as turns.

Byte-stable: equal tools and an equal history give equal text, which is what the engine's cache lives from.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

from safelight.conversation.parts import AssistantTurn, History, Image, ToolCall, ToolResult, UserMessage
from safelight.engines.engine import PromptMessage
from safelight.models.schemas.limits import ANALYSIS_CHARS, REPLY_CHARS
from safelight.models.schemas.words import well_formed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.models.chat_model import ToolOffer

__all__ = ("call_text", "reply_text", "result_text", "system_text", "turns", "user_text")

_FORMAT: Final = (
    'Answer with {"analysis":"...","call":{"<tool>":{<arguments>}}} to use a tool, '
    'or with {"analysis":"...","reply":"..."} to speak to the user.'
)


def system_text(system: str, tools: Sequence[ToolOffer]) -> str:
    """The instructions, the form of an answer, and each tool with one line an argument. An argument that several
    tools share is described once."""
    shared = _shared(tools)
    lines = [system.strip(), _FORMAT]
    if tools:
        lines.append("Tools:")
    for tool in tools:
        lines.append(f"{tool.name}: {tool.description}")
        for name, schema in _properties(tool).items():
            lines.append(f"- {name}" if name in shared else _argument(name, schema))
    if shared:
        lines.append("Arguments that several tools take:")
        lines += [_argument(name, schema) for name, schema in shared.items()]
    return well_formed("\n".join(line for line in lines if line))


def turns(history: History, *, result_chars: int | None = None) -> list[PromptMessage]:
    """The conversation as alternating turns. Results longer than ``result_chars`` lose their end."""
    messages: list[PromptMessage] = []
    calls: tuple[ToolCall, ...] = ()
    for part in history:
        if isinstance(part, UserMessage):
            messages.append(PromptMessage(role="user", content=user_text(part)))
        elif isinstance(part, AssistantTurn):
            calls = part.calls
            if not calls:
                messages.append(PromptMessage(role="assistant", content=reply_text(part.reasoning, part.text)))
        else:
            reasoning = next((one.reasoning or one.text for one in _turns_with(history, calls)), "")
            for call, result in zip(calls, part.results, strict=False):
                written = call_text(reasoning, call.tool, call.arguments)
                messages.append(PromptMessage(role="assistant", content=written))
                images = tuple(image.data for image in result.images)
                content = result_text(result, result_chars)
                messages.append(PromptMessage(role="user", content=content, images=images))
    return _alternating(messages)


def user_text(message: UserMessage) -> str:
    """What the person wrote, with the facts of the moment after it."""
    return f"{message.text}\n\n{message.context}" if message.context else message.text


def result_text(result: ToolResult, chars: int | None = None) -> str:
    """A tool's result as the model reads it, in front of its pictures."""
    text = result.text if chars is None or len(result.text) <= chars else result.text[:chars] + "…"
    said = f"Result of {result.tool}: {text}"
    return f"{said}\n({_which(result.images)})" if result.images else said


def _which(images: Sequence[Image]) -> str:
    photos = ["a photo" if image.photo_id is None else f"photo {image.photo_id}" for image in images]
    if len(photos) == 1:
        return f"The picture of {photos[0]} follows."
    return f"The pictures of {', '.join(photos)} follow in this order."


def call_text(analysis: str, tool: str, arguments: dict[str, Any]) -> str:
    """A call exactly as the grammar makes the model write it."""
    return _compact({"analysis": analysis[:ANALYSIS_CHARS], "call": {tool: arguments}})


def reply_text(analysis: str, reply: str) -> str:
    """A reply exactly as the grammar makes the model write it."""
    return _compact({"analysis": analysis[:ANALYSIS_CHARS], "reply": reply[:REPLY_CHARS]})


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _turns_with(history: History, calls: tuple[ToolCall, ...]) -> Iterable[AssistantTurn]:
    return (part for part in history if isinstance(part, AssistantTurn) and part.calls is calls)


def _alternating(messages: list[PromptMessage]) -> list[PromptMessage]:
    """Neighbours of the same role become one: many templates refuse them."""
    out: list[PromptMessage] = []
    for message in messages:
        if out and out[-1].role == message.role:
            last = out.pop()
            content, images = f"{last.content}\n\n{message.content}", (*last.images, *message.images)
            message = PromptMessage(role=message.role, content=content, images=images)
        out.append(message)
    return out


def _properties(tool: ToolOffer) -> dict[str, Any]:
    properties = tool.input_schema.get("properties")
    return cast("dict[str, Any]", properties) if isinstance(properties, dict) else {}


def _shared(tools: Sequence[ToolOffer]) -> dict[str, Any]:
    described = [(name, json.dumps(schema)) for tool in tools for name, schema in _properties(tool).items()]
    often = {name for (name, _), times in Counter(described).items() if times > 1}
    alike = {name for name in often if len({schema for other, schema in described if other == name}) == 1}
    return {name: json.loads(schema) for name, schema in dict(described).items() if name in alike}


def _argument(name: str, said: object) -> str:
    schema = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
    hint = _hint(schema)
    line = f"- {name} ({hint})" if hint else f"- {name}"
    return f"{line}: {schema['description']}" if schema.get("description") else line


def _hint(schema: dict[str, Any]) -> str:
    """What an argument takes: its choices, its range, the names in it."""
    choices, items = schema.get("enum"), schema.get("items")
    if isinstance(choices, list):
        return "|".join(map(str, cast("list[Any]", choices)))
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int | float) and isinstance(most, int | float):
        return f"{least}{' to ' if least < 0 else '-'}{most}"
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        return ", ".join(cast("dict[str, Any]", schema["properties"]))
    if schema.get("type") == "array":
        named = _hint(cast("dict[str, Any]", items)) if isinstance(items, dict) else ""
        return f"list of {named}" if named else "list"
    return ""
