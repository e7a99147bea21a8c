"""What a small model is offered: the tools and arguments that it has examples of. With more it loses its way, and reads
for seconds what it cannot use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import msgspec

from safelight.models.local_examples import PATTERNS

if TYPE_CHECKING:
    from safelight.models.chat_model import ToolOffer

__all__ = ("practised",)

_TARGETS: Final = frozenset({"set", "photo_ids"})
"""A tool's schema chooses between these two, so both stay."""


def practised(tools: tuple[ToolOffer, ...]) -> tuple[ToolOffer, ...]:
    """The offered tools that some pattern uses, each with the arguments of its patterns; all tools as they are when no
    pattern uses any of them."""
    known: dict[str, set[str]] = {}
    for pattern in PATTERNS.values():
        if pattern.tool is not None:
            known.setdefault(pattern.tool, set(_TARGETS)).update(pattern.arguments)
    return tuple(_with(tool, known[tool.name]) for tool in tools if tool.name in known) or tools


def _with(tool: ToolOffer, arguments: set[str]) -> ToolOffer:
    schema = tool.input_schema
    wanted = arguments | set(schema.get("required", ()))
    properties = cast("dict[str, Any]", schema.get("properties", {}))
    kept = {name: rule for name, rule in properties.items() if name in wanted}
    return msgspec.structs.replace(tool, input_schema={**schema, "properties": kept})
