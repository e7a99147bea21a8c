"""Events as the bytes of a server-sent event stream (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from safelight.wire.tool_table import LIVE_EVENTS

if TYPE_CHECKING:
    from safelight.wire.models import Event

__all__ = ("KEEPALIVE_FRAME", "frame", "is_numbered", "numbered")

KEEPALIVE_FRAME: Final = b": keep-alive\n\n"

_ENCODER: Final = msgspec.json.Encoder()


def is_numbered(event: Event) -> bool:
    """Whether the event has a number and is kept."""
    return _type_of(event) not in LIVE_EVENTS


def numbered(event: Event, seq: int) -> Event:
    """The event with its number."""
    changes: dict[str, Any] = {"seq": seq}
    return msgspec.structs.replace(event, **changes)


def frame(event: Event | bytes, seq: int | None) -> bytes:
    """One frame: ``id`` for numbered events, then the event as JSON in one ``data`` line."""
    body = event if isinstance(event, bytes) else _ENCODER.encode(event)
    return b"data: %b\n\n" % body if seq is None else b"id: %d\ndata: %b\n\n" % (seq, body)


def _type_of(event: Event) -> str:
    tag = event.__struct_config__.tag
    return tag if isinstance(tag, str) else ""
