"""The properties of an object, with those of its alternatives united."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from safelight.models.schemas.choice import is_choice
from safelight.models.schemas.joined import Node, Part
from safelight.models.schemas.words import joined_words, named, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ("Found", "Shape", "Union", "choices_of", "either", "together", "unions_of")

Found: TypeAlias = list[tuple[Node, tuple[str, ...]]]
"""Schemas that hold in one place, each with the references that led to it."""

_MOST_TOGETHER: Final = 16
"""Alternatives of one property."""

_MOST_FORMS: Final = 10


class Union(NamedTuple):
    """An ``anyOf`` or ``oneOf``."""

    branches: list[Part]
    exactly_one: bool


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What an object may hold. A property has one or more alternatives, each of them schemas that hold together."""

    nodes: list[Node] = field(default_factory=list[Node])
    types: list[str] | None = None
    properties: dict[str, list[list[Part]]]
    required: dict[str, None]
    everywhere: frozenset[str]
    """Names that all alternatives list."""
    closed: bool
    rest: list[Part] = field(default_factory=list[Part])
    """What holds for further properties."""

    @classmethod
    def of(cls, found: Found, types: list[str] | None) -> Shape:
        """The shape that schemas give together, their unions left out."""
        properties: dict[str, list[list[Part]]] = {}
        required: dict[str, None] = {}
        rest: list[Part] = []
        closed = False
        for node, led_by in found:
            listed = node.get("properties")
            for name, value in cast("dict[object, object]", listed).items() if isinstance(listed, dict) else ():
                if isinstance(name, str):
                    properties.setdefault(name, [[]])[0].append(Part(value, led_by))
            required |= dict.fromkeys(names_of(node.get("required")))
            further = node.get("additionalProperties")
            if isinstance(further, dict):
                rest.append(Part(cast("Node", further), led_by))
            shut = further is False or node.get("unevaluatedProperties") is False
            closed = closed or (shut and not node.get("patternProperties"))
        nodes = [node for node, _ in found]
        return cls(
            nodes=nodes,
            types=types,
            properties=properties,
            required=required,
            everywhere=frozenset(properties),
            closed=closed,
            rest=rest,
        )


def names_of(value: object) -> list[str]:
    """The names in a list of names."""
    listed = cast("list[object]", value) if isinstance(value, list) else []
    return [name for name in listed if isinstance(name, str)]


def unions_of(found: Found) -> list[Union]:
    """The unions beside the schemas, but for mere choices of required properties."""
    unions: list[Union] = []
    for node, led_by in found:
        for key in ("anyOf", "oneOf"):
            branches = node.get(key)
            if isinstance(branches, list) and branches and not is_choice(cast("object", branches)):
                parts = [Part(branch, led_by) for branch in cast("list[object]", branches)]
                unions.append(Union(parts, key == "oneOf"))
    return unions


def choices_of(node: Node) -> list[tuple[list[list[str]], bool]]:
    """The choices of required properties in a schema, each with whether exactly one is to be made."""
    found: list[tuple[list[list[str]], bool]] = []
    for key in ("anyOf", "oneOf"):
        branches = node.get(key)
        if is_choice(branches):
            choices = [names_of(branch["required"]) for branch in cast("list[Node]", branches)]
            found.append((choices, key == "oneOf"))
    return found


def together(base: Shape, found: Sequence[Shape]) -> Shape:
    """What holds where ``base`` holds and one of ``found``: their properties united, required what each requires."""
    united: dict[str, list[list[Part]]] = {}
    for shape in found:
        for name, alternatives in shape.properties.items():
            united.setdefault(name, []).extend(alternatives)
    everywhere = {name for name in found[0].everywhere if all(name in shape.everywhere for shape in found)}
    properties = dict(base.properties)
    for name, alternatives in united.items():
        mine = base.properties.get(name)
        if mine is None:
            properties[name] = alternatives
        elif name in everywhere and len(mine) * len(alternatives) <= _MOST_TOGETHER:
            properties[name] = [[*one, *other] for one in mine for other in alternatives]
    required = dict(base.required)
    for name in found[0].required:
        if all(name in shape.required for shape in found):
            required[name] = None
    return Shape(
        nodes=base.nodes,
        types=base.types,
        properties=properties,
        required=required,
        everywhere=base.everywhere | everywhere,
        closed=base.closed or all(shape.closed for shape in found),
        rest=base.rest,
    )


def either(found: Sequence[Shape], *, exactly_one: bool) -> list[str]:
    """The sentence that tells the alternatives apart; none where they differ in nothing that can be told."""
    forms = list(dict.fromkeys(_form(shape) for shape in found))
    if len(forms) < 2:
        return []
    listed = "; ".join(forms[:_MOST_FORMS])
    return [f"{'Exactly one' if exactly_one else 'One'} of these forms: {listed}."]


def _form(shape: Shape) -> str:
    needed = named(_with_value(name, shape.properties.get(name, [])) for name in shape.required)
    free = named(name for name in shape.properties if name not in shape.required)
    form = ", and ".join(filter(None, (needed, f"if you want {free}" if free else ""))) or "nothing"
    told = [joined_words(node.get("description") or node.get("title")) for node in shape.nodes]
    return f"{form} ({' '.join(filter(None, told))})" if any(told) else form


def _with_value(name: str, alternatives: Iterable[Sequence[Part]]) -> str:
    values: list[object] = []
    for node in (part.node for parts in alternatives for part in parts):
        said = cast("Node", node) if isinstance(node, dict) else {}
        listed: object = [said["const"]] if "const" in said else said.get("enum")
        if isinstance(listed, list) and len(cast("list[object]", listed)) == 1:
            values += cast("list[object]", listed)
    return f"{name} = {' or '.join(map(shown, values))}" if values else name
