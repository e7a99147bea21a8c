"""The schema of a small model's next answer: the chosen call with what is known of it, or a reply about a result.

One rule reads the message's words (``LocalChatModel.copy_words``): texts, keywords, names and dates of a call are
words of the message, next to each other; dates go where it names no year. Which words, the model decides.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from safelight.models.local_examples import FALLBACK
from safelight.models.schemas import reply_schema
from safelight.models.schemas.limits import ANALYSIS_CHARS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from safelight.conversation.parts import ToolResult
    from safelight.models.local_examples import Pattern
    from safelight.models.steps import Step

__all__ = ("call_schema", "filled", "replies_of", "reply_of")

_WORDS_COPIED: Final = 8
_WORDS_SEARCHED: Final = 4
_FAILURE_CHARS: Final = 400
_MESSAGE_WORDS: Final = 40
_FIELD: Final = re.compile(r"\{(\w+)\}")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_EDGES: Final = "\"'“”„‚‘’«»()[]{}.,;:!?…"
_DATES: Final = frozenset({"captured_from", "captured_to"})


def call_schema(arguments: dict[str, Any], step: Step, message: str, *, copy_words: bool) -> dict[str, Any] | None:
    """A tool's arguments, in normal form, with exactly the pattern's properties and the known values; None where they
    do not fit."""
    pattern = step.pattern
    for branch in cast("list[dict[str, Any]]", arguments.get("anyOf", [arguments])):
        properties: dict[str, Any] = branch.get("properties", {})
        wanted = pattern.arguments
        if wanted <= properties.keys() and wanted.issuperset(branch.get("required", [])):
            kept = {name: rule for name, rule in properties.items() if name in wanted}
            if copy_words:
                kept |= {name: _copied(name, kept[name], pattern, message) for name in pattern.copied}
                kept = _supported(kept, message)
            kept |= {name: {"enum": [value]} for name, value in step.fixed.items()}
            ordered = {name: _single(kept[name]) for name in properties if name in kept}
            return {**branch, "properties": ordered, "required": list(ordered)}
    return None


def filled(schema: dict[str, Any], analysis: str) -> dict[str, Any]:
    """An answer's schema with its analysis written out."""
    return {**schema, "properties": {**schema["properties"], "analysis": {"enum": [analysis[:ANALYSIS_CHARS]]}}}


def reply_of(text: str | None, analysis: str) -> dict[str, Any]:
    """The schema of the reply ``text``; of any reply where there is none."""
    schema = reply_schema()
    if text is not None:
        schema["properties"]["reply"] = {"enum": [text]}
    return filled(schema, analysis)


def replies_of(pattern: Pattern, result: ToolResult) -> tuple[str, ...]:
    """What can be said of a result: the pattern's replies with its fields, or that it failed."""
    if result.outcome != "success":
        return tuple(f"{said} {result.text[:_FAILURE_CHARS]}" for said in FALLBACK)
    try:
        fields = msgspec.json.decode(result.text, type=dict[str, Any])
    except msgspec.DecodeError:
        return ()
    named = {name for reply in pattern.replies for name in _FIELD.findall(reply)}
    if not named <= fields.keys():
        return ()
    told = {name: _told(fields[name]) for name in named}
    return tuple(reply.format_map(told) for reply in pattern.replies)


def _told(value: object) -> str:
    return str(len(cast("list[object]", value))) if isinstance(value, list) else str(value)


def _supported(properties: dict[str, Any], message: str) -> dict[str, Any]:
    """Without the dates where the message names no year and there is something else to look for."""
    others = {name: rule for name, rule in properties.items() if name not in _DATES}
    return properties if not others or _YEAR.search(message) else others


def _single(rule: dict[str, Any]) -> dict[str, Any]:
    """A list of one: a small model that may write on repeats itself."""
    return {**rule, "minItems": 1, "maxItems": 1} if rule.get("type") == "array" else rule


def _copied(name: str, rule: dict[str, Any], pattern: Pattern, message: str) -> dict[str, Any]:
    if name in _DATES:
        texts = list(_dates(message, months="-" in str(pattern.examples[0].arguments[name])))
    else:
        most = rule.get("items", rule).get("maxLength", 0)
        words = _WORDS_SEARCHED if name == "text" else _WORDS_COPIED
        texts = [text for text in _phrases(message, words) if len(text) <= most]
    if not texts:
        return rule
    chosen = {"enum": texts}
    return {**rule, "items": chosen} if rule.get("type") == "array" else chosen


def _dates(message: str, *, months: bool) -> Iterator[str]:
    for year in dict.fromkeys(_YEAR.findall(message)):
        if months:
            yield from (f"{year}-{month:02}" for month in range(1, 13))
        else:
            yield year


def _phrases(message: str, most: int) -> Iterator[str]:
    """Up to ``most`` words next to each other, but not the whole message, which asks for something too."""
    words = message.split()[:_MESSAGE_WORDS]
    phrases = (
        " ".join(words[first : first + length]).strip(_EDGES)
        for length in range(1, min(most, max(1, len(words) - 1)) + 1)
        for first in range(len(words) - length + 1)
    )
    yield from dict.fromkeys(phrase for phrase in phrases if phrase)
