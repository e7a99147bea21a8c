"""Reads an untrusted JSON Schema, keyword by keyword, into alternatives: ``Facts`` of which any one will do.

Each place is read at most once and only when something asks for it, so that what a schema never reaches costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.applicators import APPLICATOR_OF, APPLICATORS, exact
from safelight.models.schemas.assertions import ASSERTIONS, Read, constant
from safelight.models.schemas.complement import failing
from safelight.models.schemas.facts import ANY, Facts, Part, admits, both, unevaluated
from safelight.models.schemas.limits import MAX_ALTERNATIVES, MAX_BRANCHES, MAX_IN_PLACE, MAX_MEMBERS, MAX_READS
from safelight.models.schemas.literal import as_literal, key_of
from safelight.models.schemas.references import References, step

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("Reader", "Schema")

Schema: TypeAlias = dict[str, Any]


class Reader:
    """The alternatives of every place of one document."""

    def __init__(self, document: object) -> None:
        self.references = References(document)
        self.dead: tuple[str, str] = ("no value can satisfy this", "")
        """Why the last place that nothing satisfies is so, and its pointer."""
        self._known: dict[tuple[int, str], list[Facts]] = {}
        self._kept: list[object] = []
        self._open: set[tuple[int, str]] = set()
        self._reads = 0

    def alternatives(self, part: Part) -> list[Facts]:
        """What satisfies (or fails) a place. Empty where nothing does; ``dead`` says why then. Raises
        ``SchemaNotSupported`` for what is malformed, leads nowhere, or is too large."""
        node, pointer, sense = part
        if node is True or node is False:
            if node is (sense == "holds"):
                return [ANY]
            self.dead = ("the schema false allows nothing", pointer)
            return []
        if not isinstance(node, dict):
            self.dead = ("what stands here is no schema", pointer)
            return []
        key = (id(cast("object", node)), sense)
        found = self._known.get(key)
        if found is None:
            found = self._enter(cast("dict[Any, Any]", node), part, key)
        return found

    def _enter(self, node: dict[Any, Any], part: Part, key: tuple[int, str]) -> list[Facts]:
        self._reads += 1
        if self._reads > MAX_READS:
            raise SchemaNotSupported(f"larger than {MAX_READS:,} parts", part.pointer)
        if key in self._open:
            # A schema that is reached from itself without a step into a value adds nothing that could satisfy it.
            self.dead = ("the $ref leads back to itself", part.pointer)
            return []
        if len(self._open) > MAX_IN_PLACE:
            raise SchemaNotSupported(
                f"more than {MAX_IN_PLACE} of allOf, anyOf, $ref, ... in one another", part.pointer
            )
        self._open.add(key)
        if part.sense == "holds":
            found = self._holding(node, part.pointer)
        else:
            found = [unevaluated(facts) for facts in failing(self, node, part.pointer, part.sense)]
        self._open.discard(key)
        self._known[key] = found
        self._kept.append(node)
        return found

    def _holding(self, node: dict[Any, Any], pointer: str) -> list[Facts]:
        said: Read = {}
        later: dict[str, None] = {}
        for keyword in node:
            rule = ASSERTIONS.get(keyword)
            if rule is not None:
                if rule[1] not in said:
                    rule[0](node, pointer, said)
            elif keyword in APPLICATOR_OF:
                later[APPLICATOR_OF[keyword]] = None
        found = self._base(node, pointer, said)
        if later:
            for name, rule in APPLICATORS.items():
                if name in later and found:
                    found = rule(self, node, pointer, found)
        return found

    def _base(self, node: dict[Any, Any], pointer: str, said: Read) -> list[Facts]:
        members: list[object] | None = said.pop("members", None)
        facts = Facts(**said) if said else ANY
        if members is None:
            return [facts]
        keyword = "const" if "const" in node else "enum"
        scalars: dict[Any, object] = {}
        found: list[Facts] = []
        for member in members:
            if isinstance(member, dict | list):
                written = self.alternatives(Part(constant(cast("object", member)), step(pointer, keyword)))
                found.extend(one for other in written if (one := both(facts, other)) is not None)
            else:
                fits, literal = as_literal(member)
                if fits and admits(facts, literal):
                    scalars.setdefault(key_of(literal), literal)
        if scalars:
            found.insert(0, Facts(members=scalars))
        if not found:
            self.dead = (f"no value of {keyword} can be written and satisfies the rest", step(pointer, keyword))
        return found

    def exact(self, schema: object) -> bool:
        """Whether reading ``schema`` loses nothing, so that what it reads as satisfies it."""
        return exact(schema)

    def accepts(self, part: Part, text: str) -> bool:
        """Whether a text satisfies a place, as far as can be told."""
        return any(admits(facts, text) for facts in self.alternatives(part))

    def product(self, left: list[Facts], right: list[Facts], keyword: str, pointer: str) -> list[Facts]:
        """What satisfies one of the left and one of the right. Raises where that is too much to write out."""
        if len(left) * len(right) > MAX_ALTERNATIVES * MAX_BRANCHES:
            raise SchemaNotSupported(f"{keyword} makes too many alternatives", step(pointer, keyword))
        found = [one for a in left for b in right if (one := both(a, b)) is not None]
        if len(found) > MAX_ALTERNATIVES and len(left) > 1 < len(right):
            raise SchemaNotSupported(
                f"{keyword} makes more than {MAX_ALTERNATIVES} alternatives in one place", step(pointer, keyword)
            )
        if len(found) > MAX_BRANCHES:
            raise SchemaNotSupported(f"{keyword} makes more than {MAX_BRANCHES} alternatives", step(pointer, keyword))
        if not found and left and right:
            self.dead = (
                f"{keyword} leaves nothing that satisfies it and what stands beside it",
                step(pointer, keyword),
            )
        return found

    def union(self, branches: Iterable[list[Facts]], keyword: str, pointer: str) -> list[Facts]:
        """Any of the branches; single values of several branches become one list of values."""
        found: list[Facts] = []
        values: dict[Any, object] = {}
        at = -1
        for facts in (one for branch in branches for one in branch):
            if facts.members is None:
                found.append(facts)
            else:
                if at < 0:
                    at = len(found)
                    found.append(ANY)
                values.update((key, value) for key, value in facts.members.items() if key not in values)
            if len(found) > MAX_BRANCHES or len(values) > MAX_MEMBERS:
                raise SchemaNotSupported(f"{keyword} has more than {MAX_BRANCHES} branches", step(pointer, keyword))
        if at >= 0:
            found[at] = Facts(members=values)
        return found
