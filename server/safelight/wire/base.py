"""What the generated structs are made of."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ("Request", "ToolSpec", "Wire")


class Wire(msgspec.Struct, frozen=True):
    """A value that crosses a border. Immutable; unset optional fields are left out."""


class Request(Wire, frozen=True, forbid_unknown_fields=True):
    """A request body: a field that the contract does not know is an error that names it."""


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of the contract. ``on_photos`` tools take exactly one of ``set`` and ``photo_ids``."""

    name: str
    title: str
    description: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    on_photos: bool
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
