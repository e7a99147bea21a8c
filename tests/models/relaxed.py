"""A JSON Schema with one keyword no longer asked for: the proof that only this keyword refuses a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, cast

__all__ = ("without",)

_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_ONE: Final = (
    *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"),
    *("propertyNames", "not", "if", "then", "else"),
)


def without(schema: Any, keywords: Iterable[str]) -> Any:
    """A copy in which ``keywords`` say nothing wherever a schema stands; ``oneOf`` becomes ``anyOf``."""
    gone = set(keywords)
    if not isinstance(schema, dict):
        return schema
    node = cast("dict[str, Any]", schema)
    out: dict[str, Any] = {}
    for key, value in node.items():
        if key == "oneOf" and key in gone and isinstance(value, list):
            relaxed = {"anyOf": [without(one, gone) for one in cast("list[Any]", value)]}
            out.setdefault("allOf", []).append(relaxed)
        elif key in gone:
            continue
        elif key in _MAPS and isinstance(value, dict):
            out[key] = {name: without(one, gone) for name, one in cast("dict[str, Any]", value).items()}
        elif key in _LISTS and isinstance(value, list):
            listed = [without(one, gone) for one in cast("list[Any]", value)]
            out[key] = [*out.get(key, []), *listed] if key == "allOf" else listed
        elif key in _ONE:
            out[key] = without(value, gone)
        else:
            out[key] = value
    return out
