"""A call's outcome in its three forms: for the model, for the event log, and whole for the page (pure)."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, cast

import msgspec

from safelight.conversation.parts import Image, ToolCall, ToolResult
from safelight.wire.models import CallResult, ChangeEvent, ResultImage, ToolDoneEvent

if TYPE_CHECKING:
    from safelight.chat.toolbox import CallOutcome

__all__ = ("as_call_result", "as_change_event", "as_done_event", "as_tool_result", "from_call_result")

_EVENT_TEXT = 4_000
"""Characters of a result that stand in the event; the page reads the whole result by its call."""


def as_tool_result(call: ToolCall, outcome: CallOutcome) -> ToolResult:
    return ToolResult(
        call_id=call.call_id,
        tool=call.tool,
        outcome="success" if outcome.ok else "failed",
        text=outcome.text,
        images=outcome.images,
    )


def as_done_event(call: ToolCall, outcome: CallOutcome) -> ToolDoneEvent:
    content = outcome.content or {}
    set_id = content.get("set_id")
    count = content.get("count", content.get("shown"))
    text = outcome.text
    return ToolDoneEvent(
        seq=0,
        call_id=call.call_id,
        ok=outcome.ok,
        text=text if len(text) <= _EVENT_TEXT else f"{text[:_EVENT_TEXT]} ...",
        set_id=set_id if isinstance(set_id, str) else None,
        count=count if isinstance(count, int) else None,
        warnings=_warnings(content),
        images=len(outcome.images),
    )


def as_change_event(call: ToolCall, outcome: CallOutcome) -> ChangeEvent | None:
    """The change that the call made in the catalog, or may have made; None where it made none. ``call`` is as it ran,
    with the arguments that the person decided on."""
    content = outcome.content or {}
    change_id = content.get("change_id")
    if not isinstance(change_id, str):
        return None
    photos = content.get("applied", content.get("copies"))
    undoes = call.arguments.get("change_id") if call.tool == "undo_change" else None
    return ChangeEvent(
        seq=0,
        change_id=change_id,
        tool=call.tool,
        photos=len(cast("list[object]", photos)) if isinstance(photos, list) else 0,
        undoes=undoes.strip() if isinstance(undoes, str) else msgspec.UNSET,
    )


def as_call_result(call: ToolCall, outcome: CallOutcome) -> CallResult:
    return CallResult(
        call_id=call.call_id,
        tool=call.tool,
        ok=outcome.ok,
        text=outcome.text,
        content=msgspec.UNSET if outcome.content is None else outcome.content,
        warnings=_warnings(outcome.content or {}),
        images=[
            ResultImage(
                mime_type=image.mime_type,
                data_base64=base64.b64encode(image.data).decode("ascii"),
                photo_id=msgspec.UNSET if image.photo_id is None else image.photo_id,
            )
            for image in outcome.images
        ],
    )


def from_call_result(kept: CallResult) -> ToolResult:
    """What the model reads, from what was kept for the page."""
    return ToolResult(
        call_id=kept.call_id,
        tool=kept.tool,
        outcome="success" if kept.ok else "failed",
        text=kept.text,
        images=tuple(
            Image(
                mime_type=image.mime_type,
                data=base64.b64decode(image.data_base64),
                photo_id=None if image.photo_id is msgspec.UNSET else image.photo_id,
            )
            for image in kept.images
        ),
    )


def _warnings(content: dict[str, Any]) -> list[str]:
    warnings = content.get("warnings")
    if not isinstance(warnings, list):
        return []
    return [warning for warning in cast("list[object]", warnings) if isinstance(warning, str)]
