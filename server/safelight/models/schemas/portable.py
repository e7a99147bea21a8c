"""A tool's input schema in the form that every cloud model and AI server accepts.

The root is an object with ``properties`` and without a choice. A part is an object, a list with ``items``, a string, a
number, a boolean, null, an ``anyOf`` of such, or ``{}`` for anything at all, with ``description`` and ``default`` where
it has them. What cannot stand there any more is a sentence in the description: no service refuses a sentence, and every
model reads it.
"""

from __future__ import annotations

import json
from typing import Any, Final, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.joined import Node, Part, Source
from safelight.models.schemas.members import members
from safelight.models.schemas.shape import Found, Shape, choices_of, either, together, unions_of
from safelight.models.schemas.told import bounds, enumerated, implied_types, lengths, texts, types
from safelight.models.schemas.words import choice_words, joined_words, keyword_words, limited, plain, shown, well_formed

__all__ = ("portable_tool_schema",)

_LEVELS: Final = 10
"""Of schemas in schemas, the root and the branches of unions counted."""

_MOST_CHARS: Final = 1_999
_MOST_ITEMS: Final = 200

_PUSHED: Final = frozenset(
    ("type", "enum", "const", "properties", "required", "additionalProperties", "items", "prefixItems")
    + ("minItems", "maxItems", "minLength", "maxLength", "pattern", "format")
    + ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
)
"""What stands beside a union and is told again in each of its branches."""

_CUT: Final = "Its parts are nested too deeply to be told here."


