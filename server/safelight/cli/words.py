"""What happens in a chat, in words for a terminal. Pure: values to lines.

Text of a model, of metadata or of a tool never reaches the terminal with control characters in it: it could move the
cursor, change what stands above, or look like a question of Safelight's own.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any, Final, cast

from safelight_client import models

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = (
    "argument_lines",
    "call_line",
    "class_words",
    "done_lines",
    "preview_lines",
    "question_lines",
    "reason_line",
    "resolved_line",
    "safe",
    "skipped_line",
)

LONGEST_VALUE: Final = 1200
LONGEST_RESULT: Final = 300
IDS_SHOWN: Final = 3

_KEPT: Final = "\n\t\u200c\u200d\u00ad"
"""Besides line feed and tab, what joins and parts letters: it changes nothing but the word that it stands in."""

_NOT_SHOWN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_CLASSES: Final = {"read": "only looks", "change": "changes no photo", "destructive": "changes photos"}
_SETS: Final = {"selection": "the photos selected in Lightroom", "view": "all photos now shown in Lightroom"}
_OUTCOMES: Final = {
    "once": "Allowed once",
    "chat": "Allowed in this chat",
    "always": "Always allowed from now on",
    "deny": "Not allowed",
    "expired": "Nobody answered in time; it does not run",
    "stopped": "Stopped before an answer; it does not run",
    "restarted": "The service was restarted; it does not run",
    "model_changed": "Another model was chosen; it does not run",
}
_SKIPPED: Final = {
    "not_allowed": "not allowed",
    "stopped": "the chat was stopped",
    "repeated_call": "the same call was made already",
    "turned_off": "the tool is turned off",
    "interrupted": "it was interrupted; it may or may not have happened",
    "incomplete": "the model did not finish writing it",
}


def safe(text: str) -> str:
    """The text without control, direction, line-break and surrogate characters; line feeds and tabs stay."""
    return "".join(c if c in _KEPT or unicodedata.category(c) not in _NOT_SHOWN else "\ufffd" for c in text)


def class_words(tool_class: str) -> str:
    """What a tool of that class may do."""
    return _CLASSES.get(tool_class, _CLASSES["destructive"])


def call_line(call: models.ToolCallEvent) -> str:
    """One line for a call: its title, what its kind may do, its number of photos, and in the inbox who calls."""
    aimed = "" if call.photos is None else f", {_photos(call.photos)}"
    by = f", called by {_line(call.by)}" if isinstance(call.by, str) else ""
    return f"{_line(call.title)} ({class_words(call.class_)}{aimed}){by}"


def argument_lines(arguments: Mapping[str, Any]) -> list[str]:
    """A line for each argument, named and valued in words."""
    return [_argument(name, value) for name, value in arguments.items()]


def _argument(name: str, value: Any) -> str:
    if name == "set" and isinstance(value, str):
        return f"photos: {_SETS.get(value) or f'those of the earlier result {_line(value)}'}"
    if name == "photo_ids" and isinstance(value, list):
        return f"photos: {_ids(cast('list[Any]', value))}"
    return f"{_line(name).replace('_', ' ')}: {_value(value)}"


def _ids(values: list[Any]) -> str:
    shown = ", ".join(_line(str(value)) for value in values[:IDS_SHOWN])
    more = len(values) - IDS_SHOWN
    return f"{_photos(len(values))} ({shown}{f' and {more:,} more' if more > 0 else ''})"


def _value(value: Any) -> str:
    if isinstance(value, str):
        return f'"{_line(value)}"'
    return _cut(safe(json.dumps(value, ensure_ascii=False)), LONGEST_VALUE)


def reason_line(reason: models.ApprovalReason, mode: str = "this chat's mode") -> str:
    """Why the question is asked; ``mode`` says whose mode it is."""
    if reason.kind == "bulk":
        photos = f" at {_photos(reason.photos)}" if isinstance(reason.photos, int) else " at many photos"
        limit = f", more than {reason.limit:,}" if isinstance(reason.limit, int) else ""
        return f"Asks because it is aimed{photos}{limit}."
    if reason.kind == "rule":
        return "Asks because of the rule for this tool."
    return f"Asks because of {mode}."


def preview_lines(preview: models.Preview | None) -> list[str]:
    """What would change, photo by photo."""
    if preview is None:
        return []
    lines = [f"{_line(photo.file_name)}: {_difference(photo)}" for photo in preview.photos]
    if preview.more:
        lines.append(f"and {_photos(preview.more, 'more ')}")
    return lines


def _difference(photo: models.PreviewPhoto) -> str:
    names = [*photo.before, *(name for name in photo.after if name not in photo.before)]
    parts = [
        f"{_line(name).replace('_', ' ')} {_side(photo.before, name)} -> {_side(photo.after, name)}"
        for name in names
        if photo.before.get(name) != photo.after.get(name)
    ]
    return ", ".join(parts) or "stays as it is"


def _side(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return "(nothing)" if value in (None, "", []) else _value(value)


def question_lines(call: models.ToolCallEvent, asked: models.ApprovalNeededEvent) -> list[str]:
    """The whole question: what would run, on what, with which arguments, why it is asked and what would change."""
    lines = [f"May it run: {call_line(call)}?", *_indented(argument_lines(call.arguments))]
    mode = "the mode for agents from outside" if isinstance(call.by, str) else "this chat's mode"
    lines += _indented([reason_line(asked.reason, mode)])
    preview = preview_lines(asked.preview)
    if preview:
        lines += ["  What would change:", *_indented(_indented(preview))]
    if isinstance(asked.always, models.AlwaysRule):
        lines += _indented([f"If you say always: {_line(asked.always.text)}"])
    return lines


def resolved_line(event: models.ApprovalResolvedEvent, proposed: Mapping[str, Any] | None) -> str:
    """How a question ended, with the arguments where they were changed."""
    line = _OUTCOMES.get(event.outcome, _line(event.outcome))
    if event.by == "page":
        line += ", answered on the page"
    elif event.by == "client":
        line += ", answered at the agent's own program"
    if event.arguments is not None and proposed is not None and event.arguments != proposed:
        line += f", with other arguments: {'; '.join(argument_lines(event.arguments))}"
    return f"{line}."


def skipped_line(event: models.ToolSkippedEvent) -> str:
    """Why a call did not run."""
    return f"Did not run: {_SKIPPED.get(event.reason, _line(event.reason))}."


def done_lines(event: models.ToolDoneEvent) -> list[str]:
    """What came of a call: how many photos, or its failure in the tool's own words; then its warnings."""
    if event.ok:
        count = "" if event.count is None else f": {_photos(event.count)}"
        lines = [f"Done{count}."]
    else:
        lines = [f"Failed: {_cut(_line(event.text), LONGEST_RESULT)}"]
    return lines + [f"Note: {_line(warning)}" for warning in event.warnings]


def _photos(count: int, which: str = "") -> str:
    return f"{count:,} {which}{'photo' if count == 1 else 'photos'}"


def _line(text: str) -> str:
    """The text as one line: what would begin another is shown, not done."""
    return _cut(safe(text).replace("\n", "\\n").replace("\t", "\\t"), LONGEST_VALUE)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}... ({len(text) - length:,} characters more)"


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]
