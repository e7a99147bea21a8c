"""Small pictures of photos, as the plug-in gets them from Lightroom's previews."""

from __future__ import annotations

import base64
import binascii
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Protocol

from safelight.errors import BridgeError
from safelight.wire.bridge_models import GetThumbnailArguments, GetThumbnailOutcome

if TYPE_CHECKING:
    from safelight.bridge.bridge import Bridge
    from safelight.wire.base import Wire

__all__ = ("Thumbnails", "read_jpeg")

_KEPT_BYTES: Final = 32 << 20
_JPEG_START: Final = b"\xff\xd8\xff"


class _Commander(Protocol):
    async def command(self, arguments: Wire, outcome: type[GetThumbnailOutcome]) -> GetThumbnailOutcome: ...


async def read_jpeg(commander: _Commander, photo_id: str, size: int) -> bytes:
    """A JPEG whose longest side is about ``size`` pixels. Raises ``BridgeError``, e.g. PHOTO_NOT_FOUND."""
    answer = await commander.command(GetThumbnailArguments(photo_id=photo_id, size=size), GetThumbnailOutcome)
    try:
        data = base64.b64decode(answer.jpeg_base64, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data.startswith(_JPEG_START):
        raise BridgeError("THUMBNAIL_UNAVAILABLE", "Lightroom gave no preview of this photo.", retriable=True)
    return data


class Thumbnails:
    """Asks the plug-in once for each picture and keeps the newest 32 MiB in memory."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._size = 0

    async def jpeg(self, photo_id: str, size: int) -> bytes:
        """A JPEG as ``read_jpeg`` gives it."""
        key = (photo_id, size)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        data = await read_jpeg(self._bridge, photo_id, size)
        self._kept[key] = data
        self._size += len(data)
        while self._size > _KEPT_BYTES:
            _, dropped = self._kept.popitem(last=False)
            self._size -= len(dropped)
        return data

    def forget(self) -> None:
        """Another catalog was opened, or photos were edited."""
        self._kept.clear()
        self._size = 0
