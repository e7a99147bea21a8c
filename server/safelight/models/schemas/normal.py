"""The grammar's normal form, which every grammar engine reads alike.

A schema in normal form is one of
``{"type": "boolean" | "null" | "number"}``, ``{"type": "integer", "minimum", "maximum"}``,
``{"type": "string", "minLength"?, "maxLength"}``, ``{"enum": [scalars]}``,
``{"type": "array", "items", "minItems"?, "maxItems"}``,
``{"type": "object", "properties", "required", "additionalProperties": false}`` and ``{"anyOf": [two or more]}``.

What each keyword becomes stands in ``keywords``. A recursive schema is written out at most three times inside itself
(see ``UNROLLINGS``); the place where it would begin again counts as one that nothing satisfies: an optional property
goes, a branch of a union goes, a list stays empty. Only where nothing is left then, the tool is set aside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.facts import Facts, Part, Parts
from safelight.models.schemas.limits import (
    ARGUMENT_CHARS,
    FREE_ITEMS,
    LIST_ITEMS,
    MAX_HEIGHT,
    MAX_LITERAL_CHARS,
    MAX_NODES,
    MAX_READS,
    UNROLLINGS,
)
from safelight.models.schemas.literal import key_of, writable
from safelight.models.schemas.read import Reader, Schema
from safelight.models.schemas.scalars import (
    boolean_form,
    crossed,
    integer_forms,
    is_whole,
    numbers_excluded,
    text_form,
)
from safelight.models.schemas.windows import windows

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("grammar_schema", "object_schema")

_OBJECT: Final = {"type": "object"}
_QUIET: Final = frozenset(
    (
        "type",
        "title",
        "description",
        "default",
        "examples",
        "example",
        "$comment",
        "deprecated",
        "readOnly",
        "writeOnly",
    )
)
_SINGLE: Final = {"boolean", "null", "number", "string"}
_MOST_LOOKED: Final = 20 * MAX_READS


def grammar_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema in normal form: references written out, objects closed, everything but a number's digits bounded.

    What it admits, the original accepts too, apart from what only the dropped keywords refuse (``keywords.DROPPED``).
    Idempotent; the input is neither changed nor shared; the order of properties stays. Raises ``SchemaNotSupported``
    with a reason that names the keyword, in bounded time, whatever the input.
    """
    return _written(schema, (Part(schema, ""),))


def object_schema(schema: object) -> dict[str, Any]:
    """Like ``grammar_schema``, of a tool's input schema, whose root may leave unsaid that it speaks of an object."""
    root = Part(schema, "")
    said = isinstance(schema, dict) and cast("Schema", cast("object", schema)).get("type") == "object"
    return _written(cast("object", schema), (root,) if said else (root, Part(_OBJECT, "")))


class _TooLarge(SchemaNotSupported):
    """A limit of the output; another unrolling may stay within it."""


def _written(document: object, parts: Parts) -> Schema:
    last = SchemaNotSupported("no value can satisfy this", "")
    for again, depth in UNROLLINGS:
        writer = _Writer(document, again, depth)
        try:
            found = writer.of(parts, 0)
            if found is not None:
                _check_height(found)
                return found
            raise SchemaNotSupported(*writer.reader.dead)
        except _TooLarge as refused:
            last = refused
            if not writer.recursive:
                break
    raise last


