"""Which pictures a model still sees (pure)."""

from __future__ import annotations

from typing import Final

import msgspec

from safelight.conversation.parts import History, Image, Message, ToolResult, ToolResults

__all__ = ("CLOUD_PHOTOS", "LOCAL_PHOTOS", "keep_newest", "without_pictures")

LOCAL_PHOTOS: Final = 2
CLOUD_PHOTOS: Final = 4


def keep_newest(history: History, kept: int) -> tuple[History, int]:
    """The history with only its newest ``kept`` pictures, and how many others became a line of text that names the
    photo. Always the same line for the same picture."""
    left = kept
    replaced = 0
    found: list[Message] | None = None
    for place in range(len(history) - 1, -1, -1):
        message = history[place]
        if not isinstance(message, ToolResults):
            continue
        here = sum([len(result.images) for result in message.results])
        if here <= left:
            left -= here
            continue
        replaced += here - left
        found = list(history) if found is None else found
        found[place] = _without_oldest(message, here - left)
        left = 0
    return (history, 0) if found is None else (tuple(found), replaced)


def without_pictures(history: History) -> History:
    """The history for a model that sees none: each result says first what the model cannot see."""
    if not any(isinstance(message, ToolResults) and any(r.images for r in message.results) for message in history):
        return history
    return tuple(_told(message) if isinstance(message, ToolResults) else message for message in history)


def _told(message: ToolResults) -> ToolResults:
    return ToolResults(results=tuple(_not_seen(result) if result.images else result for result in message.results))


def _not_seen(result: ToolResult) -> ToolResult:
    count = len(result.images)
    which = f"{count} photos were" if count > 1 else "1 photo was"
    line = f"[{which} shown to the user; you cannot see pictures.]"
    return msgspec.structs.replace(result, text=f"{line}\n{result.text}", images=())


def _without_oldest(message: ToolResults, count: int) -> ToolResults:
    results: list[ToolResult] = []
    for result in message.results:
        going, staying = result.images[:count], result.images[count:]
        count -= len(going)
        if going:
            text = "\n".join([result.text, *map(_line, going)])
            result = msgspec.structs.replace(result, text=text, images=staying)
        results.append(result)
    return ToolResults(results=tuple(results))


def _line(image: Image) -> str:
    which = "a photo" if image.photo_id is None else f"photo {image.photo_id}"
    return f"(The picture of {which} stood here. Ask for it again to see it.)"
