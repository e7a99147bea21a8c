"""A choice of required properties becomes one closed object for each alternative."""

from __future__ import annotations

from typing import Any, Final, cast

from safelight.errors import SchemaNotSupported
from safelight.models.schemas.limits import MAX_ALTERNATIVES
from safelight.models.schemas.references import step

__all__ = ("is_choice", "split_choice")

_DEEPEST: Final = 200
_MOST: Final = 50_000


def split_choice(schema: dict[str, Any]) -> dict[str, Any]:
    """``oneOf`` (or ``anyOf``) of ``required`` lists beside ``properties`` becomes an ``anyOf`` of closed objects,
    each requiring its own choice and leaving the properties of the other choices out; also in the schemas of the
    root's properties.

    A schema without such a choice comes back as an equal copy. The input is never changed or shared. Raises
    ``SchemaNotSupported`` when no alternative can be satisfied, and for what is no object or has no end.
    """
    if not isinstance(cast("object", schema), dict):
        raise SchemaNotSupported("what stands here is no schema", "")
    copy: dict[str, Any] = _Copy().of(schema, "", 0)
    properties = copy.get("properties")
    if isinstance(properties, dict):
        for name, node in cast("dict[str, object]", properties).items():
            if isinstance(node, dict):
                properties[name] = _split(cast("dict[str, Any]", node), step("", "properties", name))
    return _split(copy, "")


def is_choice(branches: object) -> bool:
    """Whether each branch says nothing but which properties it requires."""
    listed = cast("list[object]", branches) if isinstance(branches, list) else []
    return bool(listed) and all(map(_only_requires, listed))


def _only_requires(branch: object) -> bool:
    if not isinstance(branch, dict):
        return False
    said = cast("dict[str, object]", branch)
    required = said.get("required")
    names = cast("list[object]", required) if isinstance(required, list) else []
    silent = said.keys() - {"required", "type", "title", "description", "$comment"}
    named = bool(names) and all(isinstance(name, str) for name in names)
    return named and not silent and said.get("type") in (None, "object", ["object"])


def _split(schema: dict[str, Any], pointer: str) -> dict[str, Any]:
    for key in ("oneOf", "anyOf"):
        if is_choice(schema.get(key)):
            choices: list[list[str]] = [branch["required"] for branch in schema.pop(key)]
            if len(choices) > MAX_ALTERNATIVES:
                raise SchemaNotSupported(f"{key} has more than {MAX_ALTERNATIVES} branches", step(pointer, key))
            schema["type"] = "object"
            branches = _branches(schema, choices, key, pointer)
            if not branches:
                raise SchemaNotSupported(f"no alternative of {key} can be satisfied", step(pointer, key))
            return branches[0] if len(branches) == 1 else {"anyOf": branches}
    return schema


def _branches(base: dict[str, Any], choices: list[list[str]], key: str, pointer: str) -> list[dict[str, Any]]:
    """The closed objects for ``choices``. A branch that would satisfy a second choice of a ``oneOf`` is left out."""
    branches: list[dict[str, Any]] = []
    required = _names(base.get("required"))
    for index, choice in enumerate(choices):
        others = [set(other) for i, other in enumerate(choices) if i != index]
        own = dict.fromkeys([*required, *choice])
        if key == "oneOf" and any(other <= own.keys() for other in others):
            continue
        branch = _branch(_Copy().of(base, pointer, 0), own, set[str]().union(*others) - own.keys())
        if branch is not None:
            branches.append(branch)
    return branches


def _names(value: object) -> list[str]:
    return [name for name in cast("list[object]", value) if isinstance(name, str)] if isinstance(value, list) else []


def _branch(branch: dict[str, Any], own: dict[str, None], left_out: set[str]) -> dict[str, Any] | None:
    said = branch.get("properties")
    properties = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
    unlisted: object = branch.get("additionalProperties", True)
    for name in own:
        if name not in properties:
            if unlisted is False:
                return None
            properties[name] = _Copy().of(unlisted, "", 0) if isinstance(unlisted, dict) else True
    branch["properties"] = {name: node for name, node in properties.items() if name not in left_out}
    branch["required"] = list(own)
    branch["additionalProperties"] = False
    return branch


class _Copy:
    """A deep copy with an end, whatever is copied."""

    def __init__(self) -> None:
        self._parts = 0

    def of(self, value: Any, pointer: str, depth: int) -> Any:
        if not isinstance(value, dict | list):
            return value
        self._parts += 1
        if depth > _DEEPEST or self._parts > _MOST:
            raise SchemaNotSupported(f"nested deeper than {_DEEPEST} levels, or larger than {_MOST:,} parts", pointer)
        if isinstance(value, list):
            return [self.of(one, pointer, depth + 1) for one in cast("list[Any]", value)]
        return {name: self.of(one, pointer, depth + 1) for name, one in cast("dict[Any, Any]", value).items()}