def portable_tool_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema for a tool's arguments as OpenAI, Anthropic, Gemini, Ollama and llama.cpp's servers take it.

    References are inlined, at most ten levels deep; the root has no choice: the properties of its alternatives are
    united, and required is what each of them requires. What was dropped is said in the descriptions, that of the root
    for all the arguments. Idempotent; the input is neither changed nor shared; the time is linear in its size. It
    tells a model what to send: what it sent is still to be validated with the tool's own schema. Raises
    ``SchemaNotSupported`` for what is no object or what nothing can satisfy.
    """
    if not isinstance(schema, dict):  # pyright: ignore[reportUnnecessaryIsInstance]  # from outside
        raise SchemaNotSupported("its input schema is no object", "")
    return _Portable(schema).root()


class _Portable:
    def __init__(self, schema: Node) -> None:
        self._schema = schema
        self._source = Source(schema)

    def root(self) -> Node:
        words: list[str] = []
        shape = self._shape(Part(self._schema), words, 0)
        if shape is None:
            raise SchemaNotSupported("no value can satisfy this", "")
        if shape.types is not None and "object" not in shape.types:
            raise SchemaNotSupported("its arguments are no object", "/type")
        found = self._object_of(shape, 1)
        if found is None:
            raise SchemaNotSupported("no value can satisfy a property that is required", "/properties")
        found.setdefault("properties", {})
        return _headed(found, _described(shape.nodes), shape.nodes, words)

    # --- the root: alternatives united --------------------------------------------------------------------------

    def _shape(self, part: Part, words: list[str], depth: int) -> Shape | None:
        """An object's properties with those of its alternatives; None where nothing satisfies it."""
        parts = self._source.parts([part])
        if parts is None:
            return None
        nodes = [node for node, _ in parts.found]
        words += parts.words
        self._said(nodes, words)
        if (values := enumerated(nodes)) is not None:
            words.append(f"One of {', '.join(map(shown, values[:3]))}.")
        shape = Shape.of(parts.found, types(nodes, words))
        for branches, exactly_one in unions_of(parts.found):
            if depth >= _LEVELS:
                words.append(_CUT)
                continue
            found: list[Shape] = []
            inner: list[str] = []
            for branch in branches:
                one = self._shape(branch, inner, depth + 1)
                if one is not None and (one.types is None or "object" in one.types):
                    found.append(one)
            if not found:
                return None
            words += [*inner, *either(found, exactly_one=exactly_one)]
            shape = together(shape, found)
        return shape

    # --- parts --------------------------------------------------------------------------------------------------

    def _part(self, wanted: list[Part], level: int) -> Node | None:
        """What holds where all of ``wanted`` hold, in portable form; None where nothing can."""
        parts = self._source.parts(wanted)
        if parts is None:
            return None
        nodes = [node for node, _ in parts.found]
        words = list(parts.words)
        self._said(nodes, words)
        unions = unions_of(parts.found)
        if not unions:
            found = self._typed(parts.found, level, words)
        elif level >= _LEVELS:
            found = {}
            words.append(_CUT)
        else:
            words += [f"Besides, one of {shown([branch.node for branch in more])}." for more, _ in unions[1:]]
            found = self._any_of_branches(parts.found, unions[0].branches, level)
        if found is None:
            return None
        return _headed(found, _described(nodes) or _titled(nodes), nodes, words)

    def _any_of_branches(self, found: Found, branches: list[Part], level: int) -> Node | None:
        alternatives: list[Node] = []
        for branch in branches:
            one = self._part([*self._source.push(found, _PUSHED), branch], level + 1)
            if one is not None:
                alternatives.append(one)
        return _any_of(alternatives)

    def _said(self, nodes: list[Node], words: list[str]) -> None:
        """What goes into words whatever the type."""
        for node in nodes:
            words += keyword_words(node)
            words += [choice_words(choices, exactly_one=one) for choices, one in choices_of(node)]

    def _typed(self, found: Found, level: int, words: list[str]) -> Node | None:
        nodes = [node for node, _ in found]
        kinds = types(nodes, words)
        values = enumerated(nodes)
        if kinds == []:
            return None
        if values is not None:
            alternatives = members(values, kinds, words)
        elif (kinds := kinds or implied_types(nodes)) is None:
            return {}
        else:
            inner = level + (len(kinds) > 1)
            alternatives = [one for kind in kinds if (one := self._kind(kind, found, inner, words)) is not None]
        if level + (len(alternatives) > 1) > _LEVELS or (
            level == _LEVELS and any("items" in one for one in alternatives)
        ):
            words.append(f"Of type {' or '.join(str(one.get('type')) for one in alternatives)}.")
            return {}
        return _any_of(alternatives)

    def _kind(self, kind: str, found: Found, level: int, words: list[str]) -> Node | None:
        nodes = [node for node, _ in found]
        if kind == "object":
            return self._object(found, level, words)
        if kind == "array":
            return self._array(found, level, words)
        said: Node | None = {}
        if kind == "string":
            said = lengths(nodes, "Length", _MOST_CHARS, words)
            if said is not None:
                said |= texts(nodes, words)
        elif kind in ("integer", "number"):
            said = bounds(nodes, words, whole=kind == "integer")
        return None if said is None else {"type": kind, **said}

    def _object(self, found: Found, level: int, words: list[str]) -> Node | None:
        shape = Shape.of(found, None)
        if level >= _LEVELS:
            if shape.properties or shape.rest:
                words.append(_CUT)
            return {"type": "object"}
        return self._object_of(shape, level)

    def _object_of(self, shape: Shape, level: int) -> Node | None:
        properties: Node = {}
        for name, alternatives in shape.properties.items():
            value = self._either(alternatives, level + 1)
            if value is not None and well_formed(name) == name:
                properties[name] = value
            elif name in shape.required:
                return None
        for name in shape.required:
            if well_formed(name) != name:
                return None
            properties.setdefault(name, {})
        out: Node = {"type": "object"}
        if properties:
            out["properties"] = properties
        if shape.required:
            out["required"] = list(shape.required)
        rest = self._part(shape.rest, level + 1) if shape.rest and not shape.closed else None
        if shape.closed:
            out["additionalProperties"] = False
        elif rest:
            out["additionalProperties"] = rest
        return out

    def _either(self, alternatives: list[list[Part]], level: int) -> Node | None:
        if len(alternatives) == 1:
            return self._part(alternatives[0], level)
        found = [self._part(one, level + 1) for one in alternatives]
        return _any_of([one for one in found if one is not None])

    def _array(self, found: Found, level: int, words: list[str]) -> Node | None:
        if level >= _LEVELS:
            words.append("A list. " + _CUT)
            return {}
        nodes = [node for node, _ in found]
        counts = lengths(nodes, "Items", _MOST_ITEMS, words)
        if counts is None:
            return None
        prefix, rest = _items(found)
        if prefix:
            words.append(f"The items in their order: {shown([part.node for part in prefix])}.")
        items, more = self._items(prefix, rest, level)
        if not more:
            counts["maxItems"] = min(counts.get("maxItems", len(prefix)), len(prefix))
            if counts.get("minItems", 0) > counts["maxItems"]:
                return None
        return {"type": "array", "items": items or {}, **counts}

    def _items(self, prefix: list[Part], rest: list[Part], level: int) -> tuple[Node | None, bool]:
        """What an item may be, and whether there may be more of them than ``prefix`` tells."""
        if not prefix:
            items = self._part(rest, level + 1)
            return items, items is not None
        if level + 2 > _LEVELS:
            return None, True
        found = [self._part([part], level + 2) for part in prefix]
        more = self._part(rest, level + 2)
        return _any_of([one for one in (*found, more) if one]), more is not None