class _Writer:
    def __init__(self, document: object, again: int, deepest: int) -> None:
        self.reader = Reader(document)
        self.recursive = False
        self._again = again
        self._deepest = deepest
        self._active: set[tuple[tuple[int, str], ...]] = set()
        self._nodes = 0
        self._chars = 0
        self._looked = 0

    def of(self, parts: Parts, depth: int) -> Schema | None:
        """The normal form of what satisfies all ``parts``, or None when nothing does."""
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _TooLarge(f"larger than {MAX_NODES:,} parts once $ref, allOf and unions are written out", _at(parts))
        if len(parts) == 1 and (leaf := _leaf(parts[0])) is not None:
            return leaf
        key = tuple([(id(part.node), part.sense) for part in parts])
        again = key in self._active
        self.recursive = self.recursive or again
        if depth > self._deepest and not self.recursive:
            raise _TooLarge(f"properties and items are nested deeper than {self._deepest} levels", _at(parts))
        if depth > self._deepest or (again and not self._again):
            self.reader.dead = ("the $ref leads back to itself, and nothing but itself satisfies it", _at(parts))
            return None
        self._again -= again
        self._active.add(key)
        found = [one for flat in self._all(parts) for one in self._flat(flat, _at(parts), depth)]
        self._again += again
        if not again:
            self._active.discard(key)
        return _any_of(found)

    def _all(self, parts: Parts) -> list[Facts]:
        if not parts:
            return [Facts()]
        found = self.reader.alternatives(parts[0])
        for part in parts[1:]:
            found = self.reader.product(found, self.reader.alternatives(part), "allOf", part.pointer)
        return found

    def _flat(self, flat: Facts, pointer: str, depth: int) -> list[Schema]:
        if flat.members is not None:
            self._spell(sum(len(member) for member in flat.members.values() if isinstance(member, str)), pointer)
            return [{"enum": list(flat.members.values())}]
        kinds = flat.kinds()
        if kinds is None:
            return [_free_value()]
        return [one for kind in kinds for one in self._typed(kind, flat, pointer, depth)]

    def _typed(self, kind: str, flat: Facts, pointer: str, depth: int) -> list[Schema]:
        if kind == "object":
            return self._objects(flat, pointer, depth)
        if kind == "array":
            found = self._array(flat, pointer, depth)
        elif kind == "string":
            found = text_form(flat)
        elif kind == "integer" or any(map(is_whole, flat.steps)):
            return self._said(integer_forms(flat), "minimum, maximum or multipleOf", pointer)
        elif kind == "number":
            found = None if crossed(flat) or (flat.firm and numbers_excluded(flat)) else {"type": "number"}
        elif kind == "boolean":
            found = boolean_form(flat)
        else:
            found = None if any(value is None for value in flat.excluded) else {"type": "null"}
        return self._said([] if found is None else [found], _SPEAKING[kind], pointer)

    def _said(self, found: list[Schema], keywords: str, pointer: str) -> list[Schema]:
        if not found and keywords:
            self.reader.dead = (f"{keywords} allows nothing that can be written", pointer)
        return found

    def _objects(self, flat: Facts, pointer: str, depth: int) -> list[Schema]:
        layers = flat.layers
        required = frozenset(flat.required)
        names = dict.fromkeys(flat.names_known())
        if flat.names:
            names.update(dict.fromkeys(self._listed_names(flat)))
        if flat.absent:
            names = dict.fromkeys(name for name in names if name not in flat.absent)
        properties: Schema = {}
        for name in names:
            value = self._property(flat, name, layers, depth)
            if value is not None:
                properties[name] = value
            elif name in required:
                return []
        self._spell(sum(map(len, properties)), pointer)
        found: list[Schema] = []
        for listed, needed in windows(properties, required, flat.least_keys, flat.most_keys):
            self._nodes += len(listed) if found else 0
            chosen = {name: properties[name] if not found else copied(properties[name]) for name in listed}
            kept = [name for name in chosen if name in needed]
            found.append({"type": "object", "properties": chosen, "required": kept, "additionalProperties": False})
        return self._said(found, "minProperties or maxProperties", pointer)

    def _property(self, flat: Facts, name: str, layers: tuple[Any, ...], depth: int) -> Schema | None:
        if len(layers) == 1 and not layers[0].patterns:
            parts = layers[0].of(name)
        else:
            self._looked += sum(1 + 5 * len(layer.patterns) for layer in layers)
            if self._looked > _MOST_LOOKED:
                raise SchemaNotSupported("allOf has too many members with properties", "")
            parts = _once(part for layer in layers for part in layer.of(name))
        if any(part.node is False and part.sense == "holds" for part in parts):
            self.reader.dead = ("the schema false allows nothing", _at(parts))
            return None
        if not writable(name):
            self.reader.dead = ("required or properties has a name that no engine can write", _at(parts))
            return None
        if flat.names and not all(self.reader.accepts(part, name) for part in flat.names):
            self.reader.dead = ("propertyNames refuses a required name, or cannot be tried", _at(flat.names))
            return None
        return self.of(parts, depth + 1)

    def _listed_names(self, flat: Facts) -> list[str]:
        """The names that ``propertyNames`` lists one by one."""
        found = self._all(flat.names)
        if any(facts.members is None for facts in found):
            return []
        return [name for facts in found for name in (facts.members or {}).values() if isinstance(name, str)]

    def _array(self, flat: Facts, pointer: str, depth: int) -> Schema | None:
        """A list whose items all satisfy what any position asks for, as long as there is such an item."""
        most = LIST_ITEMS if flat.most_items is None else min(flat.most_items, max(LIST_ITEMS, flat.least_items))
        if flat.least_items > most:
            return None
        fixed = max([len(row.prefix) for row in flat.rows], default=0)
        parts: dict[tuple[int, str], Part] = {}
        items: Schema | None = None
        for index in range(min(fixed + 1, most)):
            asked = {(id(part.node), part.sense): part for row in flat.rows for part in row.at(index)}
            if items is None or not asked.keys() <= parts.keys():
                parts.update(asked)
                tried = self.of(tuple(parts.values()), depth + 1)
                if tried is None:
                    most = index
                    break
                items = tried
        if flat.least_items > most:
            return None
        least: Schema = {"minItems": flat.least_items} if flat.least_items else {}
        return {"type": "array", "items": items if items and most else {"type": "null"}, **least, "maxItems": most}

    def _spell(self, chars: int, pointer: str) -> None:
        self._chars += chars
        if self._chars > MAX_LITERAL_CHARS:
            raise SchemaNotSupported(
                f"more than {MAX_LITERAL_CHARS:,} characters in the names and values of properties and enum", pointer
            )


