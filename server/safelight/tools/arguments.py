"""A tool's arguments as its generated struct."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from safelight.bridge.text import clean
from safelight.errors import ToolError

__all__ = ("parse",)

Arguments = TypeVar("Arguments")


def parse(arguments: dict[str, Any], into: type[Arguments]) -> Arguments:
    """The arguments, with text that Lightroom can hold. Raises ``ToolError`` BAD_ARGUMENTS that names the fault."""
    try:
        return msgspec.convert(clean(arguments), into, strict=True)
    except msgspec.ValidationError as problem:
        raise ToolError("BAD_ARGUMENTS", f"The arguments do not fit: {problem}.") from problem
