"""Which loop of which Lightroom is listened to, how it polls, and until when it counts as there. Pure state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from safelight.bridge.delivery import PluginLoop
from safelight.bridge.refusals import HelloNeeded, Superseded, WrongProtocol
from safelight.wire.tool_table import BRIDGE

if TYPE_CHECKING:
    from safelight.wire.models import BridgeHello, BridgePoll

__all__ = ("HUNG_UP_S", "Presence", "Transport")

Transport: TypeAlias = Literal["long_poll", "short_poll"]

HUNG_UP_S: Final = 3.0
"""A plug-in whose held poll was cut polls again within this time, unless Lightroom is gone."""

KEPT_REPLACED: Final = 64


class Presence:
    """The newest loop wins: the newest session, and of a session the newest generation.

    A loop that was replaced does not come back by itself, so two Lightrooms never fight: it takes a newer generation,
    which only a person starts. Times are seconds of any steady clock.
    """

    def __init__(self, *, hold_s: float, lease_s: float, short_lease_s: float) -> None:
        self.hello: BridgeHello | None = None
        self.until: float | None = None
        """Until when the plug-in counts as there, if nothing more is heard."""
        self._most_hold_s = hold_s
        self._lease_s = lease_s
        self._short_lease_s = short_lease_s
        self._wish: float | UnsetType = UNSET
        self._held = True
        self._replaced: dict[str, int] = {}

    def greet(self, hello: BridgeHello, now: float) -> bool:
        """Listen to this loop from now on; says whether the catalog is the one of before.

        Raises ``WrongProtocol``, or ``Superseded`` when this loop was replaced already.
        """
        if hello.protocol != BRIDGE.protocol:
            raise WrongProtocol(hello.protocol, BRIDGE.protocol)
        before = self.hello
        if before is not None and before.session == hello.session:
            if before.generation > hello.generation:
                raise Superseded
        elif hello.generation <= self._replaced.get(hello.session, -1):
            raise Superseded
        elif before is not None:
            self._remember_replaced(before)
        self.hello = hello
        self._wish = hello.hold_s
        self._held = self.hold_s > 0
        self.heard(now)
        return before is None or before.catalog_id == hello.catalog_id

    def admit(self, poll: BridgePoll) -> PluginLoop:
        """The loop that polls, if it is the one that is listened to. Raises ``HelloNeeded`` or ``Superseded``."""
        hello = self.hello
        if poll.generation <= self._replaced.get(poll.session, -1):
            raise Superseded
        if hello is None or hello.session != poll.session or poll.generation > hello.generation:
            raise HelloNeeded
        if poll.generation < hello.generation:
            raise Superseded
        return PluginLoop(poll.session, poll.generation)

    def polled(self, poll: BridgePoll, now: float) -> float:
        """The loop polls: how long this poll is held."""
        hold_s = self.hold_s if poll.hold_s is UNSET else min(poll.hold_s, self._most_hold_s)
        self._held = hold_s > 0
        self.heard(now)
        return hold_s

    def heard(self, now: float) -> None:
        """A sign of life."""
        self.until = now + (self._lease_s if self._held else self._short_lease_s)

    def hung_up(self, now: float) -> None:
        """The connection of a held poll was cut from the other side: Lightroom is quitting, or will soon poll again."""
        if self.until is not None:
            self.until = min(self.until, now + HUNG_UP_S)

    def is_here(self, now: float) -> bool:
        """Whether the plug-in was heard lately enough."""
        return self.until is not None and now < self.until

    @property
    def hold_s(self) -> float:
        """How long a poll of this loop is held, unless the poll itself asks for less."""
        return self._most_hold_s if self._wish is UNSET else min(self._wish, self._most_hold_s)

    @property
    def transport(self) -> Transport:
        """How the loop polls, as its last poll or else its hello said."""
        return "long_poll" if self._held else "short_poll"

    def _remember_replaced(self, hello: BridgeHello) -> None:
        self._replaced.pop(hello.session, None)
        self._replaced[hello.session] = hello.generation
        if len(self._replaced) > KEPT_REPLACED:
            del self._replaced[next(iter(self._replaced))]
