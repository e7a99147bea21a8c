"""The service's side of the plug-in's polling: hello, poll and result from the plug-in, commands from the tools."""

from __future__ import annotations

import asyncio
import secrets
import time
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from safelight.bridge.commands import command_name, command_terms
from safelight.bridge.delivery import Delivery, Ending, PluginLoop
from safelight.bridge.presence import Presence
from safelight.bridge.sentences import ended_without_answer, offline, refused_by_plugin, unreadable_answer
from safelight.bridge.text import clean, clean_text
from safelight.bridge.trace import Trace
from safelight.wire.models import BridgeCommand, BridgeTaken, BridgeWelcome, BridgeWork
from safelight.wire.tool_table import BRIDGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from safelight.bridge.delivery import Kind
    from safelight.bridge.presence import Transport
    from safelight.bridge.trace import TracedCommand
    from safelight.wire.base import Wire
    from safelight.wire.models import BridgeFailure, BridgeHello, BridgePoll, BridgeResult

__all__ = ("Bridge", "CatalogInfo")

Outcome = TypeVar("Outcome")


class CatalogInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The catalog that is open in Lightroom, or was when it was last connected."""

    catalog_id: str
    path: str

    @property
    def name(self) -> str:
        """File name without folder and ``.lrcat``, whichever system the path is of."""
        return PureWindowsPath(self.path).name.removesuffix(".lrcat")


class _Hold:
    """A poll that is held open, until a time."""

    def __init__(self, poll: BridgePoll, until: float) -> None:
        self.poll = poll
        self.until = until
        self.stirred = asyncio.Event()


class Bridge:
    """Commands to Lightroom, delivered by the rules of ``Delivery``. One instance, used on one event loop.

    ``clock`` gives steady seconds. Whoever replaces it calls ``tick`` after moving it.
    """

    def __init__(
        self,
        *,
        version: str = "0",
        hold_s: float = BRIDGE.hold_s,
        lease_s: float = BRIDGE.lease_s,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._version = version
        self._lease_s = lease_s
        self._clock = clock
        self._presence = Presence(hold_s=hold_s, lease_s=lease_s, short_lease_s=min(lease_s, BRIDGE.short_lease_s))
        self._trace = Trace(clock)
        self._delivery = Delivery()
        self._waiters: dict[str, asyncio.Future[BridgeResult | Ending]] = {}
        self._observers: list[Callable[[BridgeHello], None]] = []
        self._hold: _Hold | None = None
        self._arrived = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._closing = False

    # --- what the plug-in says ------------------------------------------------------------------------------

    def hello(self, hello: BridgeHello) -> BridgeWelcome:
        """Make this loop the one that is listened to, and settle what others hold.

        Raises ``WrongProtocol``, or ``Superseded`` when a newer loop or another Lightroom has replaced it already.
        """
        same_catalog = self._presence.greet(hello, self._clock())
        self._settle(self._delivery.greet(PluginLoop(hello.session, hello.generation), same_catalog=same_catalog))
        self._arrived.set()
        self._stir()
        self._rearm()
        for observer in tuple(self._observers):
            observer(hello)
        return BridgeWelcome(
            hold_s=self._presence.hold_s,
            lease_s=self._lease_s,
            busy_poll_s=BRIDGE.busy_poll_s,
            idle_poll_s=BRIDGE.idle_poll_s,
            version=self._version,
        )

    async def poll(self, poll: BridgePoll) -> BridgeWork:
        """The next command, or nothing: after the hold, when a newer poll of the loop comes, or on ``closing``.

        Raises ``HelloNeeded`` (say hello and poll again) or ``Superseded`` (this loop is over), also in mid-hold.
        """
        loop = self._presence.admit(poll)
        if self._hold is not None:
            # The connection of the older poll is dead, or the loop would not poll again: a command given to it is lost.
            self._hold.stirred.set()
        mine = self._hold = _Hold(poll, self._clock() + self._presence.polled(poll, self._clock()))
        self._arrived.set()
        self._delivery.heard(loop, poll.seen)
        self._rearm()
        try:
            while self._hold is mine and not self._closing:
                self._presence.admit(poll)
                handout = self._delivery.take(loop, self._clock())
                if handout is not None:
                    self._trace.taken(handout.command_id)
                    return BridgeWork(command=msgspec.convert(handout, BridgeCommand, from_attributes=True))
                if self._clock() >= mine.until:
                    self._presence.heard(self._clock())
                    break
                await mine.stirred.wait()
                mine.stirred.clear()
        finally:
            if self._hold is mine:
                self._hold = None
                self._rearm()
        return BridgeWork()

    def hung_up(self, poll: BridgePoll) -> None:
        """The connection of this poll was cut from the other side. What is handed out from now on waits for the next
        poll, and if none comes soon, Lightroom has quit."""
        if self._hold is None or self._hold.poll is not poll:
            return
        self._hold.stirred.set()
        self._hold = None
        self._presence.hung_up(self._clock())
        self._rearm()

    def result(self, result: BridgeResult) -> BridgeTaken:
        """Take what a command came to. The same result twice is taken once and acknowledged twice."""
        if self.plugin is not None and self.plugin.session == result.session:
            self._presence.heard(self._clock())
        reception = self._delivery.answer(result.session, result.command_id)
        if reception == "taken":
            self._resolve(result.command_id, result)
        self._stir()
        self._rearm()
        return BridgeTaken(taken=reception != "late")

    # --- what the tools ask ---------------------------------------------------------------------------------

    async def command(self, arguments: Wire, outcome: type[Outcome], *, catalog_id: str | None = None) -> Outcome:
        """Send the command that ``arguments`` belong to and give its outcome. Every failure is a ``BridgeError``.

        With ``catalog_id`` the command is refused (``CATALOG_CHANGED``) when another catalog is open.
        """
        name = command_name(arguments)
        if catalog_id is not None and self.plugin is not None and self.plugin.catalog_id != catalog_id:
            raise ended_without_answer("catalog_changed")
        answer = await self.call(name, msgspec.to_builtins(arguments))
        try:
            return msgspec.convert(answer, outcome, strict=True)
        except msgspec.ValidationError as problem:
            raise unreadable_answer(name, command_terms(name)[0], str(problem)) from problem

    async def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Send a command of the contract and give its result, cleaned but unchecked. Failures are ``BridgeError``.

        When the caller is cancelled, a command that no poll has taken is withdrawn; another keeps its turn to its end.
        """
        command_id = secrets.token_hex(8)
        kind, deadline_s = command_terms(name)
        with self._trace.follow(command_id, name, kind, arguments):
            settled = await self._ask(command_id, name, kind, clean(arguments), deadline_s)
            if isinstance(settled, Ending):
                raise ended_without_answer(settled.cause)
            if settled.error is not msgspec.UNSET:
                raise refused_by_plugin(_cleaned(settled.error), kind)
            if not settled.ok or settled.result is msgspec.UNSET:
                raise unreadable_answer(name, kind, "it has neither a result nor an error")
            return clean(settled.result)

    async def _ask(
        self, command_id: str, name: str, kind: Kind, arguments: dict[str, Any], deadline_s: float
    ) -> BridgeResult | Ending:
        self.tick()
        if self._closing or not self.connected:
            raise offline()
        waiter: asyncio.Future[BridgeResult | Ending] = asyncio.get_running_loop().create_future()
        self._waiters[command_id] = waiter
        self._delivery.add(
            command_id, name=name, kind=kind, arguments=arguments, deadline_s=deadline_s, now=self._clock()
        )
        self._stir()
        self._rearm()
        try:
            return await waiter
        except asyncio.CancelledError:
            self._delivery.abandon(command_id)
            raise
        finally:
            self._waiters.pop(command_id, None)

    # --- state ----------------------------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether the plug-in is there: a poll is held, one was heard within the lease, or it works on a command."""
        return self._hold is not None or self._delivery.in_flight or self._presence.is_here(self._clock())

    @property
    def transport(self) -> Transport:
        """How commands reach Lightroom: in polls that are held, or, where those fail, in short ones."""
        return self._presence.transport

    @property
    def catalog(self) -> CatalogInfo | None:
        """The catalog of the last hello, also while Lightroom is away; None before any."""
        if self.plugin is None:
            return None
        return CatalogInfo(catalog_id=self.plugin.catalog_id, path=self.plugin.catalog_path)

    @property
    def plugin(self) -> BridgeHello | None:
        """The last hello: versions, catalog, session."""
        return self._presence.hello

    def trace(self) -> tuple[TracedCommand, ...]:
        """The newest commands that have ended, newest first."""
        return self._trace.newest()

    def observe(self, observer: Callable[[BridgeHello], None]) -> None:
        """Call ``observer`` at every hello, on the event loop. It must return at once and not raise."""
        self._observers.append(observer)

    async def wait_connected(self, timeout_s: float) -> bool:
        """Wait until the plug-in is there, at most ``timeout_s``; says whether it is."""
        try:
            async with asyncio.timeout(timeout_s):
                while not self.connected:
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            return self.connected
        return True

    def tick(self) -> None:
        """Settle what is overdue by the clock. Runs by itself as real time passes."""
        self._settle(self._delivery.expire(self._clock()))
        if not self.connected:
            self._settle(self._delivery.withdraw_queued("offline"))
        # Reads may be due for another delivery, and an expired write frees the place of the next.
        self._stir()
        self._rearm()

    def closing(self) -> None:
        """Stop: held polls end at once, every open command is settled, new ones are refused."""
        self._closing = True
        self._settle(self._delivery.close())
        self._stir()
        self._rearm()

    # --- inside ---------------------------------------------------------------------------------------------

    def _stir(self) -> None:
        if self._hold is not None:
            self._hold.stirred.set()

    def _settle(self, endings: Iterable[Ending]) -> None:
        for ending in endings:
            self._resolve(ending.command_id, ending)

    def _resolve(self, command_id: str, settled: BridgeResult | Ending) -> None:
        waiter = self._waiters.pop(command_id, None)
        if waiter is not None and not waiter.done():
            waiter.set_result(settled)

    def _rearm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now = self._clock()
        moments = [self._delivery.next_due(now)]
        if self._hold is not None:
            moments.append(self._hold.until)
        elif self._delivery.queued and self._presence.is_here(now):
            moments.append(self._presence.until)
        due = min((moment for moment in moments if moment is not None), default=None)
        if due is None:
            return
        # A timer may fire a little early; with the same clock it would then find nothing due and spin.
        wait = max(0.0, due - now) + 0.001
        self._timer = asyncio.get_running_loop().call_later(wait, self.tick)


def _cleaned(failure: BridgeFailure) -> BridgeFailure:
    return msgspec.structs.replace(failure, code=clean_text(failure.code), message=clean_text(failure.message))
