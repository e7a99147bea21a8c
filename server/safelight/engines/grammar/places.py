"""Where in an answer its text has come to: which string is open, how long it is and how long it may be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("NO_LIMITS", "Limits", "OpenString", "Place", "beginning", "further")

Nodes: TypeAlias = tuple[dict[str, Any], ...]

_QUOTE: Final = ord('"')
_BACKSLASH: Final = ord("\\")
_BEFORE_SURROGATES: Final = 0xED


class Limits(NamedTuple):
    """How many characters a string may have; ``most`` is None where the grammar alone decides."""

    least: int
    most: int | None


NO_LIMITS: Final = Limits(0, None)


class OpenString(NamedTuple):
    """A string without its closing quote. ``key`` is what a property's name has so far, None in a value."""

    limits: Limits
    chars: int = 0
    escape: bool = False
    """The last byte was a backslash that begins an escape."""
    half: bool = False
    """The last byte may begin half of a surrogate pair."""
    key: bytes | None = None


class _Frame(NamedTuple):
    """An open object or list. ``nodes``: the schemas that it may still have."""

    outer: _Frame | None
    is_object: bool
    nodes: Nodes


class Place(NamedTuple):
    """Behind some text of an answer. ``nodes``: the schemas of the value that comes next or was the last."""

    frame: _Frame | None
    nodes: Nodes
    names_next: bool = False
    """The next string is a property's name."""
    string: OpenString | None = None

    @property
    def next_limits(self) -> Limits:
        """Those of a string that would open here."""
        return NO_LIMITS if self.names_next else _limits(self.nodes)


def beginning(schema: dict[str, Any]) -> Place:
    """Before the first byte of an answer. ``schema`` is in normal form."""
    return Place(None, _alternatives((schema,)))


def further(place: Place, text: bytes) -> Place:
    """Behind ``text`` too, which must be allowed there."""
    for byte in text:
        string = place.string
        if string is None:
            place = _outside(place, byte)
        elif string.escape:
            place = place._replace(string=_longer(string._replace(escape=False), byte, 0))
        elif byte == _QUOTE:
            place = _closed(place, string)
        elif byte == _BACKSLASH:
            place = place._replace(string=_longer(string, byte, 1)._replace(escape=True))
        else:
            place = place._replace(string=_longer(string, byte, byte & 0xC0 != 0x80))
    return place


def _longer(string: OpenString, byte: int, chars: int) -> OpenString:
    key = None if string.key is None else string.key + bytes((byte,))
    return string._replace(chars=string.chars + chars, half=byte == _BEFORE_SURROGATES, key=key)


def _outside(place: Place, byte: int) -> Place:
    frame = place.frame
    match chr(byte):
        case '"':
            return place._replace(string=OpenString(place.next_limits, key=b"" if place.names_next else None))
        case "{":
            return Place(_Frame(frame, True, _of_type(place.nodes, "object")), (), names_next=True)
        case "[":
            inner = _Frame(frame, False, _of_type(place.nodes, "array"))
            return Place(inner, _items(inner))
        case "}" | "]" if frame is not None:
            return Place(frame.outer, ())
        case "," if frame is not None:
            return Place(frame, () if frame.is_object else _items(frame), names_next=frame.is_object)
        case _:
            return place


def _closed(place: Place, string: OpenString) -> Place:
    frame = place.frame
    if string.key is None or frame is None:
        return place._replace(string=None)
    name = str(json.loads(b'"' + string.key + b'"'))
    having = tuple(node for node in frame.nodes if name in node["properties"])
    return Place(frame._replace(nodes=having), _alternatives(node["properties"][name] for node in having))


def _items(frame: _Frame) -> Nodes:
    return _alternatives(node["items"] for node in frame.nodes)


def _of_type(nodes: Nodes, wanted: str) -> Nodes:
    return tuple(node for node in nodes if node.get("type") == wanted)


def _alternatives(nodes: Iterable[dict[str, Any]]) -> Nodes:
    found: list[dict[str, Any]] = []
    for node in nodes:
        if "anyOf" in node:
            found += _alternatives(cast("list[dict[str, Any]]", node["anyOf"]))
        else:
            found.append(node)
    return tuple(found)


def _limits(nodes: Nodes) -> Limits:
    """What all strings have in common that may stand here; where they have nothing in common, what the first says."""
    strings = _of_type(nodes, "string")
    capped = [node for node in strings if "maxLength" in node]
    if not capped:
        return NO_LIMITS
    least = max(node.get("minLength", 0) for node in capped)
    most = min(node["maxLength"] for node in capped)
    if least > most:
        least, most = capped[0].get("minLength", 0), capped[0]["maxLength"]
    return Limits(least, most)
