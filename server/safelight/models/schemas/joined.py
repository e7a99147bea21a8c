"""A schema's references and ``allOf`` followed, without changing a word of it: the parts that hold in one place."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias, cast
from urllib.parse import unquote

from safelight.models.schemas.words import shown

__all__ = ("Node", "Part", "Parts", "Source")

Node: TypeAlias = dict[str, Any]

_REVISITS: Final = 5_000
"""Parts that may be read a second time, for references and unions. The first reading of a schema is always free."""

_MOST_REFERENCES: Final = 40
"""One leading to the next."""

_NOWHERE: Final = object()


class Part(NamedTuple):
    """A schema of the source, with the references that led to it. ``pushed`` marks a copy whose reading is paid."""

    node: object
    led_by: tuple[str, ...] = ()
    pushed: bool = False


class Parts(NamedTuple):
    """Schemas that all hold in one place, without the references and ``allOf`` that named them; ``words`` says what
    could not be followed."""

    found: list[tuple[Node, tuple[str, ...]]]
    words: list[str]


class Source:
    """A schema, read in time that is linear in its size however often its parts are referred to."""

    def __init__(self, document: object) -> None:
        self._document = document
        self._seen: set[int] = set()
        self._left = _REVISITS
        self._anchors = _anchors(document)

    def parts(self, wanted: list[Part]) -> Parts | None:
        """What holds where all of ``wanted`` hold; None where nothing can."""
        out = Parts([], [])
        waiting = list(reversed(wanted))
        while waiting:
            part = waiting.pop()
            if part.node is False:
                return None
            if not isinstance(part.node, dict):
                continue
            node = cast("Node", part.node)
            if node.get("not") is True or node.get("not") == {}:
                return None
            if not part.pushed and not self._may_read(node):
                out.words.append("The rest is too large to be told here.")
                out.found.append((_outline(node), part.led_by))
                continue
            out.found.append((node, part.led_by))
            following = self._referred(part, node, out)
            all_of = node.get("allOf")
            if isinstance(all_of, list):
                following += [Part(one, part.led_by) for one in cast("list[object]", all_of)]
            waiting += reversed(following)
        return out

    def push(self, found: list[tuple[Node, tuple[str, ...]]], keywords: frozenset[str]) -> list[Part]:
        """These keywords of the parts once more, to hold in a branch of a union too. None when it would be too much."""
        self._left -= sum(_cost(node) for node, _ in found)
        if self._left < 0:
            return []
        return [
            Part({key: value for key, value in node.items() if key in keywords}, led_by, pushed=True)
            for node, led_by in found
        ]

    def _may_read(self, node: Node) -> bool:
        if id(node) not in self._seen:
            self._seen.add(id(node))
            return True
        self._left -= _cost(node)
        return self._left >= 0

    def _referred(self, part: Part, node: Node, out: Parts) -> list[Part]:
        reference = next((node[key] for key in ("$ref", "$dynamicRef", "$recursiveRef") if key in node), None)
        if not isinstance(reference, str):
            return []
        target = self._target(reference)
        if target is _NOWHERE:
            out.words.append(f"Its form {shown(reference)} is not given here.")
            return []
        if reference in part.led_by or len(part.led_by) >= _MOST_REFERENCES:
            out.words.append(f"Again in the form of {shown(reference.rpartition('/')[2])}.")
            outline = _outline(cast("Node", target)) if isinstance(target, dict) else {}
            return [Part(outline, part.led_by, pushed=True)]
        return [Part(target, (*part.led_by, reference))]

    def _target(self, reference: str) -> object:
        if reference == "#" or reference.startswith("#/"):
            return _found(self._document, reference)
        return self._anchors.get(reference, _NOWHERE)


def _cost(node: Node) -> int:
    return 1 + sum(len(cast("list[object]", value)) for value in node.values() if isinstance(value, list | dict))


def _outline(node: Node) -> Node:
    """What a schema says of itself before it comes to its parts."""
    told = {key: node[key] for key in ("type", "description") if key in node}
    return {"type": "object", **told} if "properties" in node else told


def _found(document: object, reference: str) -> object:
    node: object = document
    for raw in unquote(reference[1:]).split("/")[1:]:
        step = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict) and step in node:
            node = cast("Node", node)[step]
        elif isinstance(node, list) and step.isdecimal() and int(step[:9]) < len(cast("list[object]", node)):
            node = cast("list[object]", node)[int(step[:9])]
        else:
            return _NOWHERE
    return cast("object", node) if isinstance(node, dict | bool) else _NOWHERE


def _anchors(document: object) -> dict[str, object]:
    """The definitions that call themselves by a name."""
    root = cast("Node", document) if isinstance(document, dict) else {}
    anchors: dict[str, object] = {}
    for group in ("$defs", "definitions"):
        held = root.get(group)
        for node in cast("Node", held).values() if isinstance(held, dict) else ():
            said = cast("Node", node) if isinstance(node, dict) else {}
            for name in (said.get("$anchor"), said.get("$dynamicAnchor")):
                if isinstance(name, str):
                    anchors.setdefault(f"#{name}", said)
    return anchors
