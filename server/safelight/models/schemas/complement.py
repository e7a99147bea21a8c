"""What fails a schema: for ``not``, ``oneOf`` and ``if``.

A value that comes out here fails the schema for certain, with one exception: under ``fails`` what no grammar can tell
(whether a text has a pattern, whether a free text is one of the excluded) passes; under ``surely fails`` it does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from safelight.models.schemas.assertions import ASSERTIONS, Read, constant, listed
from safelight.models.schemas.facts import ANY, Facts, Layer, Part, Row, Sense, both
from safelight.models.schemas.literal import as_literal
from safelight.models.schemas.references import step

if TYPE_CHECKING:
    from safelight.models.schemas.read import Reader

__all__ = ("failing",)

_EVERY = ("string", "number", "boolean", "null", "array", "object")


def failing(reader: Reader, node: dict[Any, Any], pointer: str, sense: Sense) -> list[Facts]:
    """The alternatives that fail ``node``, those first that leave something out."""
    if "$ref" in node:  # drafts 4 to 7 hear nothing beside it; what fails the $ref fails in every draft
        target, at = reader.references.target(node, "$ref", pointer)
        return reader.alternatives(Part(target, at, sense))
    said: Read = {}
    for keyword in node:
        rule = ASSERTIONS.get(keyword)
        if rule is not None and rule[1] not in said:
            rule[0](node, pointer, said)
    found = [*_own(node, said, sense), *_absent(node, said)]
    found.extend(_excluded(reader, said, pointer, sense))
    for layer in said.get("layers", ()):
        for name, parts in layer.properties.items():
            wrong = Layer({name: tuple(part._replace(sense=sense) for part in parts)}, evaluates=False)
            found.append(Facts(types=("object",), required=(name,), layers=(wrong,)))
    for row in said.get("rows", ()):
        first = row.at(0)
        if first:
            wrong = Row((tuple(part._replace(sense=sense) for part in first),), evaluates=False)
            found.append(Facts(types=("array",), least_items=1, rows=(wrong,)))
    found.extend(_applied(reader, node, pointer, sense))
    if not found:
        reader.dead = ("no value that fails this can be written", pointer)
    return found


def _own(node: dict[Any, Any], said: Read, sense: Sense) -> list[Facts]:
    found: list[Facts] = []
    if "types" in said:
        kinds: tuple[str, ...] = said["types"]
        # Where whole numbers satisfy the schema, nothing tells the engine that a number is none.
        left = tuple(kind for kind in _EVERY if kind not in kinds and not (kind == "number" and "integer" in kinds))
        if left:
            found.append(Facts(types=left))
    for least, most, kind in (
        ("least_chars", "most_chars", "string"),
        ("least_items", "most_items", "array"),
        ("least_keys", "most_keys", "object"),
    ):
        if said.get(least):
            found.append(Facts(types=(kind,), **{most: said[least] - 1}))
        if said.get(most) is not None:
            found.append(Facts(types=(kind,), **{least: said[most] + 1}))
    # A bound holds whole numbers alone, and so does its opposite.
    kind = "integer" if sense == "surely fails" else "number"
    if said.get("low") is not None:
        found.append(Facts(types=(kind,), high=(said["low"][0], not said["low"][1])))
    if said.get("high") is not None:
        found.append(Facts(types=(kind,), low=(said["high"][0], not said["high"][1])))
    if sense == "fails":
        if "pattern" in node or "format" in node:
            found.append(Facts(types=("string",)))
        if "steps" in said:
            found.append(Facts(types=("number",)))
        if node.get("uniqueItems") is True:
            found.append(Facts(types=("array",), least_items=2))
    return found


def _absent(node: dict[Any, Any], said: Read) -> list[Facts]:
    found = [_without(name) for name in said.get("required", ())]
    rules = node.get("dependentRequired", node.get("dependencies"))
    if isinstance(rules, dict):
        for name, rule in cast("dict[object, object]", rules).items():
            if isinstance(name, str) and isinstance(rule, list):
                for other in cast("list[object]", rule):
                    if isinstance(other, str) and other != name:
                        found.append(Facts(types=("object",), required=(name,), absent=frozenset((other,))))
    return found


def _without(name: str) -> Facts:
    return Facts(types=("object",), absent=frozenset((name,)))


def _excluded(reader: Reader, said: Read, pointer: str, sense: Sense) -> list[Facts]:
    if "members" not in said:
        return []
    scalars: list[object] = []
    found = [ANY]
    for member in said["members"]:
        if isinstance(member, dict | list):
            wrong = reader.alternatives(Part(constant(cast("object", member)), pointer, sense))
            # Of any other type, it is no member anyhow.
            found = reader.product(found, wrong, "enum", pointer)
        elif as_literal(member)[0]:
            scalars.append(as_literal(member)[1])
    if not scalars:
        return found
    rule = Facts(excluded=tuple(scalars), firm=sense == "surely fails")
    return [one for facts in found if (one := both(facts, rule)) is not None]


def _applied(reader: Reader, node: dict[Any, Any], pointer: str, sense: Sense) -> list[Facts]:
    found: list[Facts] = []

    def fails(child: object, *names: object) -> list[Facts]:
        return reader.alternatives(Part(child, step(pointer, *names), sense))

    for keyword in ("$dynamicRef", "$recursiveRef"):
        if keyword in node:
            target, at = reader.references.target(node, keyword, pointer)
            found.extend(reader.alternatives(Part(target, at, sense)))
    for i, child in enumerate(listed(node, "allOf")):
        found.extend(fails(child, "allOf", i))
    for keyword in ("anyOf", "oneOf"):
        branches = listed(node, keyword)
        none = [ANY] if branches else []
        for i, child in enumerate(branches):
            none = reader.product(none, fails(child, keyword, i), keyword, pointer)
        found.extend(none)
    # What satisfies the inner schema only as far as can be told does not surely fail its opposite.
    if isinstance(node.get("not"), dict | bool) and (sense == "fails" or reader.exact(cast("object", node["not"]))):
        found.extend(reader.alternatives(Part(cast("object", node["not"]), step(pointer, "not"))))
    if isinstance(node.get("contains"), dict | bool) and node.get("minContains", 1) == 1:
        wrong = Part(cast("object", node["contains"]), step(pointer, "contains"), sense)
        found.append(Facts(types=("array",), rows=(Row(rest=(wrong,), evaluates=False),)))
    return found
