"""What one alternative of a schema says of a value, with nothing left to choose; and two of them held at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from safelight.models.schemas.literal import key_of, match, multiple

__all__ = (
    "ANY",
    "TYPES",
    "Facts",
    "Layer",
    "Part",
    "Parts",
    "Row",
    "admits",
    "both",
    "common_types",
    "unevaluated",
    "within",
)

TYPES: Final = ("string", "integer", "number", "boolean", "null", "array", "object")
_EVERY: Final = ("object", "array", "string", "number", "boolean", "null")

Sense: TypeAlias = Literal["holds", "fails", "surely fails"]
Bound: TypeAlias = tuple[float, bool]
"""A number, and whether the number itself is outside."""


class Part(NamedTuple):
    """A place of the original, and whether a value has to satisfy it. ``surely fails`` also leaves out what cannot be
    told, where ``fails`` lets it pass (see ``complement``)."""

    node: object
    pointer: str
    sense: Sense = "holds"


Parts: TypeAlias = tuple[Part, ...]


class Layer(msgspec.Struct, frozen=True):
    """What one schema says of an object's properties; a value has to suit every layer."""

    properties: Mapping[str, Parts] = {}
    patterns: tuple[tuple[str, Parts], ...] = ()
    rest: Parts = ()
    says_rest: bool = False
    evaluates: bool = True

    def of(self, name: str) -> Parts:
        """What the property ``name`` has to satisfy."""
        own = self.properties.get(name)
        if not self.patterns:
            return self.rest if own is None else own
        found, listed = own or (), own is not None
        for pattern, parts in self.patterns:
            told = match(pattern, name)
            if told is not False:  # where a pattern cannot be tried, its schema holds, and so does the rest's
                found = (*found, *parts)
            listed = listed or told is True
        return found if listed else (*found, *self.rest)


class Row(msgspec.Struct, frozen=True):
    """What one schema says of a list's items."""

    prefix: tuple[Parts, ...] = ()
    rest: Parts = ()
    says_rest: bool = False
    evaluates: bool = True

    def at(self, index: int) -> Parts:
        """What the item at ``index`` has to satisfy."""
        return self.prefix[index] if index < len(self.prefix) else self.rest


class Facts(msgspec.Struct, frozen=True):
    """Where ``members`` stand, they are scalars that satisfy all the rest, and the rest says nothing."""

    types: tuple[str, ...] | None = None
    members: Mapping[Any, object] | None = None
    excluded: tuple[object, ...] = ()
    firm: bool = False
    least_chars: int = 0
    most_chars: int | None = None
    low: Bound | None = None
    high: Bound | None = None
    steps: tuple[float, ...] = ()
    patterns: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    required: tuple[str, ...] = ()
    absent: frozenset[str] = frozenset()
    least_keys: int = 0
    most_keys: int | None = None
    names: Parts = ()
    rows: tuple[Row, ...] = ()
    least_items: int = 0
    most_items: int | None = None

    def kinds(self) -> tuple[str, ...] | None:
        """The types to write: those named, else those that the keywords speak of; None where nothing is said."""
        if self.types is not None:
            return self.types
        spoken = (
            (
                "object",
                self.layers
                or self.required
                or self.absent
                or self.least_keys
                or self.most_keys is not None
                or self.names,
            ),
            ("array", self.rows or self.least_items or self.most_items is not None),
            ("string", self.least_chars or self.most_chars is not None or self.patterns),
            ("number", self.low is not None or self.high is not None or self.steps),
        )
        found = tuple(kind for kind, said in spoken if said)
        return found or (_EVERY if self.excluded else None)

    def names_known(self) -> Iterator[str]:
        """The properties that can be named, in the order of the schema; some more than once."""
        for layer in self.layers:
            yield from layer.properties
        yield from self.required


ANY: Final = Facts()


