"""The commands of the contract: which arguments belong to which, and on what terms they are delivered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from safelight.wire import bridge_models as wire
from safelight.wire.tool_table import COMMANDS

if TYPE_CHECKING:
    from safelight.bridge.delivery import Kind
    from safelight.wire.base import Wire

__all__ = ("command_name", "command_terms")

NAMES: Final[dict[type[Wire], str]] = {
    wire.GetStateArguments: "get_state",
    wire.ListPhotoIdsArguments: "list_photo_ids",
    wire.ReadPhotosArguments: "read_photos",
    wire.GetThumbnailArguments: "get_thumbnail",
    wire.ShowPhotosArguments: "show_photos",
    wire.FindCollectionsArguments: "find_collections",
    wire.CreateCollectionArguments: "create_collection",
    wire.AddToCollectionArguments: "add_to_collection",
    wire.WritePhotosArguments: "write_photos",
}


def command_name(arguments: Wire) -> str:
    """The command of the contract that takes these arguments."""
    return NAMES[type(arguments)]


def command_terms(name: str) -> tuple[Kind, float]:
    """A command's kind and the seconds after which nobody waits for it."""
    kind, deadline_s = COMMANDS[name]
    return cast("Kind", kind), deadline_s