_SPEAKING: Final = {
    "string": "minLength or maxLength",
    "array": "enum, items, prefixItems or minItems",
    "number": "minimum or maximum",
    "boolean": "not",
    "null": "not",
}


def _once(parts: Iterable[Part]) -> Parts:
    return tuple({(id(part.node), part.sense): part for part in parts}.values())


def _at(parts: Parts) -> str:
    return parts[0].pointer if parts else ""


def _leaf(part: Part) -> Schema | None:
    """The commonest places of all: a type, and nothing that matters beside it."""
    node = part.node
    if part.sense != "holds" or not isinstance(node, dict):
        return None
    said = cast("Schema", node)
    kind = said.get("type")
    if not isinstance(kind, str) or kind not in _SINGLE or not said.keys() <= _QUIET:
        return None
    return {"type": "string", "maxLength": ARGUMENT_CHARS} if kind == "string" else {"type": kind}


def _any_of(found: list[Schema]) -> Schema | None:
    """One schema out of several: unions opened, single values gathered, and what stands twice left out."""
    if len(found) < 2:
        return found[0] if found else None
    branches: list[Schema] = []
    values: Schema | None = None
    for one in found:
        for branch in one.get("anyOf", (one,)):
            if "enum" not in branch:
                if branch not in branches:
                    branches.append(branch)
            elif values is None:
                values = branch
                branches.append(branch)
            else:
                values["enum"] = list({key_of(value): value for value in (*values["enum"], *branch["enum"])}.values())
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _free_value() -> Schema:
    """Any scalar, or a short list of scalars: what can be written where a schema says nothing, and yet has an end."""
    scalars: list[Schema] = [
        {"type": "string", "maxLength": ARGUMENT_CHARS},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "null"},
    ]
    items = [dict(scalar) for scalar in scalars]
    return {"anyOf": [*scalars, {"type": "array", "items": {"anyOf": items}, "maxItems": FREE_ITEMS}]}


def copied(form: Schema) -> Schema:
    """A normal form anew, nothing shared."""
    out: Schema = dict(form)
    if "anyOf" in form:
        out["anyOf"] = [copied(branch) for branch in form["anyOf"]]
    elif "enum" in form or "required" in form:
        for key in ("enum", "required"):
            if key in form:
                out[key] = list(form[key])
    if "properties" in form:
        out["properties"] = {name: copied(node) for name, node in form["properties"].items()}
    if "items" in form:
        out["items"] = copied(form["items"])
    return out


def _check_height(form: Schema) -> None:
    level: list[object] = [form]
    for _ in range(MAX_HEIGHT):
        level = [
            child
            for node in level
            for child in (cast("Schema", node).values() if isinstance(node, dict) else cast("list[object]", node))
            if isinstance(child, dict | list) and child
        ]
        if not level:
            return
    raise _TooLarge(f"properties, items and anyOf are nested deeper than {MAX_HEIGHT} brackets", "")