def both(a: Facts, b: Facts) -> Facts | None:
    """What satisfies both, or None where that is plainly nothing."""
    if a is ANY or b is ANY:
        return b if a is ANY else a
    if a.members is not None or b.members is not None:
        return _both_members(a, b)
    types = common_types(a.types, b.types)
    required = tuple(dict.fromkeys((*a.required, *b.required)))
    absent = a.absent | b.absent
    if types == () or not absent.isdisjoint(required):
        return None
    return Facts(
        types=types,
        excluded=_joined(a.excluded, b.excluded),
        firm=a.firm or b.firm,
        least_chars=max(a.least_chars, b.least_chars),
        most_chars=_lower(a.most_chars, b.most_chars),
        low=_tighter(a.low, b.low, max),
        high=_tighter(a.high, b.high, min),
        steps=_joined(a.steps, b.steps),
        patterns=_joined(a.patterns, b.patterns),
        layers=_joined(a.layers, b.layers),
        required=required,
        absent=absent,
        least_keys=max(a.least_keys, b.least_keys),
        most_keys=_lower(a.most_keys, b.most_keys),
        names=_joined(a.names, b.names),
        rows=_joined(a.rows, b.rows),
        least_items=max(a.least_items, b.least_items),
        most_items=_lower(a.most_items, b.most_items),
    )


def _joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Each thing once: a definition that is referred to many times would multiply otherwise."""
    if not a or not b or a is b:
        return a or b
    return tuple({id(one): one for one in (*a, *b)}.values())


def unevaluated(facts: Facts) -> Facts:
    """The same, as ``not`` says it: what it speaks of does not count for ``unevaluatedProperties``."""
    if not facts.layers and not facts.rows:
        return facts
    layers = tuple(msgspec.structs.replace(layer, evaluates=False) for layer in facts.layers)
    rows = tuple(msgspec.structs.replace(row, evaluates=False) for row in facts.rows)
    return msgspec.structs.replace(facts, layers=layers, rows=rows)


def _both_members(a: Facts, b: Facts) -> Facts | None:
    if a.members is None or b.members is None:
        listed, other = (a.members, b) if a.members is not None else (b.members, a)
        found = {key: value for key, value in (listed or {}).items() if admits(other, value)}
    else:
        theirs = b.members
        found = {key: value for key, value in a.members.items() if key in theirs}
    return Facts(members=found) if found else None


def admits(facts: Facts, value: object) -> bool:
    """Whether a scalar satisfies ``facts``. A pattern that cannot be tried lets it pass."""
    if facts.members is not None:
        return key_of(value) in facts.members
    if facts.excluded and key_of(value) in map(key_of, facts.excluded):
        return False
    if facts.types is not None and not _has_type(value, facts.types):
        return False
    if isinstance(value, str):
        fits = facts.least_chars <= len(value) and (facts.most_chars is None or len(value) <= facts.most_chars)
        return fits and all(match(pattern, value) is not False for pattern in facts.patterns)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return within(value, facts.low, facts.high) and all(multiple(value, step) for step in facts.steps)
    return True


def within(value: float, low: Bound | None, high: Bound | None) -> bool:
    """Whether a number keeps its bounds."""
    above = low is None or value > low[0] or (value == low[0] and not low[1])
    return above and (high is None or value < high[0] or (value == high[0] and not high[1]))


def _has_type(value: object, types: tuple[str, ...]) -> bool:
    if value is None:
        return "null" in types
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, str):
        return "string" in types
    return "number" in types or ("integer" in types and isinstance(value, int))


def common_types(a: tuple[str, ...] | None, b: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """In the order in which the first schema lists them: the model sees the first alternatives first."""
    if a is None or b is None or a == b:
        return b if a is None else a

    def known(kind: str, types: Iterable[str]) -> bool:
        return kind in types or (kind == "integer" and "number" in types)

    found = [kind for kind in a if known(kind, b)]
    if "number" in a and "number" not in b and "integer" in b and "integer" not in a:
        found.insert(sum(kind in b for kind in a[: a.index("number")]), "integer")
    return tuple(found)


def _lower(a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


def _tighter(a: Bound | None, b: Bound | None, pick: Any) -> Bound | None:
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        return a[0], a[1] or b[1]
    return pick(a, b)
