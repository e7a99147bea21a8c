"""What a portable schema cannot hold, said in words: in a description every model reads it."""

from __future__ import annotations

import itertools
import json
import math
import re
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ("choice_words", "joined_words", "keyword_words", "limited", "named", "plain", "shown", "well_formed")

_SHOWN_CHARS: Final = 200
_SHOWN_DEPTH: Final = 6
_MOST_LISTED: Final = 10
_MOST_WORDS: Final = 1_500
_LARGEST: Final = 10**30
_PLAIN_DEPTH: Final = 8
_PLAIN_NODES: Final = 1_000
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")

_COUNTED: Final = {
    "minProperties": "At least {} entries.",
    "maxProperties": "At most {} entries.",
    "minContains": "At least {} such items.",
    "maxContains": "At most {} such items.",
    "multipleOf": "A multiple of {}.",
    "contentEncoding": "Encoded as {}.",
    "contentMediaType": "Content of type {}.",
}
_LIKE: Final = {
    "not": "Nothing like {}.",
    "contains": "At least one item like {}.",
    "propertyNames": "Names like {}.",
    "unevaluatedItems": "Further items like {}.",
    "contentSchema": "Content like {}.",
}
_SPOKEN: Final = frozenset(
    (*_COUNTED, *_LIKE, "uniqueItems", "if", "patternProperties", "examples")
    + ("dependentRequired", "dependentSchemas", "dependencies")
)


def keyword_words(node: Mapping[str, Any]) -> list[str]:
    """A sentence for each keyword of a schema that no portable schema holds, whatever its value."""
    if node.keys().isdisjoint(_SPOKEN):
        return []
    words = [text.format(shown(node[key])) for key, text in _COUNTED.items() if key in node]
    words += [text.format(shown(node[key])) for key, text in _LIKE.items() if key in node]
    if node.get("uniqueItems") is True:
        words.append("No item twice.")
    if "if" in node:
        then = f", then {shown(node['then'])}" if "then" in node else ""
        otherwise = f", else {shown(node['else'])}" if "else" in node else ""
        words.append(f"If like {shown(node['if'])}{then}{otherwise}.")
    for key in ("dependentRequired", "dependentSchemas", "dependencies"):
        words += (_needed(name, wanted) for name, wanted in _entries(node.get(key)))
    for pattern, wanted in _entries(node.get("patternProperties")):
        words.append(f"Names that match {shown(pattern)}: {shown(wanted)}.")
    if examples := node.get("examples"):
        listed = cast("list[object]", examples) if isinstance(examples, list) else [examples]
        words.append(f"For example {', '.join(map(shown, listed[:3]))}.")
    return words


def choice_words(choices: Iterable[Iterable[str]], *, exactly_one: bool) -> str:
    """The sentence for a choice between lists of required properties."""
    first = itertools.islice(choices, _MOST_LISTED)
    listed = "; ".join(named(choice) for choice in first)
    return f"Give {'exactly' if exactly_one else 'at least'} one of these: {listed}."


def named(names: Iterable[str]) -> str:
    """Names in a row, the last after "and"."""
    first = [well_formed(name)[:_SHOWN_CHARS] for name in itertools.islice(names, _MOST_LISTED)]
    return " and ".join([", ".join(first[:-1]), first[-1]]) if len(first) > 1 else "".join(first)


def joined_words(*texts: object) -> str:
    """The texts behind each other, each once, what is no text left out."""
    said = dict.fromkeys(well_formed(text).strip() for text in texts if isinstance(text, str))
    return " ".join(text for text in said if text)


def limited(words: Iterable[str]) -> list[str]:
    """Sentences up to a length that no description should go beyond."""
    kept: list[str] = []
    room = _MOST_WORDS
    for word in dict.fromkeys(words):
        room -= len(word)
        if room < 0:
            break
        kept.append(word)
    return kept


def well_formed(text: str) -> str:
    """The text, each half of a character in it replaced."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def shown(value: object) -> str:
    """The beginning of a value as JSON, in time that does not depend on its size."""
    text = ""
    for piece in _pieces(value, 0):
        text += piece
        if len(text) > _SHOWN_CHARS:
            return text[:_SHOWN_CHARS] + "…"
    return text


def plain(value: object) -> Any:
    """A copy of a JSON value. Raises ``ValueError`` for one that JSON cannot hold, or that is too large to be told."""
    nodes = itertools.count()

    def copied(one: object, depth: int) -> object:
        if depth > _PLAIN_DEPTH or next(nodes) > _PLAIN_NODES:
            raise ValueError("too large")
        if isinstance(one, str):
            return well_formed(one)
        if one is None or (isinstance(one, int) and abs(one) < _LARGEST):
            return one
        if isinstance(one, float) and math.isfinite(one):
            return one
        if isinstance(one, list):
            return [copied(item, depth + 1) for item in cast("list[object]", one)]
        if isinstance(one, dict):
            entries = cast("dict[object, object]", one).items()
            return {well_formed(str(key)): copied(item, depth + 1) for key, item in entries}
        raise ValueError("no JSON")

    return copied(value, 0)


def _pieces(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, dict | list) and depth >= _SHOWN_DEPTH:
        yield "…"
    elif isinstance(value, dict):
        for place, (key, item) in enumerate(cast("dict[object, object]", value).items()):
            yield f"{', ' if place else '{'}{_scalar(key)}: "
            yield from _pieces(item, depth + 1)
        yield "}" if value else "{}"
    elif isinstance(value, list):
        for place, item in enumerate(cast("list[object]", value)):
            yield ", " if place else "["
            yield from _pieces(item, depth + 1)
        yield "]" if value else "[]"
    else:
        yield _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(well_formed(value[: _SHOWN_CHARS + 1]), ensure_ascii=False)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LARGEST:
        return "a huge number"
    return json.dumps(value) if value is None or isinstance(value, bool | int | float) else "…"


def _entries(value: object) -> list[tuple[object, object]]:
    entries = cast("dict[object, object]", value).items() if isinstance(value, dict) else ()
    return list(itertools.islice(entries, _MOST_LISTED))


def _needed(name: object, wanted: object) -> str:
    if isinstance(wanted, list):
        return f"With {shown(name)} give {named(map(str, cast('list[object]', wanted)))} too."
    return f"With {shown(name)} also {shown(wanted)}."
