"""What becomes of every keyword of JSON Schema, draft 4 to 2020-12, on the way into the grammar.

================== ========= ==========================================================================================
keyword            rule      what becomes of it
================== ========= ==========================================================================================
type               kept      one type each; a list becomes a union, in its order; an unknown type sets the tool aside
enum               kept      scalars as they are; lists and objects written out, or left out where no form holds them
const              rewritten an enum of one value
minLength          kept      counted in characters
maxLength          kept      at most 1,000, also where none is said
minItems           kept      more than 200 stay as many
maxItems           kept      at most 200, also where none is said
required           kept      of the properties that can be written; names outside properties are added to them
properties         kept      in their order; a property that nothing satisfies goes
items              kept      a list in it (drafts 4 to 2019-09) is read as prefixItems
minimum            dropped   kept for whole numbers, rounded inwards and clamped to 2^53-1
maximum            dropped   kept for whole numbers, rounded inwards and clamped to 2^53-1
exclusiveMinimum   dropped   kept for whole numbers; true beside minimum, as in draft 4, is understood
exclusiveMaximum   dropped   kept for whole numbers; true beside maximum, as in draft 4, is understood
multipleOf         dropped   kept where it makes a number whole, or leaves at most 200 whole numbers
pattern            dropped   tried on enum values and property names only
format             dropped   a schema of a format alone becomes a text
uniqueItems        dropped   a list may repeat itself
contentEncoding    dropped   draft 7 may refuse by it
contentMediaType   dropped   draft 7 may refuse by it
contentSchema      ignored   it refuses nothing
additionalProperties rewritten objects are closed: only named properties are written; it holds for those it covers
patternProperties  rewritten holds for the named properties that it matches, or might match
propertyNames      rewritten named properties that it refuses go; those that it lists one by one are named
minProperties      rewritten one object for each set of properties that is enough
maxProperties      rewritten one object for each set of properties that is not too much
additionalItems    rewritten the items after a list in items
prefixItems        rewritten items that suit every position, up to the first position that they cannot suit
contains           rewritten stricter: every item is one that has to be contained
minContains        rewritten with contains, as minItems
maxContains        rewritten with contains, as maxItems
unevaluatedProperties rewritten holds for the named properties of which nothing else speaks
unevaluatedItems   rewritten holds for the items of which nothing else speaks
dependentRequired  rewritten a union: without the property, or with it and what it asks for
dependentSchemas   rewritten a union: without the property, or with it and its schema
dependencies       rewritten as dependentRequired or dependentSchemas
allOf              rewritten merged, its properties in order from left to right
anyOf              rewritten a union; what stands beside it goes into each branch; constants become one enum
oneOf              dropped   a union, each branch less what satisfies another, unless a text or dropped keyword tells
not                dropped   types, properties, counts, ranges and whole numbers are left out; single texts stay
if                 rewritten a union: with then, or surely not and with else, or with both
then               rewritten with if
else               rewritten with if
$ref               rewritten written out, by pointer, anchor or embedded $id; recursion ends (see normal)
$dynamicRef        rewritten as $ref where it can mean one place only; else the tool is set aside
$recursiveRef      rewritten as $ref where it can mean one place only; else the tool is set aside
$defs              ignored   read where a $ref leads there
definitions        ignored   read where a $ref leads there
$id                ignored   a base for $ref
id                 ignored   a base for $ref, as in draft 4
$anchor            ignored   a name for $ref
$dynamicAnchor     ignored   a name for $dynamicRef
$recursiveAnchor   ignored   a mark for $recursiveRef
$schema            ignored   every draft is read alike, each keyword as the strictest of them reads it
$vocabulary        ignored   it refuses nothing
$comment           ignored   it refuses nothing
title              ignored   it refuses nothing; the prompt has it
description        ignored   it refuses nothing; the prompt has it
default            ignored   it refuses nothing; the prompt has it
examples           ignored   it refuses nothing; the prompt has it
deprecated         ignored   it refuses nothing
readOnly           ignored   it refuses nothing
writeOnly          ignored   it refuses nothing
nullable           ignored   OpenAPI's; JSON Schema does not know it, so null stays refused
================== ========= ==========================================================================================

Keywords of no draft are ignored, as JSON Schema says. A keyword whose value has the wrong JSON type is ignored too.
A name with U+007F or half a surrogate pair cannot be written on the engines: the property goes.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias, get_args

__all__ = ("DROPPED", "RULES", "Rule")

Kind: TypeAlias = Literal["kept", "rewritten", "dropped", "ignored"]


class Rule(NamedTuple):
    """``dropped`` means that a value may be admitted which only this keyword refuses; no other keyword is so."""

    kind: Kind
    text: str


def _rules() -> dict[str, Rule]:
    found: dict[str, Rule] = {}
    for line in (__doc__ or "").splitlines():
        words = line.split(maxsplit=2)
        if len(words) == 3 and words[1] in get_args(Kind):
            name, kind, text = words
            found[name] = Rule(next(known for known in get_args(Kind) if known == kind), text)
    return found


RULES: Final = _rules()
"""The table above."""

DROPPED: Final = tuple(name for name, rule in RULES.items() if rule.kind == "dropped")
"""The keywords that may refuse what the grammar admits; the tool's own schema still validates every argument."""
