"""What the generated structs are made of."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ("BridgeTerms", "Request", "ToolSpec", "Wire")


class Wire(msgspec.Struct, frozen=True):
    """A value that crosses a border. Immutable; unset optional fields are left out."""


class Request(Wire, frozen=True, forbid_unknown_fields=True):
    """A request body: a field that the contract does not know is an error that names it."""


class BridgeTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The contract's figures for the bridge, in seconds."""

    protocol: int
    hold_s: float
    busy_poll_s: float
    idle_poll_s: float
    lease_s: float
    short_lease_s: float


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of the contract. ``on_photos`` tools take exactly one of ``set`` and ``photo_ids``; ``developer`` tools
    are offered only by a service that was started for development, and never in a chat."""

    name: str
    title: str
    description: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    on_photos: bool
    developer: bool = False
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
