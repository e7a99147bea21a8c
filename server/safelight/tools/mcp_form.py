"""A question as the form that an agent's own program shows to its person, and what they said in it (pure).

Nobody can tell whether a person filled in the form, or the program itself. So a form allows this one call and never
writes a rule: for that somebody has to be in the inbox.
"""

from __future__ import annotations

import json
import unicodedata
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

from safelight.wire.models import ApprovalAnswer, Decision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from safelight.gate.principal import Question
    from safelight.wire.models import ApprovalReason, Preview, PreviewPhoto

__all__ = ("CANCELLED", "DECLINED", "UNCLEAR", "Form", "Said", "form_of", "said_in")

Action: TypeAlias = Literal["accept", "decline", "cancel"]

_LONGEST_VALUE: Final = 300
_MOST_PHOTOS: Final = 10
_LONGEST_NOTE: Final = 2_000
_CLASSES: Final = {"read": "only looks", "change": "changes no photo", "destructive": "changes photos"}
_ANSWERS: Final[dict[Decision, str]] = {"once": "Allow it once", "deny": "Do not allow it"}
_KEPT: Final = "\u200c\u200d\u00ad"
_NOT_SHOWN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

DECLINED: Final = (
    "The user declined this call in the form that your program showed. Nothing was changed. Do not repeat it."
)
CANCELLED: Final = (
    "The user closed the form without an answer, so this call did not run. Nothing was changed. Ask them what they "
    "want before you call again."
)
UNCLEAR: Final = (
    "The form came back without a clear answer, so this call did not run. Nothing was changed. Ask the user whether to "
    "call again."
)


class Form(msgspec.Struct, frozen=True):
    """The text of a question, and the schema (JSON Schema, as MCP's elicitation takes it) of the answer."""

    message: str
    schema: dict[str, Any]


class Said(msgspec.Struct, frozen=True):
    """An answer for the inbox. ``text`` is for the agent where the form ended without a choice of the person's."""

    answer: ApprovalAnswer
    text: str | None = None


def form_of(question: Question) -> Form:
    """The question with all that would run."""
    schema = {
        "type": "object",
        "properties": {
            "answer": {
                "type": "string",
                "title": "May it run?",
                "enum": list(_ANSWERS),
                "enumNames": list(_ANSWERS.values()),
            },
            "note": {
                "type": "string",
                "title": "Note",
                "description": "If you do not allow it: what the agent should know.",
                "maxLength": _LONGEST_NOTE,
            },
        },
        "required": ["answer"],
    }
    return Form("\n".join(_lines(question)), schema)


def said_in(action: Action, content: Mapping[str, Any] | None) -> Said:
    """What came back in a form. Whatever is not one of the answers that were offered allows nothing."""
    if action != "accept":
        return Said(ApprovalAnswer(decision="deny"), DECLINED if action == "decline" else CANCELLED)
    given = content or {}
    if given.get("answer") == "once":
        return Said(ApprovalAnswer(decision="once"))
    if given.get("answer") != "deny":
        return Said(ApprovalAnswer(decision="deny"), UNCLEAR)
    note = given.get("note")
    if not isinstance(note, str) or not note.strip():
        return Said(ApprovalAnswer(decision="deny"))
    return Said(ApprovalAnswer(decision="deny", note=note.strip()[:_LONGEST_NOTE]))


def _lines(question: Question) -> list[str]:
    aimed = "" if question.photos is None else f", {_photos(question.photos)}"
    kind = _CLASSES.get(question.tool_class, _CLASSES["destructive"])
    lines = [f"Safelight: may it run? {_safe(question.title)} ({kind}{aimed}), called by {_safe(question.by)}."]
    lines += [f"{_name(name)}: {_value(value)}" for name, value in question.arguments.items()]
    lines.append(_reason(question.reason))
    if question.preview is not None:
        lines += _preview(question.preview)
    return lines


def _reason(reason: ApprovalReason) -> str:
    if reason.kind == "bulk":
        photos = _photos(reason.photos) if isinstance(reason.photos, int) else "many photos"
        return f"Asks because it aims at {photos}, more than may be changed unasked."
    because = "the rule for this tool" if reason.kind == "rule" else "the settings for agents"
    return f"Asks because of {because}."


def _preview(preview: Preview) -> list[str]:
    shown = preview.photos[:_MOST_PHOTOS]
    more = preview.more + len(preview.photos) - len(shown)
    lines = ["What would change:", *(f"{_safe(photo.file_name)}: {_difference(photo)}" for photo in shown)]
    return lines + ([f"and {more:,} more photos"] if more else [])


def _difference(photo: PreviewPhoto) -> str:
    names = dict.fromkeys([*photo.before, *photo.after])
    parts = [
        f"{_name(name)} {_side(photo.before.get(name))} -> {_side(photo.after.get(name))}"
        for name in names
        if photo.before.get(name) != photo.after.get(name)
    ]
    return ", ".join(parts) or "stays as it is"


def _side(value: Any) -> str:
    return "(nothing)" if value in (None, "", []) else _value(value)


def _value(value: Any) -> str:
    text = _safe(json.dumps(value, ensure_ascii=False))
    left = len(text) - _LONGEST_VALUE
    return text if left <= 0 else f"{text[:_LONGEST_VALUE]}... ({left:,} characters more)"


def _name(name: str) -> str:
    return _safe(name).replace("_", " ")


def _photos(count: int) -> str:
    return f"{count:,} {'photo' if count == 1 else 'photos'}"


def _safe(text: str) -> str:
    """One line without characters that hide or reorder what stands in it: foreign text must not look like ours."""
    return "".join(c if c in _KEPT or unicodedata.category(c) not in _NOT_SHOWN else "\ufffd" for c in text)
