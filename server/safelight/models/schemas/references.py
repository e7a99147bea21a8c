"""Where a ``$ref`` leads: pointers, anchors and embedded ``$id`` within one document; nothing is ever fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote, urldefrag, urljoin

from safelight.errors import SchemaNotSupported

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ("References", "step")

_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems", "items")
_ONE: Final = (
    *("items", "additionalItems", "unevaluatedItems", "contains", "additionalProperties", "unevaluatedProperties"),
    *("propertyNames", "not", "if", "then", "else", "contentSchema"),
)
_MOST: Final = 50_000
_ROOT: Final = "schema:/"


def step(pointer: str, *names: object) -> str:
    """The JSON pointer one or more steps further."""
    return pointer + "".join("/" + str(name).replace("~", "~0").replace("/", "~1") for name in names)


class References:
    """Resolves references of one document. The index of its names is made when the first one is asked for."""

    def __init__(self, document: object) -> None:
        self._document = document
        self._indexed = False
        self._bases: dict[int, str] = {}
        self._resources: dict[str, object] = {}
        self._anchors: dict[str, object] = {}
        self._dynamic: dict[str, list[str]] = {}

    def target(self, node: dict[Any, Any], keyword: str, pointer: str) -> tuple[object, str]:
        """What ``node[keyword]`` refers to, and its pointer. Raises ``SchemaNotSupported`` where that is nothing in
        this document, and where a dynamic reference could mean more than one place."""
        where = step(pointer, keyword)
        reference = node[keyword]
        if not isinstance(reference, str):
            raise SchemaNotSupported(f"{keyword} is no text", where)
        self._index()
        if keyword != "$ref":
            self._only_one(reference, keyword, where)
        return self._find(reference, self._bases.get(id(node), _ROOT), where)

    def _only_one(self, reference: str, keyword: str, where: str) -> None:
        name = urldefrag(reference).fragment if keyword == "$dynamicRef" else ""
        if len(self._dynamic.get(name, ())) > 1:
            raise SchemaNotSupported(f"{keyword} {reference!r} could mean more than one place", where)

    def _find(self, reference: str, base: str, where: str) -> tuple[object, str]:
        try:
            address, fragment = urldefrag(urljoin(base, reference))
        except ValueError:
            raise SchemaNotSupported(f"the $ref {reference!r} is no address", where) from None
        if reference.startswith("#"):
            address, fragment = base, reference[1:]
        if address not in self._resources:
            raise SchemaNotSupported(f"the $ref {reference!r} does not point into this schema", where)
        if fragment and not fragment.startswith("/"):
            found = self._anchors.get(f"{address}#{fragment}")
            if found is None:
                raise SchemaNotSupported(f"the $ref {reference!r} leads nowhere", where)
            return found, f"#{fragment}"
        path = unquote(fragment)
        return self._follow(self._resources[address], path, reference, where), path

    def _follow(self, node: object, path: str, reference: str, where: str) -> object:
        for raw in path.split("/")[1:]:
            name = raw.replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and name in node:
                node = cast("dict[str, object]", node)[name]
            elif isinstance(node, list) and name.isdecimal() and int(name) < len(cast("list[object]", node)):
                node = cast("list[object]", node)[int(name)]
            else:
                raise SchemaNotSupported(f"the $ref {reference!r} leads nowhere", where)
        return node

    def _index(self) -> None:
        """Finds every ``$id`` and anchor at a place where a schema stands, not inside ``enum`` or ``default``."""
        if self._indexed:
            return
        self._indexed = True
        self._resources[_ROOT] = self._document
        waiting: list[tuple[object, str]] = [(self._document, _ROOT)]
        seen: set[int] = set()
        while waiting:
            node, base = waiting.pop()
            if not isinstance(node, dict) or id(cast("object", node)) in seen:
                continue
            seen.add(id(cast("object", node)))
            if len(seen) > _MOST:
                raise SchemaNotSupported(f"$ref in a schema of more than {_MOST:,} parts", "")
            schema = cast("dict[Any, Any]", node)
            base = self._name(schema, base)
            waiting.extend((child, base) for child in _children(schema))

    def _name(self, schema: dict[Any, Any], base: str) -> str:
        ref_alone = "$ref" in schema and schema is not self._document and "$defs" not in schema
        for key in ("$id", "id"):
            name = schema.get(key)
            if not isinstance(name, str) or ref_alone:
                continue
            if name.startswith("#"):  # how drafts 4 to 7 write an anchor
                self._anchors[base + name] = schema
            else:
                try:
                    base = urldefrag(urljoin(base, name)).url
                except ValueError:
                    continue
                self._resources.setdefault(base, schema)
        if base != _ROOT:
            self._bases[id(schema)] = base
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(schema.get(key), str):
                self._anchors[f"{base}#{schema[key]}"] = schema
        if isinstance(schema.get("$dynamicAnchor"), str):
            self._dynamic.setdefault(schema["$dynamicAnchor"], []).append(base)
        if schema.get("$recursiveAnchor") is True:
            self._dynamic.setdefault("", []).append(base)
        return base


def _children(schema: dict[Any, Any]) -> Iterator[object]:
    for key in _ONE:
        if isinstance(schema.get(key), dict):
            yield schema[key]
    for key in _LISTS:
        if isinstance(schema.get(key), list):
            yield from cast("list[object]", schema[key])
    for key in _MAPS:
        if isinstance(schema.get(key), dict):
            yield from cast("dict[object, object]", schema[key]).values()
