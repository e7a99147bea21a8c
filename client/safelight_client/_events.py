"""What a stream hands over: the contract's events, and those that this version does not know yet."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from safelight_client import models
from safelight_client._errors import StreamBroken

__all__ = ("StreamedEvent", "UnknownEvent", "encode_event", "read_event", "seq_of")


class UnknownEvent(msgspec.Struct, frozen=True):
    """An event of a type, or with values, that this version does not know; ``data`` is the whole object as it came."""

    type: str
    seq: int | None
    data: dict[str, Any]


StreamedEvent: TypeAlias = models.Event | UnknownEvent


class _Head(msgspec.Struct):
    type: str
    seq: int | None = None


_EVENT: Final[msgspec.json.Decoder[models.Event]] = msgspec.json.Decoder(models.Event)
_HEAD: Final = msgspec.json.Decoder(_Head)
_OBJECT: Final = msgspec.json.Decoder(dict[str, Any])


def read_event(data: bytes) -> StreamedEvent:
    """The event that a frame's data holds. Raises ``StreamBroken`` when it is no event at all."""
    try:
        return _EVENT.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        head = _HEAD.decode(data)
        return UnknownEvent(head.type, head.seq, _OBJECT.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StreamBroken("The event stream carries something that is no event.") from error


def encode_event(event: StreamedEvent) -> bytes:
    """The event as one line of JSON."""
    return msgspec.json.encode(event.data if isinstance(event, UnknownEvent) else event)


def seq_of(event: StreamedEvent) -> int | None:
    """The number of a numbered event; none for a live one."""
    return getattr(event, "seq", None)
