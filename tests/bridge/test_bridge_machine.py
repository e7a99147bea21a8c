"""The whole bridge on a bad line: whatever is lost, doubled, restarted or replaced, what must hold always holds."""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import Callable
from typing import Any, Final

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import UNSET

from safelight.bridge.bridge import Bridge
from safelight.bridge.trace import KEPT_COMMANDS
from safelight.errors import BridgeError
from safelight.wire.models import BridgeCommand, BridgeHello, BridgePoll, BridgeResult, BridgeWork
from safelight.wire.tool_table import COMMANDS
from tests.bridge.clock import Clock
from tests.bridge.lua_journal import LuaJournal
from tests.bridge.plugin_model import Fate, Journal, ModelLightroom, ModelLoop, PlainJournal
from tests.requirement import requirement

NAMES: Final = ("get_state", "read_photos", "show_photos", "write_photos", "write_photos", "create_collection")
NOT_STARTED: Final = frozenset(["PLUGIN_OFFLINE", "TIMEOUT", "CATALOG_CHANGED"])
UNKNOWN: Final = "TIMEOUT_UNKNOWN_OUTCOME"
MOST_LIGHTROOMS: Final = 2
LONGEST_WAIT_S: Final = 130.0
"""A minute in the queue and a minute under way are the most that any command has."""

FATES: Final = st.sampled_from(["arrives", "arrives", "arrives", "arrives", "request_lost", "answer_lost"])


class Asked(msgspec.Struct):
    """A command that somebody has asked for."""

    name: str
    caller: asyncio.Task[dict[str, Any]]
    handed_out_by: Bridge | None = None
    ran: int = 0
    ending: str = ""
    must_not_run: bool = False

    @property
    def can_change(self) -> bool:
        return COMMANDS[self.name][0] != "read"


