"""What changes from message to message and a model may need: told beside the person's message, in a fixed order.

Facts are written once, when the message is sent, and stay as they are in the conversation.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec

from safelight.errors import SafelightError
from safelight.wire.bridge_models import GetStateArguments, GetStateOutcome

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from datetime import datetime

    from safelight.bridge.bridge import Bridge
    from safelight.catalog.catalogs import Catalogs
    from safelight.wire.models import Mode

__all__ = ("Glance", "GlanceAtLightroom", "facts", "no_glance")

Found = TypeVar("Found")

_BOUND_S: Final = 0.3

_MODES: Final[dict[Mode, str]] = {
    "ask_all": "The user is asked before every call.",
    "auto_read": "The user is asked before every change.",
    "auto_safe": "The user is asked before photos are changed.",
    "auto_all": "Changes run without a question.",
}


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """What a moment shows of Lightroom; None is not known."""

    connected: bool | None = None
    selected: int | None = None
    photos: int | None = None


def facts(now: datetime, mode: Mode, glance: Glance) -> str:
    """The facts in short sentences; what is not known is left out."""
    told = [f"Today is {now:%A}, {now:%Y-%m-%d}.", _MODES[mode]]
    if glance.selected is not None:
        told.append(_counted(glance.selected, "selected."))
    if glance.photos is not None:
        told.append(_counted(glance.photos, "in the catalog."))
    if glance.connected is False:
        told.append("Lightroom is not connected.")
    return " ".join(told)


async def no_glance() -> Glance:
    """Nothing is known of Lightroom."""
    return Glance()


class GlanceAtLightroom:
    """Looks at Lightroom and the index for a moment. Never fails: what does not come in 0.3 seconds is not known."""

    def __init__(self, bridge: Bridge, catalogs: Catalogs, *, bound_s: float = _BOUND_S) -> None:
        self._bridge = bridge
        self._catalogs = catalogs
        self._bound_s = bound_s

    async def __call__(self) -> Glance:
        if not self._bridge.connected:
            return Glance(connected=False, photos=await self._within_bound(self._indexed()))
        state, indexed = await asyncio.gather(self._within_bound(self._state()), self._within_bound(self._indexed()))
        if state is None:
            return Glance(connected=True, photos=indexed)
        return Glance(connected=True, selected=state.selected_count, photos=state.photo_count)

    async def _within_bound(self, looking: Awaitable[Found]) -> Found | None:
        try:
            async with asyncio.timeout(self._bound_s):
                return await looking
        except (SafelightError, TimeoutError):
            return None

    async def _state(self) -> GetStateOutcome:
        return await self._bridge.command(GetStateArguments(), GetStateOutcome)

    async def _indexed(self) -> int | None:
        """Photos in the index; None while it is empty, since then it has most likely not been read yet."""
        return await (await self._catalogs.present()).index.count() or None


def _counted(count: int, what: str) -> str:
    return f"1 photo is {what}" if count == 1 else f"{count:,} photos are {what}"