def _items(found: Found) -> tuple[list[Part], list[Part]]:
    """The items that have a place of their own, and what holds for the others."""
    prefix: list[Part] = []
    rest: list[Part] = []
    for node, led_by in found:
        first, further = node.get("prefixItems"), node.get("items")
        if isinstance(further, list):  # as drafts before 2020-12 have it
            first, further = cast("list[object]", further), node.get("additionalItems")
        if isinstance(first, list) and not prefix:
            prefix = [Part(one, led_by) for one in cast("list[object]", first)]
        if isinstance(further, dict | bool):
            rest.append(Part(cast("object", further), led_by))
        if node.get("unevaluatedItems") is False:
            rest.append(Part(False, led_by))
    return prefix, rest


def _any_of(found: list[Node]) -> Node | None:
    """One of these: without doubles, a union in a union opened; None when there is none."""
    if len(found) == 1:
        return found[0]
    branches: list[Node] = []
    for one in found:
        branches += one["anyOf"] if one.keys() == {"anyOf"} else [one]
    unique = {json.dumps(one): one for one in _enums_joined(branches)}
    if len(unique) < 2:
        return next(iter(unique.values()), None)
    return {"anyOf": list(unique.values())}


def _enums_joined(branches: list[Node]) -> list[Node]:
    """Branches that merely list values of one type, as one."""
    out: list[Node] = []
    listed: dict[str, dict[Any, None]] = {}
    for branch in branches:
        if branch.keys() != {"type", "enum"}:
            out.append(branch)
            continue
        if branch["type"] not in listed:
            out.append({"type": branch["type"], "enum": []})
        listed.setdefault(branch["type"], {}).update(dict.fromkeys(branch["enum"]))
    return [{**one, "enum": list(listed[one["type"]])} if one.get("enum") == [] else one for one in out]


def _described(nodes: list[Node]) -> str:
    return joined_words(*(node.get("description") for node in nodes))


def _titled(nodes: list[Node]) -> str:
    return next(filter(None, (joined_words(node.get("title")) for node in nodes)), "")


def _headed(found: Node, described: str, nodes: list[Node], words: list[str]) -> Node:
    """The schema with its description, the sentences in it, and its default."""
    out: Node = {"type": found["type"]} if "type" in found else {}
    if description := joined_words(described, found.get("description"), *limited(words)):
        out["description"] = description
    for node in nodes:
        if "default" in node:
            try:
                out["default"] = plain(node["default"])
            except ValueError:
                continue
            break
    out.update((key, value) for key, value in found.items() if key not in out)
    return out
