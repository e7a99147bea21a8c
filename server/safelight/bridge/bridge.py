"""The service's side of the plug-in's long-poll: hello, poll and result from the plug-in, commands from the tools."""

from __future__ import annotations

import asyncio
import secrets
import time
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from safelight.bridge.commands import command_name, command_terms
from safelight.bridge.delivery import Delivery, Ending, PluginLoop
from safelight.bridge.refusals import HelloNeeded, Superseded, WrongProtocol
from safelight.bridge.sentences import ended_without_answer, offline, refused_by_plugin, unreadable_answer
from safelight.bridge.text import clean, clean_text
from safelight.wire.models import BridgeCommand, BridgeTaken, BridgeWelcome, BridgeWork

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from safelight.wire.base import Wire
    from safelight.wire.models import BridgeFailure, BridgeHello, BridgePoll, BridgeResult

__all__ = ("HOLD_S", "LEASE_S", "PROTOCOL", "Bridge", "CatalogInfo")

PROTOCOL: Final = 1
HOLD_S: Final = 20.0
LEASE_S: Final = 30.0

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
    """A poll that is held open."""

    def __init__(self) -> None:
        self.stirred = asyncio.Event()


class Bridge:
    """Commands to Lightroom, delivered by the rules of ``Delivery``. One instance, used on one event loop.

    ``clock`` gives steady seconds. Whoever replaces it calls ``tick`` after moving it.
    """

    def __init__(
        self,
        *,
        version: str = "0",
        hold_s: float = HOLD_S,
        lease_s: float = LEASE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._version = version
        self._hold_s = hold_s
        self._lease_s = lease_s
        self._clock = clock
        self._delivery = Delivery()
        self._waiters: dict[str, asyncio.Future[BridgeResult | Ending]] = {}
        self._observers: list[Callable[[BridgeHello], None]] = []
        self._present: BridgeHello | None = None
        self._hold: _Hold | None = None
        self._contact: float | None = None
        self._arrived = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._closing = False

    # --- what the plug-in says ------------------------------------------------------------------------------

    def hello(self, hello: BridgeHello) -> BridgeWelcome:
        """Make this loop the one that is listened to, and settle what others hold.

        Raises ``WrongProtocol``, or ``Superseded`` when a newer loop of the same session is there already.
        """
        if hello.protocol != PROTOCOL:
            raise WrongProtocol(hello.protocol, PROTOCOL)
        before = self._present
        if before is not None and before.session == hello.session and before.generation > hello.generation:
            raise Superseded
        self._present = hello
        same_catalog = before is None or before.catalog_id == hello.catalog_id
        self._settle(self._delivery.greet(PluginLoop(hello.session, hello.generation), same_catalog=same_catalog))
        self._touch()
        self._stir()
        for observer in tuple(self._observers):
            observer(hello)
        return BridgeWelcome(hold_s=self._hold_s, lease_s=self._lease_s, version=self._version)

    async def poll(self, poll: BridgePoll) -> BridgeWork:
        """The next command, or nothing after ``hold_s``, when a newer poll of the loop comes, or on ``closing``.

        Raises ``HelloNeeded`` (say hello and poll again) or ``Superseded`` (this loop is over), also in mid-hold.
        """
        loop = self._admit(poll)
        if self._hold is not None:
            # The connection of the older poll is dead, or the loop would not poll again: a command given to it is lost.
            self._hold.stirred.set()
        mine = self._hold = _Hold()
        self._touch()
        self._delivery.heard(loop, poll.seen)
        self._rearm()
        try:
            async with asyncio.timeout(self._hold_s):
                while self._hold is mine and not self._closing:
                    self._admit(poll)
                    handout = self._delivery.take(loop, self._clock())
                    if handout is not None:
                        self._rearm()
                        return BridgeWork(command=msgspec.convert(handout, BridgeCommand, from_attributes=True))
                    await mine.stirred.wait()
                    mine.stirred.clear()
        except TimeoutError:
            pass
        finally:
            if self._hold is mine:
                self._hold = None
                self._rearm()
        self._touch()
        return BridgeWork()

    def result(self, result: BridgeResult) -> BridgeTaken:
        """Take what a command came to. The same result twice is taken once and acknowledged twice."""
        if self._present is not None and self._present.session == result.session:
            self._touch()
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
        if catalog_id is not None and self._present is not None and self._present.catalog_id != catalog_id:
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
        kind, deadline_s = command_terms(name)
        self.tick()
        if self._closing or not self.connected:
            raise offline()
        command_id = secrets.token_hex(8)
        waiter: asyncio.Future[BridgeResult | Ending] = asyncio.get_running_loop().create_future()
        self._waiters[command_id] = waiter
        self._delivery.add(
            command_id, name=name, kind=kind, arguments=clean(arguments), deadline_s=deadline_s, now=self._clock()
        )
        self._stir()
        self._rearm()
        try:
            settled = await waiter
        except asyncio.CancelledError:
            self._delivery.abandon(command_id)
            raise
        finally:
            self._waiters.pop(command_id, None)
        if isinstance(settled, Ending):
            raise ended_without_answer(settled.cause)
        if settled.error is not msgspec.UNSET:
            raise refused_by_plugin(_cleaned(settled.error), kind)
        if not settled.ok or settled.result is msgspec.UNSET:
            raise unreadable_answer(name, kind, "it has neither a result nor an error")
        return clean(settled.result)

    # --- state ----------------------------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether the plug-in is there: a poll is held, one was heard within the lease, or it works on a command."""
        if self._hold is not None or self._delivery.in_flight:
            return True
        return self._contact is not None and self._clock() - self._contact < self._lease_s

    @property
    def catalog(self) -> CatalogInfo | None:
        """The catalog of the last hello, also while Lightroom is away; None before any."""
        if self._present is None:
            return None
        return CatalogInfo(catalog_id=self._present.catalog_id, path=self._present.catalog_path)

    @property
    def plugin(self) -> BridgeHello | None:
        """The last hello: versions, catalog, session."""
        return self._present

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

    def _admit(self, poll: BridgePoll) -> PluginLoop:
        present = self._present
        if present is None or (present.session == poll.session and poll.generation > present.generation):
            raise HelloNeeded
        if present.session != poll.session or poll.generation < present.generation:
            raise Superseded
        return PluginLoop(poll.session, poll.generation)

    def _touch(self) -> None:
        self._contact = self._clock()
        self._arrived.set()

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
        due = self._delivery.next_due(now)
        if due is None:
            return
        lease_ends = (self._contact or 0.0) + self._lease_s
        if self._delivery.queued and self._hold is None and lease_ends > now:
            due = min(due, lease_ends)
        # A timer may fire a little early; with the same clock it would then find nothing due and spin.
        wait = max(0.0, due - now) + 0.001
        self._timer = asyncio.get_running_loop().call_later(wait, self.tick)


def _cleaned(failure: BridgeFailure) -> BridgeFailure:
    return msgspec.structs.replace(failure, code=clean_text(failure.code), message=clean_text(failure.message))
