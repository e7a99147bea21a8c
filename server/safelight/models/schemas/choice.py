"""A choice of required properties becomes one closed object for each alternative."""

from __future__ import annotations

import copy
from typing import Any, Literal, cast

from safelight.errors import SchemaNotSupported

__all__ = ("is_choice", "split", "split_choice")


def split_choice(schema: dict[str, Any]) -> dict[str, Any]:
    """``oneOf`` (or ``anyOf``) of ``required`` lists beside ``properties`` becomes an ``anyOf`` of closed objects,
    each requiring its own choice and leaving the properties of the other choices out.

    A schema without such a choice comes back as an equal copy. The input is never changed or shared. Raises
    ``SchemaNotSupported`` when no alternative can be satisfied.
    """
    schema = copy.deepcopy(schema)
    for key in ("oneOf", "anyOf"):
        if is_choice(schema.get(key)):
            choices = [branch["required"] for branch in schema.pop(key)]
            schema["type"] = "object"
            branches = split(schema, choices, exactly_one=key == "oneOf")
            if not branches:
                raise SchemaNotSupported("no alternative can be satisfied", f"/{key}")
            return branches[0] if len(branches) == 1 else {"anyOf": branches}
    return schema


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
    silent = said.keys() - {"required", "type", "title", "description"}
    return bool(names) and not silent and said.get("type") in (None, "object", ["object"])


def split(base: dict[str, Any], choices: list[list[str]], *, exactly_one: bool) -> list[dict[str, Any]]:
    """The closed objects for ``choices``. A branch that could satisfy two choices of a ``oneOf`` is left out."""
    branches: list[dict[str, Any]] = []
    for index, choice in enumerate(choices):
        others = [set(other) for i, other in enumerate(choices) if i != index]
        own = dict.fromkeys([*base.get("required", []), *choice])
        if exactly_one and any(other <= own.keys() for other in others):
            continue
        branch = _branch(base, own, set[str]().union(*others) - own.keys())
        if branch is not None:
            branches.append(branch)
    return branches


def _branch(base: dict[str, Any], own: dict[str, None], left_out: set[str]) -> dict[str, Any] | None:
    branch = copy.deepcopy(base)
    properties: dict[str, Any] = branch.get("properties", {})
    unlisted: Literal[False] | dict[str, Any] | bool = branch.get("additionalProperties", True)
    for name in own:
        if name not in properties:
            if unlisted is False:
                return None
            properties[name] = copy.deepcopy(unlisted)
    branch["properties"] = {name: node for name, node in properties.items() if name not in left_out}
    branch["required"] = list(own)
    branch["additionalProperties"] = False
    return branch
