"""``oneOf``: its branches, each with what would satisfy another one left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.facts import TYPES, Facts, Part, both, common_types
from safelight.models.schemas.limits import MAX_ALTERNATIVES, MAX_READS
from safelight.models.schemas.references import step

if TYPE_CHECKING:
    from safelight.models.schemas.read import Reader

__all__ = ("exactly_one",)

_DEEPEST: Final = 4


def exactly_one(reader: Reader, found: list[Facts], parts: list[Part], pointer: str) -> list[Facts]:
    """What satisfies ``found`` and exactly one of ``parts``."""
    branches = [reader.product(found, reader.alternatives(part), "oneOf", pointer) for part in parts]
    branches = _values_once(branches)
    if _told_by_constant(reader, branches):
        return reader.union(branches, "oneOf", pointer)
    mixed = [i for i, branch in enumerate(branches) if any(facts.members is None for facts in branch)]
    if len(mixed) > MAX_ALTERNATIVES or len(mixed) * len(parts) > MAX_READS:
        raise SchemaNotSupported(f"oneOf has more than {MAX_ALTERNATIVES} branches", step(pointer, "oneOf"))
    kept: list[list[Facts]] = []
    for i, branch in enumerate(branches):
        # Single values have been compared with each other already.
        others = [(parts[j], branches[j]) for j in (range(len(parts)) if i in mixed else mixed) if j != i]
        kept.append([one for facts in branch for one in _alone(reader, facts, others, pointer)])
    out = reader.union(kept, "oneOf", pointer)
    if not out:
        reader.dead = ("oneOf has no branch that excludes the others", step(pointer, "oneOf"))
    return out


def _values_once(branches: list[list[Facts]]) -> list[list[Facts]]:
    """Single values that stand in one branch only."""
    seen: dict[Any, int] = {}
    for branch in branches:
        for key in dict.fromkeys(key for facts in branch for key in facts.members or ()):
            seen[key] = seen.get(key, 0) + 1
    return [[one for facts in branch if (one := _once(facts, seen)) is not None] for branch in branches]


def _once(facts: Facts, seen: dict[Any, int]) -> Facts | None:
    if facts.members is None:
        return facts
    left = {key: value for key, value in facts.members.items() if seen[key] == 1}
    return Facts(members=left) if left else None


def _told_by_constant(reader: Reader, branches: list[list[Facts]]) -> bool:
    """Whether one property, required everywhere, holds other constants in each branch, as unions are mostly made."""
    every = [facts for branch in branches for facts in branch]
    if not every or any(facts.members is not None or facts.types != ("object",) for facts in every):
        return False
    return any(_tells(reader, branches, name) for name in every[0].required)


def _tells(reader: Reader, branches: list[list[Facts]], name: str) -> bool:
    seen: set[Any] = set()
    for branch in branches:
        here: set[Any] = set()
        for facts in branch:
            parts = _parts(facts, name)
            found = reader.alternatives(parts[0]) if parts and name in facts.required else []
            if len(found) != 1 or found[0].members is None:
                return False
            here.update(found[0].members)
        if here & seen:
            return False
        seen |= here
    return True


def _alone(reader: Reader, facts: Facts, others: list[tuple[Part, list[Facts]]], pointer: str) -> list[Facts]:
    """``facts``, less what satisfies one of ``others``: first by type and by what is absent, and by what a property
    holds only where nothing else tells the branches apart."""
    found = [facts]
    for part, branch in others:
        if facts.members is not None and all(other.members is not None for other in branch):
            continue
        left: list[Facts] = []
        near: list[Facts] = []
        for one in found:
            (left if all(apart(reader, one, other, 0) for other in branch) else near).append(one)
        if not near:
            continue
        fails = reader.alternatives(part._replace(sense="fails"))
        plain = [rule for rule in fails if not _by_value(rule)]
        for one in near:
            held = _less(one, plain) or _less(one, [rule for rule in fails if _by_value(rule)])
            left.extend(held)
        found = left
        if len(found) > MAX_ALTERNATIVES:
            raise SchemaNotSupported(f"oneOf makes more than {MAX_ALTERNATIVES} alternatives", step(pointer, "oneOf"))
    return found


def _by_value(rule: Facts) -> bool:
    return bool(rule.required and rule.layers)


def _less(facts: Facts, rules: list[Facts]) -> list[Facts]:
    return [one for rule in rules if (one := both(facts, rule)) is not None]


def _parts(facts: Facts, name: str) -> list[Part]:
    return [part for layer in facts.layers for part in layer.of(name)]


def apart(reader: Reader, a: Facts, b: Facts, depth: int) -> bool:
    """Whether it is certain that no value satisfies both."""
    if a.members is not None or b.members is not None:
        return both(a, b) is None
    if a.types is None or b.types is None:
        return False
    kinds = common_types(a.types, b.types)
    return all(_apart_as(reader, kind, a, b, depth) for kind in kinds or ())


def _apart_as(reader: Reader, kind: str, a: Facts, b: Facts, depth: int) -> bool:
    if kind == "string":
        return _ranges(a.least_chars, a.most_chars, b.least_chars, b.most_chars)
    if kind == "array":
        return _ranges(a.least_items, a.most_items, b.least_items, b.most_items)
    if kind == "integer" or kind == "number":
        return _numbers(a, b)
    if kind == "object" and depth < _DEEPEST:
        names = dict.fromkeys((*a.required, *b.required))
        return any(_property_apart(reader, a, b, name, depth) for name in names)
    return False


def _property_apart(reader: Reader, a: Facts, b: Facts, name: str, depth: int) -> bool:
    sides: list[list[Facts]] = []
    for facts in (a, b):
        parts = _parts(facts, name)
        found = reader.alternatives(parts[0]) if parts else [Facts(types=TYPES)]
        for part in parts[1:]:
            found = [one for x in found for y in reader.alternatives(part) if (one := both(x, y)) is not None]
            if len(found) > MAX_ALTERNATIVES:
                return False
        sides.append(found)
    return all(apart(reader, x, y, depth + 1) for x in sides[0] for y in sides[1])


def _ranges(low_a: int, high_a: int | None, low_b: int, high_b: int | None) -> bool:
    return (high_a is not None and high_a < low_b) or (high_b is not None and high_b < low_a)


def _numbers(a: Facts, b: Facts) -> bool:
    return any(
        x.high is not None
        and y.low is not None
        and (x.high[0] < y.low[0] or (x.high[0] == y.low[0] and (x.high[1] or y.low[1])))
        for x, y in ((a, b), (b, a))
    )
