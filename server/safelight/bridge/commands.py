"""The commands of the contract: which arguments belong to which, and on what terms they are delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from safelight.wire import bridge_models as wire
from safelight.wire.tool_table import COMMANDS

if TYPE_CHECKING:
    from safelight.bridge.delivery import Kind
    from safelight.wire.base import Wire

__all__ = ("command_name", "command_terms")


def _arguments_of(name: str) -> type[Wire]:
    camel = "".join(word.title() for word in name.split("_"))
    return getattr(wire, f"{camel}Arguments")


NAMES: Final[dict[type[Wire], str]] = {_arguments_of(name): name for name in COMMANDS}


def command_name(arguments: Wire) -> str:
    """The command of the contract that takes these arguments."""
    return NAMES[type(arguments)]


def command_terms(name: str) -> tuple[Kind, float]:
    """A command's kind and the seconds after which nobody waits for it."""
    kind, deadline_s = COMMANDS[name]
    return cast("Kind", kind), deadline_s
