"""The plug-in's loop and journal as plain Python, one step at a time, on a line that loses what a test wants lost.

It does what Bridge.lua and Journal.lua do, in steps as small as Lightroom's own pauses, so that anything can come
between two of them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias

from msgspec import UNSET

from safelight.bridge.refusals import HelloNeeded, Superseded
from safelight.wire.models import BridgeCommand, BridgeFailure, BridgeHello, BridgePoll, BridgeResult, BridgeWork
from safelight.wire.tool_table import BRIDGE, COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from safelight.bridge.bridge import Bridge
    from tests.bridge.clock import Clock

__all__ = ("Fate", "Journal", "JournalState", "ModelLightroom", "ModelLoop", "PlainJournal", "World")

Fate: TypeAlias = Literal["arrives", "request_lost", "answer_lost"]
JournalState: TypeAlias = Literal["running", "finished", "forgotten"] | None
LoopState: TypeAlias = Literal["greets", "polls", "waits", "works", "runs", "answers", "over"]

MARGIN_S: Final = 2.0


class Journal(Protocol):
    """Which commands a session has received and what the newest came to."""

    def state(self, command_id: str) -> JournalState: ...
    def answer(self, command_id: str) -> BridgeResult: ...
    def seen(self) -> list[str]: ...
    def begin(self, command_id: str) -> None: ...
    def finish(self, command_id: str, answer: BridgeResult) -> None: ...


class PlainJournal:
    """As small as the contract allows, so that it forgets within a short test."""

    most_ids = 16
    most_answers = 2

    def __init__(self) -> None:
        self._states: dict[str, JournalState] = {}
        self._answers: dict[str, BridgeResult] = {}

    def state(self, command_id: str) -> JournalState:
        return self._states.get(command_id)

    def answer(self, command_id: str) -> BridgeResult:
        return self._answers[command_id]

    def seen(self) -> list[str]:
        return list(self._states)

    def begin(self, command_id: str) -> None:
        self._states[command_id] = "running"
        if len(self._states) > self.most_ids:
            oldest = next(iter(self._states))
            del self._states[oldest]
            self._answers.pop(oldest, None)

    def finish(self, command_id: str, answer: BridgeResult) -> None:
        if command_id not in self._states:
            return
        self._states[command_id] = "finished"
        self._answers[command_id] = answer
        if len(self._answers) > self.most_answers:
            oldest = next(iter(self._answers))
            del self._answers[oldest]
            self._states[oldest] = "forgotten"


class World(Protocol):
    """What the loops share: the service (another one after a restart), time, and the photos."""

    bridge: Bridge
    clock: Clock

    def greeted(self, hello: BridgeHello) -> None: ...
    def polls(self, poll: BridgePoll, polling: asyncio.Task[BridgeWork]) -> None: ...
    def runs(self, command: BridgeCommand) -> None: ...
    def answers(self, command: BridgeCommand, answer: BridgeResult) -> None: ...
    @property
    def events(self) -> asyncio.AbstractEventLoop: ...


class ModelLightroom:
    """One Lightroom with the plug-in: the catalog that is open, and every loop that has not ended yet."""

    def __init__(self, world: World, name: str, catalog_id: str, new_journal: Callable[[], Journal]) -> None:
        self.world = world
        self.name = name
        self.catalog_id = catalog_id
        self.generation = 0
        self.loops: list[ModelLoop] = []
        self._new_journal = new_journal
        self._sessions = 0
        self.load_plugin()

    @property
    def is_at_work(self) -> bool:
        """Whether a loop holds a command."""
        return any(loop.command is not None for loop in self.loops)

    def load_plugin(self) -> None:
        """Start of Lightroom, or Reload: a new session; what the old one's loop has begun goes on."""
        self._sessions += 1
        self._session, self._journal = f"{self.name}-{self._sessions}", self._new_journal()
        self.start_loop()

    def start_loop(self) -> None:
        """A person starts the bridge: a newer generation of the same session."""
        self.generation += 1
        self.loops.append(ModelLoop(self, self._session, self.generation, self._journal))

    def step(self, loop: ModelLoop, fate: Fate, hold_s: float) -> None:
        """Let one loop go on by one step."""
        loop.step(fate, hold_s)
        self.loops = [each for each in self.loops if each.state != "over"]


