"""Keywords that say something of a value itself: each adds to the ``Facts`` of its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.facts import TYPES, Bound, Layer, Part, Row
from safelight.models.schemas.limits import MAX_MEMBERS, MAX_READS
from safelight.models.schemas.literal import is_number, key_of
from safelight.models.schemas.references import step

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ("ASSERTIONS", "Read", "constant", "listed")

Read: TypeAlias = dict[str, Any]


def listed(node: dict[Any, Any], keyword: str) -> list[object]:
    """The schemas of a list of schemas; anything else in it is left out."""
    value = node.get(keyword)
    return (
        [one for one in cast("list[object]", value) if isinstance(one, dict | bool)] if isinstance(value, list) else []
    )


def constant(value: object) -> dict[str, Any]:
    """A schema that only ``value`` satisfies: lists item by item, objects property by property."""
    if isinstance(value, dict):
        known = {name: node for name, node in cast("dict[object, object]", value).items() if isinstance(name, str)}
        return {
            "type": "object",
            "properties": {name: {"const": node} for name, node in known.items()},
            "required": list(known),
            "additionalProperties": False,
        }
    items = cast("list[object]", value)
    kinds = [{"const": item} for item in items]
    return {"type": "array", "prefixItems": kinds, "minItems": len(items), "maxItems": len(items)}


def _type(node: dict[Any, Any], pointer: str, said: Read) -> None:
    value = node["type"]
    named = cast("list[object]", value) if isinstance(value, list) else [value]
    known = tuple(dict.fromkeys(name for name in named if isinstance(name, str) and name in TYPES))
    if not known:
        shown = repr(value)[:60] if isinstance(value, str) else "that stands here"
        raise SchemaNotSupported(f"the type {shown} is unknown", step(pointer, "type"))
    said["types"] = tuple(kind for kind in known if kind != "integer" or "number" not in known)


def _members(node: dict[Any, Any], pointer: str, said: Read) -> None:
    values = node.get("enum")
    if isinstance(values, list):
        found = cast("list[object]", values)
        if len(found) > MAX_MEMBERS:
            raise SchemaNotSupported(f"enum has more than {MAX_MEMBERS:,} values", step(pointer, "enum"))
        if "const" in node:
            found = [one for one in found if _same(one, node["const"])]
        said["members"] = found
    elif "const" in node:
        said["members"] = [node["const"]]


def _same(a: object, b: object) -> bool:
    """Two scalars are; lists and objects are not compared, since they may be of any depth."""
    return not isinstance(a, dict | list) and not isinstance(b, dict | list) and key_of(a) == key_of(b)


def _count(keyword: str, field: str) -> Callable[[dict[Any, Any], str, Read], None]:
    def read(node: dict[Any, Any], pointer: str, said: Read) -> None:
        value = node[keyword]
        if is_number(value) and value == int(value) and value >= 0:
            said[field] = int(value)

    return read


def _bounds(node: dict[Any, Any], pointer: str, said: Read) -> None:
    said["low"] = _bound(node.get("minimum"), node.get("exclusiveMinimum"), max)
    said["high"] = _bound(node.get("maximum"), node.get("exclusiveMaximum"), min)


def _bound(plain: object, exclusive: object, pick: Any) -> Bound | None:
    """``exclusive`` is a number, or ``True`` beside a plain bound, as draft 4 has it."""
    found: list[Bound] = []
    if is_number(plain):
        found.append((cast("float", plain), exclusive is True))
    if is_number(exclusive):
        found.append((cast("float", exclusive), True))
    edge = pick((value for value, _ in found), default=None)
    return None if edge is None else (edge, any(outside for value, outside in found if value == edge))


def _step(node: dict[Any, Any], pointer: str, said: Read) -> None:
    value = node["multipleOf"]
    if is_number(value) and value > 0:
        said["steps"] = (value,)


def _pattern(node: dict[Any, Any], pointer: str, said: Read) -> None:
    if isinstance(node["pattern"], str):
        said["patterns"] = (node["pattern"],)


def _format(node: dict[Any, Any], pointer: str, said: Read) -> None:
    """A format names no type, but one of texts lets a text be written rather than anything."""
    if "type" not in node and "enum" not in node and "const" not in node:
        said["patterns"] = said.get("patterns", ("",))


def _required(node: dict[Any, Any], pointer: str, said: Read) -> None:
    if isinstance(node["required"], list):
        names = cast("list[object]", node["required"])
        said["required"] = tuple(dict.fromkeys(name for name in names if isinstance(name, str)))


def _layer(node: dict[Any, Any], pointer: str, said: Read) -> None:
    properties: dict[str, tuple[Part, ...]] = {}
    if isinstance(node.get("properties"), dict):
        at = pointer + "/properties/"
        for name, child in cast("dict[object, object]", node["properties"]).items():
            if isinstance(name, str):
                escaped = name.replace("~", "~0").replace("/", "~1") if "/" in name or "~" in name else name
                properties[name] = (Part(child, at + escaped),)
    patterns: list[tuple[str, tuple[Part, ...]]] = []
    if isinstance(node.get("patternProperties"), dict):
        for pattern, child in cast("dict[object, object]", node["patternProperties"]).items():
            patterns.append((str(pattern), (Part(child, step(pointer, "patternProperties", pattern)),)))
        if len(properties) * len(patterns) > MAX_READS:
            raise SchemaNotSupported("patternProperties are too many to try", step(pointer, "patternProperties"))
    rest = node.get("additionalProperties", True)
    says = isinstance(rest, dict | bool)
    parts = (Part(rest, step(pointer, "additionalProperties")),) if says and rest is not True else ()
    said["layers"] = (Layer(properties, tuple(patterns), parts, says and "additionalProperties" in node),)


def _row(node: dict[Any, Any], pointer: str, said: Read) -> None:
    items, keyword = node.get("items"), "items"
    prefix: list[object] = []
    if isinstance(node.get("prefixItems"), list):
        prefix, where = node["prefixItems"], "prefixItems"
    elif isinstance(items, list):  # how drafts 4 to 2019-09 write prefixItems
        prefix, where = cast("list[object]", items), "items"
        items, keyword = node.get("additionalItems"), "additionalItems"
    else:
        where = "items"
    rest = (Part(items, step(pointer, keyword)),) if isinstance(items, dict) or items is False else ()
    kinds = tuple((Part(kind, step(pointer, where, i)),) for i, kind in enumerate(prefix))
    said["rows"] = (Row(kinds, rest, isinstance(items, dict | bool)),)


ASSERTIONS: Final[dict[str, tuple[Callable[[dict[Any, Any], str, Read], None], str]]] = {
    "type": (_type, "types"),
    "enum": (_members, "members"),
    "const": (_members, "members"),
    "minLength": (_count("minLength", "least_chars"), "least_chars"),
    "maxLength": (_count("maxLength", "most_chars"), "most_chars"),
    "minItems": (_count("minItems", "least_items"), "least_items"),
    "maxItems": (_count("maxItems", "most_items"), "most_items"),
    "minProperties": (_count("minProperties", "least_keys"), "least_keys"),
    "maxProperties": (_count("maxProperties", "most_keys"), "most_keys"),
    "minimum": (_bounds, "low"),
    "maximum": (_bounds, "low"),
    "exclusiveMinimum": (_bounds, "low"),
    "exclusiveMaximum": (_bounds, "low"),
    "multipleOf": (_step, "steps"),
    "pattern": (_pattern, "-"),
    "format": (_format, "-"),
    "required": (_required, "required"),
    "properties": (_layer, "layers"),
    "patternProperties": (_layer, "layers"),
    "additionalProperties": (_layer, "layers"),
    "items": (_row, "rows"),
    "prefixItems": (_row, "rows"),
    "additionalItems": (_row, "rows"),
}
