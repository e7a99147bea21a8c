"""Keywords that bring alternatives, or say more of the same value: each turns the alternatives so far into others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.assertions import listed
from safelight.models.schemas.exclusive import exactly_one
from safelight.models.schemas.facts import Facts, Layer, Part, Row, both
from safelight.models.schemas.limits import MAX_ALTERNATIVES
from safelight.models.schemas.literal import is_number
from safelight.models.schemas.references import step

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.models.schemas.read import Reader

__all__ = ("APPLICATORS", "APPLICATOR_OF")

Node: TypeAlias = dict[Any, Any]


def _reference(keyword: str) -> Callable[[Reader, Node, str, list[Facts]], list[Facts]]:
    def read(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
        target, at = reader.references.target(node, keyword, pointer)
        return reader.product(found, reader.alternatives(Part(target, at)), keyword, pointer)

    return read


def _all_of(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    lists = [found]
    lists.extend(
        reader.alternatives(Part(child, step(pointer, "allOf", i))) for i, child in enumerate(listed(node, "allOf"))
    )
    while len(lists) > 1:  # neighbours first, so that a thousand members do not grow one long list a thousand times
        pairs = zip(lists[::2], lists[1::2], strict=False)
        joined = [reader.product(left, right, "allOf", pointer) for left, right in pairs]
        lists = joined if len(lists) % 2 == 0 else [*joined, lists[-1]]
    return lists[0]


def _any_of(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    branches = listed(node, "anyOf")
    if not branches:
        return found
    read = [reader.alternatives(Part(child, step(pointer, "anyOf", i))) for i, child in enumerate(branches)]
    return reader.product(found, reader.union(apart_by_choice(branches, read), "anyOf", pointer), "anyOf", pointer)


def apart_by_choice(branches: list[object], read: list[list[Facts]]) -> list[list[Facts]]:
    """Branches that only require one property each, so that no two of them admit the same object."""
    names = [one[0].required[0] if len(one) == 1 and len(one[0].required) == 1 else None for one in read]
    bare = all(isinstance(branch, dict) and set(cast("Node", branch)) <= _CHOICE for branch in branches)
    if not bare or None in names or len(set(names)) < len(names):
        return read
    gone = [Facts(absent=frozenset(map(str, names[:i]))) for i in range(len(names))]
    return [[found for one in branch if (found := both(one, gone[i])) is not None] for i, branch in enumerate(read)]


_CHOICE: Final = {"required", "type", "title", "description", "$comment"}


def _one_of(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    parts = [Part(child, step(pointer, "oneOf", i)) for i, child in enumerate(listed(node, "oneOf"))]
    return exactly_one(reader, found, parts, pointer) if parts else found


def _not(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    if not isinstance(node["not"], dict | bool):
        return found
    part = Part(cast("object", node["not"]), step(pointer, "not"), "fails")
    return reader.product(found, reader.alternatives(part), "not", pointer)


def _condition(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    """Either ``if`` and ``then``, or not ``if`` and ``else``; or both ``then`` and ``else``, whatever ``if`` is."""
    if not isinstance(node.get("if"), dict | bool) or not ("then" in node or "else" in node):
        return found
    condition: object = node["if"]

    def read(keyword: str) -> list[Facts]:
        child = node.get(keyword, True)
        return reader.alternatives(Part(child if isinstance(child, dict | bool) else True, step(pointer, keyword)))

    then, other = read("then"), read("else")
    at = step(pointer, "if")
    branches = [reader.product(reader.alternatives(Part(condition, at, "surely fails")), other, "else", pointer)]
    if exact(condition):
        branches.insert(0, reader.product(reader.alternatives(Part(condition, at)), then, "then", pointer))
    branches.append(reader.product(then, other, "then", pointer))
    return reader.product(found, reader.union(branches, "if", pointer), "if", pointer)


_EXACT: Final = {
    *("type", "const", "enum", "required", "minLength", "maxLength", "minItems", "maxItems"),
    *("properties", "allOf", "anyOf", "title", "description", "$comment", "default", "examples"),
}


def exact(schema: object) -> bool:
    """Whether reading ``schema`` loses nothing, so that what it reads as satisfies it."""
    waiting, seen = [schema], set[int]()
    while waiting:
        node = waiting.pop()
        if isinstance(node, bool) or id(node) in seen:
            continue
        seen.add(id(node))
        if not isinstance(node, dict) or not set(cast("Node", node)) <= _EXACT:
            return False
        said = cast("Node", node)
        if isinstance(said.get("properties"), dict):
            waiting.extend(cast("Node", said["properties"]).values())
        waiting.extend((*listed(said, "allOf"), *listed(said, "anyOf")))
    return True


def _dependent(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    """For each name: without it, or with it and what depends on it."""
    for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        rules = node.get(keyword)
        if not isinstance(rules, dict):
            continue
        for name, rule in cast("dict[object, object]", rules).items():
            if not isinstance(name, str):
                continue
            without = Facts(absent=frozenset((name,)))
            if isinstance(rule, list):
                names = [one for one in cast("list[object]", rule) if isinstance(one, str)]
                held = [Facts(types=("object",), required=tuple(dict.fromkeys((name, *names))))]
            elif isinstance(rule, dict | bool):
                present = [Facts(types=("object",), required=(name,))]
                part = Part(cast("object", rule), step(pointer, keyword, name))
                held = reader.product(present, reader.alternatives(part), keyword, pointer)
            else:
                continue
            if len(found) > MAX_ALTERNATIVES:
                raise SchemaNotSupported(
                    f"{keyword} makes more than {MAX_ALTERNATIVES} alternatives in one place", step(pointer, keyword)
                )
            found = _present_or_not(reader, found, name, without, held, keyword, pointer)
    return found


def _present_or_not(
    reader: Reader, found: list[Facts], name: str, without: Facts, held: list[Facts], keyword: str, pointer: str
) -> list[Facts]:
    asked = [facts for facts in found if name in facts.required]
    free = [facts for facts in found if name not in facts.required]
    return [
        *reader.product(asked, held, keyword, pointer),
        *reader.product(free, [*held, without], keyword, pointer),
    ]


def _contains(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    """Stricter than said: every item is one of those that have to be contained."""
    if not isinstance(node.get("contains"), dict | bool):
        return found
    least, most = _whole(node.get("minContains"), 1), _whole(node.get("maxContains"), None)
    part = Part(cast("object", node["contains"]), step(pointer, "contains"))
    if not least:
        return found if most is None else reader.product(found, [Facts(most_items=most)], "contains", pointer)
    rule = Facts(rows=(Row(rest=(part,), evaluates=False),), least_items=least or 0, most_items=most)
    return reader.product(found, [rule], "contains", pointer)


def _whole(value: object, default: int | None) -> int | None:
    return int(cast("float", value)) if is_number(value) and cast("float", value) >= 0 else default


def _property_names(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    rule = node["propertyNames"]
    if not isinstance(rule, dict | bool):
        return found
    part = Part(cast("object", rule), step(pointer, "propertyNames"))
    return reader.product(found, [Facts(names=(part,))], "propertyNames", pointer)


def _unevaluated(reader: Reader, node: Node, pointer: str, found: list[Facts]) -> list[Facts]:
    """What no schema of this place spoke of, alternative by alternative."""
    properties, items = node.get("unevaluatedProperties"), node.get("unevaluatedItems")
    out: list[Facts] = []
    for facts in found:
        more: Facts | None = facts
        told = [layer for layer in facts.layers if layer.evaluates]
        if isinstance(properties, dict | bool) and not any(layer.says_rest for layer in told):
            part = Part(cast("object", properties), step(pointer, "unevaluatedProperties"))
            names: dict[str, tuple[Part, ...]] = {name: () for layer in told for name in layer.properties}
            patterns = tuple((pattern, ()) for layer in told for pattern, _ in layer.patterns)
            more = both(facts, Facts(layers=(Layer(names, patterns, (part,), says_rest=True),)))
        rows = [row for row in facts.rows if row.evaluates]
        if more is not None and isinstance(items, dict | bool) and not any(row.says_rest for row in rows):
            part = Part(cast("object", items), step(pointer, "unevaluatedItems"))
            length = max((len(row.prefix) for row in rows), default=0)
            more = both(more, Facts(rows=(Row(((),) * length, (part,), says_rest=True),)))
        if more is not None:
            out.append(more)
    return out


APPLICATORS: Final[dict[str, Callable[[Reader, Node, str, list[Facts]], list[Facts]]]] = {
    "$ref": _reference("$ref"),
    "$dynamicRef": _reference("$dynamicRef"),
    "$recursiveRef": _reference("$recursiveRef"),
    "allOf": _all_of,
    "propertyNames": _property_names,
    "contains": _contains,
    "not": _not,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "if": _condition,
    "dependentRequired": _dependent,
    "unevaluatedProperties": _unevaluated,
}
APPLICATOR_OF: Final = {
    **{name: name for name in APPLICATORS},
    "dependentSchemas": "dependentRequired",
    "dependencies": "dependentRequired",
    "unevaluatedItems": "unevaluatedProperties",
}
