"""Who holds which command, as pure state: no clock, no loop, no I/O. Times are seconds of any steady clock.

A command is *queued* until a poll takes it, then *delivered*, and ends exactly once: with the plug-in's answer or with
a ``Cause``. What holds, whatever polls and answers get lost:

* a read is delivered again when its answer may have been lost;
* anything else is delivered a second time only after the same loop of the plug-in has shown by ``seen`` that it never
  received it, and one at a time;
* reads go before the changes that wait for their turn, but only a few of them before each;
* a command that ends ``withdrawn`` (or ``offline``, ``catalog_changed``, ``closing``) has not been started.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("Cause", "Delivery", "Ending", "Handout", "Kind", "PluginLoop", "Reception")

Kind: TypeAlias = Literal["read", "view", "write"]

Cause: TypeAlias = Literal["timeout", "unknown", "withdrawn", "offline", "catalog_changed", "closing"]
"""Why a command ended without an answer. ``timeout``: a read, nothing changed. ``unknown``: it may have happened.
The others: it was never started."""

Reception: TypeAlias = Literal["taken", "repeated", "late"]

KEPT_ANSWERS: Final = 1024
SEEN_FLOOR: Final = 16
"""The plug-in reports at least this many of its newest commands, so a shorter look back is always complete."""

READS_BEFORE_A_CHANGE: Final = 4
"""So many reads may be handed out before a change that waits: a person looks on during a long job, which still ends."""


class PluginLoop(msgspec.Struct, frozen=True):
    """One polling loop: a start of the plug-in and the generation of its loop."""

    session: str
    generation: int


class Handout(msgspec.Struct, frozen=True):
    """A command on its way to the plug-in. ``deadline_s`` counts from the moment it was taken."""

    command_id: str
    name: str
    arguments: dict[str, Any]
    deadline_s: float


class Ending(msgspec.Struct, frozen=True):
    """A command that ended without an answer."""

    command_id: str
    kind: Kind
    cause: Cause


class _Command(msgspec.Struct):
    command_id: str
    name: str
    kind: Kind
    arguments: dict[str, Any]
    deadline_s: float
    queue_until: float
    loop: PluginLoop | None = None
    delivered: bool = False
    delivered_at: float = 0.0
    due: float = 0.0
    order: int = 0
    """Place among all deliveries, from 1; says how far back ``seen`` must reach."""
    waited_for: bool = True
    passed_by: int = 0
    """Reads that were handed out while this was next among the changes."""

    @property
    def stale_at(self) -> float:
        """When a read that was received has probably lost its answer."""
        return self.delivered_at + self.deadline_s / 2


class Delivery:
    """All commands that have not ended."""

    def __init__(self) -> None:
        self._commands: dict[str, _Command] = {}
        self._answered: deque[str] = deque(maxlen=KEPT_ANSWERS)
        self._order: dict[str, int] = {}
        self._deliveries = 0

    def add(
        self, command_id: str, *, name: str, kind: Kind, arguments: dict[str, Any], deadline_s: float, now: float
    ) -> None:
        """Queue a command. It waits up to ``deadline_s`` for a poll and then has ``deadline_s`` to be answered."""
        self._commands[command_id] = _Command(
            command_id=command_id,
            name=name,
            kind=kind,
            arguments=arguments,
            deadline_s=deadline_s,
            queue_until=now + deadline_s,
        )

    def take(self, loop: PluginLoop, now: float) -> Handout | None:
        """The next command for ``loop``, marked as delivered."""
        command = self._next(now)
        if command is None:
            return None
        again = command.delivered
        self._deliveries += 1
        command.loop, command.delivered, command.delivered_at = loop, True, now
        command.order = self._deliveries
        command.due = command.due if again else now + command.deadline_s
        self._remember_order(command)
        return Handout(command.command_id, command.name, command.arguments, command.due - now)

    def heard(self, loop: PluginLoop, seen: Iterable[str]) -> None:
        """A poll of ``loop`` reported its newest commands: queue again what it proves not to have received.

        A loop polls only after its previous poll has ended, so what was delivered to it and is missing never arrived.
        """
        received = frozenset(seen)
        # An id that is unknown here is older than all that is remembered.
        reach = min((self._order.get(i, 0) for i in received), default=self._deliveries + 1)
        for command in tuple(self._commands.values()):
            if not command.delivered or command.loop != loop or command.command_id in received:
                continue
            complete = reach < command.order or self._deliveries - command.order < SEEN_FLOOR
            if complete:
                self._queue_again(command)

    def answer(self, session: str, command_id: str) -> Reception:
        """A result came in. ``taken`` ends the command; ``repeated`` was taken before; ``late`` nobody waits for."""
        command = self._commands.get(command_id)
        if command is None:
            return "repeated" if command_id in self._answered else "late"
        if command.loop is None or command.loop.session != session:
            return "late"
        del self._commands[command_id]
        if not command.waited_for:
            return "late"
        self._answered.append(command_id)
        return "taken"

    def greet(self, loop: PluginLoop, *, same_catalog: bool) -> tuple[Ending, ...]:
        """``loop`` is now the only one that is listened to; settle what other sessions hold.

        An older generation of the same session may still answer a write that it has begun; another session will not.
        """
        ended: list[Ending] = []
        for command in tuple(self._commands.values()):
            foreign = command.delivered and command.loop != loop
            if foreign and command.kind == "read":
                self._queue_again(command)
                if not command.waited_for:
                    continue
            elif foreign and command.loop is not None and command.loop.session != loop.session:
                ended.append(self._end(command, "unknown"))
                continue
            if not same_catalog:
                ended.append(self._end(command, "unknown" if self._may_have_run(command) else "catalog_changed"))
        return tuple(ended)

    def expire(self, now: float) -> tuple[Ending, ...]:
        """End what nobody should wait for any longer."""
        return tuple(self._end(c, self._lateness(c)) for c in tuple(self._commands.values()) if self._expires(c) <= now)

    def withdraw_queued(self, cause: Cause) -> tuple[Ending, ...]:
        """End all commands that no poll has taken (or whose taking was disproved)."""
        return tuple(self._end(c, cause) for c in tuple(self._commands.values()) if not c.delivered)

    def close(self) -> tuple[Ending, ...]:
        """End everything: the service stops."""
        return tuple(
            self._end(c, "unknown" if self._may_have_run(c) else "closing") for c in tuple(self._commands.values())
        )

    def abandon(self, command_id: str) -> None:
        """Nobody waits any more: withdraw it, or let it keep its place until it is answered or due."""
        command = self._commands.get(command_id)
        if command is None:
            return
        if command.delivered:
            command.waited_for = False
        else:
            del self._commands[command_id]

    def next_due(self, now: float) -> float | None:
        """When there is something to do next: to expire a command or to deliver a read again. None: nothing waits."""
        moments = [self._expires(c) for c in self._commands.values()]
        moments += [s for c in self._commands.values() if c.delivered and c.kind == "read" and (s := c.stale_at) > now]
        return min(moments, default=None)

    @property
    def in_flight(self) -> bool:
        """Whether the plug-in holds a command."""
        return any(c.delivered for c in self._commands.values())

    @property
    def queued(self) -> bool:
        """Whether a command waits for a poll."""
        return any(not c.delivered for c in self._commands.values())

    def _next(self, now: float) -> _Command | None:
        offered = [c for c in self._commands.values() if self._is_offered(c, now)]
        read = next((c for c in offered if c.kind == "read"), None)
        if any(self._may_have_run(c) for c in self._commands.values()):
            return read
        change = next((c for c in offered if c.kind != "read"), None)
        if read is None or change is None:
            return read or change
        if change.passed_by >= READS_BEFORE_A_CHANGE:
            return change
        change.passed_by += 1
        return read

    def _queue_again(self, command: _Command) -> None:
        command.delivered = False
        if not command.waited_for:
            # Its caller has left: doing it now would surprise everybody.
            del self._commands[command.command_id]

    def _is_offered(self, command: _Command, now: float) -> bool:
        if not command.delivered:
            return now < command.queue_until
        return command.kind == "read" and command.waited_for and command.stale_at <= now < command.due

    @staticmethod
    def _expires(command: _Command) -> float:
        return command.due if command.delivered else command.queue_until

    @staticmethod
    def _may_have_run(command: _Command) -> bool:
        return command.delivered and command.kind != "read"

    def _lateness(self, command: _Command) -> Cause:
        if self._may_have_run(command):
            return "unknown"
        return "timeout" if command.delivered else "withdrawn"

    def _end(self, command: _Command, cause: Cause) -> Ending:
        del self._commands[command.command_id]
        return Ending(command.command_id, command.kind, cause)

    def _remember_order(self, command: _Command) -> None:
        self._order[command.command_id] = command.order
        if len(self._order) > KEPT_ANSWERS:
            del self._order[next(iter(self._order))]