class BridgeOnABadLine(RuleBasedStateMachine):
    """The real ``Bridge``, callers, and one or two Lightrooms whose plug-ins keep a journal."""

    @initialize()
    def begin(self) -> None:
        self.events = asyncio.new_event_loop()
        self.clock = Clock()
        self.bridge = Bridge(clock=self.clock)
        self.names = itertools.count(1)
        self.lightrooms: list[ModelLightroom] = []
        self.listened_to: tuple[str, int] | None = None
        self.open_polls: list[tuple[BridgePoll, asyncio.Task[BridgeWork]]] = []
        self.asked: list[Asked] = []
        self.asked_before = 0
        self.start_lightroom("a")
        self.lightroom_goes_on(steps=3)

    def start_lightroom(self, catalog_id: str) -> None:
        self.lightrooms.append(ModelLightroom(self, f"lr{next(self.names)}", catalog_id, self.new_journal))

    # --- the world of the loops -----------------------------------------------------------------------------

    def new_journal(self) -> Journal:
        return PlainJournal()

    def greeted(self, hello: BridgeHello) -> None:
        self.listened_to = (hello.session, hello.generation)

    def polls(self, poll: BridgePoll, polling: asyncio.Task[BridgeWork]) -> None:
        self.open_polls.append((poll, polling))

    def runs(self, command: BridgeCommand) -> None:
        self.of(command).ran += 1

    def answers(self, command: BridgeCommand, answer: BridgeResult) -> None:
        asked = self.of(command)
        is_awaited = not asked.caller.done() and asked.can_change and asked.handed_out_by is self.bridge
        taken = self.bridge.result(answer).taken
        assert taken or not is_awaited, "an answer that somebody waits for is not taken"
        if taken and not asked.ending:
            asked.ending = "answered"

    def of(self, command: BridgeCommand) -> Asked:
        number: int = command.arguments["number"]
        return self.asked[number]

    # --- what people and agents do --------------------------------------------------------------------------

    @rule(names=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
    def ask(self, names: list[str]) -> None:
        for name in names:
            call = self.bridge.call(name, {"number": len(self.asked)})
            self.asked.append(Asked(name, self.events.create_task(call)))
        self.do()

    @precondition(lambda self: any(not asked.caller.done() for asked in self.asked))
    @rule(data=st.data())
    def a_caller_leaves(self, data: st.DataObject) -> None:
        leaves = data.draw(st.sampled_from([a for a in self.asked if not a.caller.done()]))
        leaves.must_not_run = leaves.handed_out_by is None
        self.do(leaves.caller.cancel)

    @rule(data=st.data(), what=st.sampled_from(["starts", "quits", "dies", "reload", "new loop", "open a", "open b"]))
    def something_happens_to_lightroom(self, data: st.DataObject, what: str) -> None:
        if not self.lightrooms or (what == "starts" and len(self.lightrooms) < MOST_LIGHTROOMS):
            self.start_lightroom(data.draw(st.sampled_from(["a", "b"])))
            return
        lightroom = data.draw(st.sampled_from(self.lightrooms))
        if what in ("quits", "dies"):
            self.lightrooms.remove(lightroom)
            self.do(lambda: [loop.cut(noticed=what == "quits") for loop in lightroom.loops])
        elif what == "reload":
            lightroom.load_plugin()
        elif what == "new loop":
            lightroom.start_loop()
        elif what.startswith("open"):
            lightroom.catalog_id = what.removeprefix("open ")

    @precondition(lambda self: any(lightroom.is_at_work for lightroom in self.lightrooms))
    @rule(reloads=st.booleans())
    def a_new_session_comes_in_mid_command(self, reloads: bool) -> None:
        at_work = next(lightroom for lightroom in self.lightrooms if lightroom.is_at_work)
        if reloads:
            at_work.load_plugin()
        else:
            self.lightrooms.remove(at_work)
            self.do(lambda: [loop.cut(noticed=False) for loop in at_work.loops])
            self.start_lightroom(at_work.catalog_id)
        self.lightroom_goes_on(steps=6)

    # --- time and the line ----------------------------------------------------------------------------------

    @precondition(lambda self: any(lightroom.loops for lightroom in self.lightrooms))
    @rule(data=st.data(), fates=st.lists(FATES, min_size=1, max_size=6), hold_s=st.sampled_from([20.0, 20.0, 0.0]))
    def a_loop_goes_on(self, data: st.DataObject, fates: list[Fate], hold_s: float) -> None:
        """Any loop, also one that is over and does not know it yet."""
        loops = [(lightroom, loop) for lightroom in self.lightrooms for loop in lightroom.loops]
        self.go_on(*data.draw(st.sampled_from(loops)), fates, hold_s)

    @precondition(lambda self: any(lightroom.loops for lightroom in self.lightrooms))
    @rule(steps=st.integers(3, 12))
    def lightroom_goes_on(self, steps: int) -> None:
        """The newest loop, and nothing is lost."""
        newest = next(lightroom for lightroom in reversed(self.lightrooms) if lightroom.loops)
        self.go_on(newest, newest.loops[-1], ["arrives"] * steps, 20.0)

    def go_on(self, lightroom: ModelLightroom, loop: ModelLoop, fates: list[Fate], hold_s: float) -> None:
        for fate in fates:
            if loop.state != "over":
                self.do(functools.partial(lightroom.step, loop, fate, hold_s))
                self.check_one_change_at_a_time(loop)

    @rule(seconds=st.sampled_from([0.05, 1.0, 1.0, 3.0, 9.0, 16.0, 31.0, 61.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.do(self.bridge.tick)

    @rule(often=st.integers(0, 2))
    def the_service_restarts(self, often: int) -> None:
        if often:
            # Rarely enough that something happens in between.
            return
        self.do(self.bridge.closing)
        assert all(a.caller.done() for a in self.asked), "a caller waits for a service that is gone"
        self.asked_before = len(self.asked)
        self.bridge, self.listened_to = Bridge(clock=self.clock), None

    def do(self, action: Callable[[], object] = lambda: None) -> None:
        """Do something on the event loop and let every task there go on until all of them wait."""

        async def act() -> None:
            action()
            for _ in range(4):
                await asyncio.sleep(0)

        self.events.run_until_complete(act())
        self.note_what_was_handed_out()
        for number, asked in enumerate(self.asked):
            if asked.caller.done() and asked.ending in ("", "answered"):
                asked.ending = self.ending_of(number, asked)

    def note_what_was_handed_out(self) -> None:
        for poll, polling in [each for each in self.open_polls if each[1].done()]:
            self.open_polls.remove((poll, polling))
            if polling.exception() is None and (command := polling.result().command) is not UNSET:
                assert (poll.session, poll.generation) == self.listened_to, "a command for a loop that was replaced"
                self.of(command).handed_out_by = self.bridge

    # --- what must hold -------------------------------------------------------------------------------------

    def ending_of(self, number: int, asked: Asked) -> str:
        if asked.caller.cancelled():
            return "cancelled"
        problem = asked.caller.exception()
        if problem is None:
            assert asked.caller.result() == {"ran": number}, "the answer of another command"
            assert asked.ran, "reported as done, and never run"
            return "ok"
        assert isinstance(problem, BridgeError)
        code = problem.tool_code
        assert code != UNKNOWN or asked.can_change, "a read changes nothing"
        assert asked.ending != "answered" or code in ("CATALOG_CHANGED", UNKNOWN), "its answer was taken and not told"
        return code

    def check_one_change_at_a_time(self, loop: ModelLoop) -> None:
        under_way = {
            other.command.command_id
            for lightroom in self.lightrooms
            for other in lightroom.loops
            if other.session == loop.session and other.command is not None and other.state in ("works", "runs")
            if self.of(other.command).can_change and not self.of(other.command).ending
        }
        assert len(under_way) <= 1, "two changes at a time"

    @invariant()
    def no_change_runs_twice_and_none_runs_that_was_said_not_to(self) -> None:
        for asked in getattr(self, "asked", []):
            if asked.can_change:
                assert asked.ran <= 1, "a change ran twice"
                assert not asked.ran or asked.ending not in NOT_STARTED, "it ran, and it was said that nothing happened"
                assert not asked.ran or not asked.must_not_run, "it ran, although its caller had left before"

    @invariant()
    def every_command_ends_once(self) -> None:
        if hasattr(self, "bridge"):
            ended = [asked for asked in self.asked[self.asked_before :] if asked.caller.done()]
            assert len(self.bridge.trace()) == min(len(ended), KEPT_COMMANDS)

    def teardown(self) -> None:
        if not hasattr(self, "events"):
            return
        try:
            for _ in range(2):
                self.time_passes(LONGEST_WAIT_S)
            assert all(asked.ending for asked in self.asked), "a caller waits beyond every deadline"
        finally:
            self.do(self.bridge.closing)
            self.events.close()


class BridgeWithTheRealJournal(BridgeOnABadLine):
    """The same with the plug-in's own Journal.lua, as Lightroom runs it."""

    def new_journal(self) -> Journal:
        return LuaJournal()


TestBridge = requirement("bridge.delivery")(BridgeOnABadLine.TestCase)
TestBridge.settings = settings(stateful_step_count=50, max_examples=max(200, settings().max_examples))
TestBridgeWithTheRealJournal = requirement("bridge.delivery")(BridgeWithTheRealJournal.TestCase)
TestBridgeWithTheRealJournal.settings = settings(stateful_step_count=50, max_examples=settings().max_examples // 3)
