"""What the parts of the fake plug-in answer with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

import msgspec

from safelight.wire.models import BridgeFailure
from safelight.wire.tool_table import ERROR_TEXTS

__all__ = ("Json", "PluginFailure", "taken", "until")

Arguments = TypeVar("Arguments")
Json = dict[str, Any]


class PluginFailure(Exception):  # noqa: N818  # it is an answer of the plug-in, not a fault of the test
    """A command's error, as the plug-in answers it."""

    def __init__(self, code: str, message: str = "", *, retriable: bool = False) -> None:
        super().__init__(code)
        self.failure = BridgeFailure(code=code, message=message or ERROR_TEXTS.get(code, code), retriable=retriable)


def taken(arguments: Json, into: type[Arguments]) -> Arguments:
    """The arguments as the contract has them; the plug-in refuses what it does not know."""
    try:
        parsed = msgspec.convert(arguments, into)
    except msgspec.ValidationError as problem:
        raise PluginFailure("BAD_ARGUMENTS", str(problem)) from problem
    known = {field.name for field in msgspec.structs.fields(cast("Any", into))}
    if unknown := set(arguments) - known:
        raise PluginFailure("BAD_ARGUMENTS", f"unknown: {', '.join(sorted(unknown))}")
    return parsed


def until(photo_ids: Sequence[str], most: int | None) -> tuple[list[str], list[str]]:
    """The first ``most`` photos (None: all), and the rest."""
    return (list(photo_ids), []) if most is None else (list(photo_ids[:most]), list(photo_ids[most:]))
