"""Names that every service takes for tools and arguments, and the way back to a tool's own."""

from __future__ import annotations

import hashlib
import itertools
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ("Names", "argument_names", "tool_names")

_MOST_CHARS: Final = 64
_LEGAL_TOOL: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}", re.ASCII)
_LEGAL_ARGUMENT: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}", re.ASCII)
_ILLEGAL: Final = re.compile(r"[^a-zA-Z0-9]+")
_DIGITS: Final = 6
"""Of the digest that makes a name unlike others."""


class Names(msgspec.Struct, frozen=True):
    """A bijection between a tool's own names and those that are sent."""

    sent: dict[str, str]
    """By own name."""
    own: dict[str, str]
    """By sent name."""

    def sent_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """An object's schema with its properties under the names that are sent. Shares with ``schema`` what stays."""
        out = dict(schema)
        if "properties" in schema:
            out["properties"] = {self.sent.get(name, name): part for name, part in schema["properties"].items()}
        if "required" in schema:
            out["required"] = [self.sent.get(name, name) for name in schema["required"]]
        return out

    def own_arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call under the tool's own names. A name that was never sent stays: the tool's own schema
        judges it, but it never stands in the way of one that was sent."""
        read = {self.own[name]: value for name, value in arguments.items() if name in self.own}
        return {**{name: value for name, value in arguments.items() if name not in self.own}, **read}


def tool_names(names: Iterable[str]) -> Names:
    """Names for tools, ``[a-zA-Z0-9_-]{1,64}``. Legal ones stay; the others get a digest of their own name, so that
    they are the same in every list whose names do not force them apart, in whatever order."""
    return _names(names, _LEGAL_TOOL)


def argument_names(names: Iterable[str]) -> Names:
    """Names for the arguments of a tool, ``[a-zA-Z0-9_.-]{1,64}``, likewise."""
    return _names(names, _LEGAL_ARGUMENT)


def _names(names: Iterable[str], legal: re.Pattern[str]) -> Names:
    listed = list(dict.fromkeys(names))
    made = {name: name for name in listed if legal.fullmatch(name)}
    taken = set(made)
    for name in sorted(set(listed) - taken):
        made[name] = next(one for one in _candidates(name) if one not in taken)
        taken.add(made[name])
    sent = {name: made[name] for name in listed}
    return Names(sent, {one: name for name, one in sent.items()})


def _candidates(name: str) -> Iterator[str]:
    stem = _ILLEGAL.sub("_", name[:_MOST_CHARS]).strip("_")
    if not stem[:1].isalpha():  # Gemini wants a letter or a line first
        stem = f"_{stem}" if stem else ""
    for attempt in itertools.count():
        digest = hashlib.sha256(f"{attempt}:{name}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
        yield f"{stem[: _MOST_CHARS - _DIGITS - 1]}_{digest}"