class ModelLoop:
    """One polling loop."""

    def __init__(self, lightroom: ModelLightroom, session: str, generation: int, journal: Journal) -> None:
        self.state: LoopState = "greets"
        self.session = session
        self.generation = generation
        self.command: BridgeCommand | None = None
        self._lightroom = lightroom
        self._world = lightroom.world
        self._journal = journal
        self._catalog_id = lightroom.catalog_id
        self._polling: asyncio.Task[BridgeWork] | None = None
        self._poll: BridgePoll | None = None
        self._answer: BridgeResult | None = None
        self._gives_up_at = 0.0

    @property
    def is_current(self) -> bool:
        return self._lightroom.generation == self.generation

    def step(self, fate: Fate, hold_s: float) -> None:
        match self.state:
            case "greets":
                self._greet(fate)
            case "polls":
                self._start_poll(fate, hold_s)
            case "waits":
                self._hear(fate)
            case "works":
                self._work()
            case "runs":
                self._run()
            case "answers":
                self._send(fate)
            case "over":
                raise AssertionError("an ended loop goes on")

    def cut(self, *, noticed: bool) -> None:
        """The line of a poll under way is cut; the service may notice."""
        if self._poll is not None and noticed:
            self._world.bridge.hung_up(self._poll)
        self._poll = self._polling = None

    def _greet(self, fate: Fate) -> None:
        if not self.is_current:
            self.state = "over"
            return
        self._catalog_id = self._lightroom.catalog_id
        if fate == "request_lost":
            return
        hello = BridgeHello(
            protocol=BRIDGE.protocol,
            session=self.session,
            generation=self.generation,
            plugin_version="1.0",
            lightroom_version="14.1",
            catalog_id=self._catalog_id,
            catalog_path=f"/photos/{self._catalog_id}.lrcat",
        )
        try:
            self._world.bridge.hello(hello)
        except Superseded:
            self.state = "greets" if fate == "answer_lost" else "over"
        else:
            self._world.greeted(hello)
            self.state = "greets" if fate == "answer_lost" else "polls"

    def _start_poll(self, fate: Fate, hold_s: float) -> None:
        if not self.is_current:
            self.state = "over"
        elif fate == "request_lost" or self._lightroom.catalog_id != self._catalog_id:
            self.state = "greets"
        else:
            seen = self._journal.seen()
            self._poll = BridgePoll(session=self.session, generation=self.generation, seen=seen, hold_s=hold_s)
            self._polling = self._world.events.create_task(self._world.bridge.poll(self._poll))
            self._world.polls(self._poll, self._polling)
            self.state = "waits"

    def _hear(self, fate: Fate) -> None:
        assert self._polling is not None
        if fate != "arrives":
            self.cut(noticed=fate == "request_lost")
            self.state = "greets"
            return
        if not self._polling.done():
            return
        polling, self._polling, self._poll = self._polling, None, None
        problem = polling.exception()
        if problem is not None:
            assert isinstance(problem, HelloNeeded | Superseded)
            self.state = "greets" if isinstance(problem, HelloNeeded) else "over"
        elif not self.is_current:
            # What this answer brings is not noted as received.
            self.state = "over"
        elif (command := polling.result().command) is UNSET:
            self.state = "polls"
        else:
            self.command, self.state = command, "works"
            self._gives_up_at = self._world.clock() + command.deadline_s + MARGIN_S

    def _work(self) -> None:
        assert self.command is not None
        known = self._journal.state(self.command.command_id)
        if known == "running":
            self.command, self.state = None, "polls"
        elif known == "finished":
            self._answer, self.state = self._journal.answer(self.command.command_id), "answers"
        elif known == "forgotten" and COMMANDS[self.command.name][0] != "read":
            self._answer, self.state = self._failed("TIMEOUT_UNKNOWN_OUTCOME"), "answers"
        else:
            self._journal.begin(self.command.command_id)
            self.state = "runs"

    def _run(self) -> None:
        assert self.command is not None
        if self._lightroom.catalog_id == self._catalog_id:
            self._world.runs(self.command)
            self._answer = BridgeResult(
                session=self.session,
                command_id=self.command.command_id,
                ok=True,
                result={"ran": self.command.arguments["number"]},
            )
        else:
            self._answer = self._failed("CATALOG_CHANGED")
        self._journal.finish(self.command.command_id, self._answer)
        self.state = "answers"

    def _send(self, fate: Fate) -> None:
        assert self._answer is not None
        assert self.command is not None
        if fate != "request_lost":
            self._world.answers(self.command, self._answer)
        if fate == "arrives" or self._world.clock() >= self._gives_up_at or not self.is_current:
            self.command, self._answer, self.state = None, None, "polls"

    def _failed(self, code: str) -> BridgeResult:
        assert self.command is not None
        failure = BridgeFailure(code=code, message=code, retriable=False)
        return BridgeResult(session=self.session, command_id=self.command.command_id, ok=False, error=failure)
