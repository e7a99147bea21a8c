"""The rules of delivery against a plug-in that does worse than the real one: it runs whatever reaches it, whenever, and
keeps no journal. What must hold holds all the same. (test_bridge_machine.py has the whole bridge and a plug-in true to
life.)"""

from __future__ import annotations

import itertools

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from safelight.bridge.delivery import Cause, Delivery, Ending, Kind, PluginLoop
from tests.requirement import requirement

CERTAINLY_NOT_STARTED: frozenset[Cause] = frozenset(["withdrawn", "offline", "catalog_changed", "closing"])


class BridgeOverABadLine(RuleBasedStateMachine):
    """The service's delivery, and a plug-in that runs whatever reaches it without looking whether it came before."""

    @initialize()
    def start(self) -> None:
        self.delivery = Delivery()
        self.now = 0.0
        self.sessions = itertools.count(1)
        self.loop = PluginLoop("session-0", 0)
        self.ids = itertools.count(1)
        self.kinds: dict[str, Kind] = {}
        self.seen: list[str] = []
        self.on_the_way: dict[str, PluginLoop] = {}
        self.received: dict[str, PluginLoop] = {}
        self.runs: dict[str, int] = {}
        self.ended: dict[str, str] = {}
        self.abandoned: set[str] = set()

    def settle(self, endings: tuple[Ending, ...]) -> None:
        for ending in endings:
            how = self.ended.get(ending.command_id, "abandoned")
            assert how == "abandoned", "a command ends once"
            self.ended[ending.command_id] = ending.cause
            if ending.cause == "unknown":
                assert ending.kind != "read"
            if ending.kind != "read" and ending.cause in CERTAINLY_NOT_STARTED:
                assert ending.command_id not in self.received, "it was said not to have started"
                assert ending.command_id not in self.on_the_way, "it was said not to start"

    def is_under_way(self, command_id: str) -> bool:
        return command_id in self.received and command_id not in self.ended and self.kinds[command_id] != "read"

    @rule(kind=st.sampled_from(["read", "view", "write", "write"]), deadline_s=st.sampled_from([30.0, 60.0]))
    def ask(self, kind: Kind, deadline_s: float) -> None:
        command_id = f"c{next(self.ids)}"
        self.kinds[command_id] = kind
        self.delivery.add(command_id, name=kind, kind=kind, arguments={}, deadline_s=deadline_s, now=self.now)

    @rule(after=st.sampled_from([0.0, 6.0, 16.0, 31.0]), fate=st.sampled_from(["arrives", "arrives", "lost", "late"]))
    def poll(self, after: float, fate: str) -> None:
        self.pass_time(after)
        # A loop polls only when its last poll is over: what has not arrived by now never does.
        self.on_the_way = {i: loop for i, loop in self.on_the_way.items() if loop != self.loop}
        self.delivery.heard(self.loop, self.seen[-32:])
        handout = self.delivery.take(self.loop, self.now)
        if handout is None:
            return
        command_id = handout.command_id
        assert handout.deadline_s > 0
        assert command_id not in self.ended
        assert command_id not in self.abandoned, "nobody waits for it any more"
        if self.kinds[command_id] != "read":
            assert command_id not in self.received, "a change that arrived is handed out again"
            assert command_id not in self.on_the_way, "a change that may still arrive is handed out again"
            assert not [i for i in self.received if self.is_under_way(i)], "two changes at a time"
        if fate == "arrives":
            self.arrive(command_id, self.loop)
        elif fate == "late":
            self.on_the_way[command_id] = self.loop

    @precondition(lambda self: bool(self.on_the_way))
    @rule()
    def old_poll_arrives(self) -> None:
        """Also at a loop that has been replaced since."""
        command_id, loop = self.on_the_way.popitem()
        self.arrive(command_id, loop)

    @precondition(lambda self: bool(self.received))
    @rule(data=st.data(), times=st.integers(0, 2))
    def run(self, data: st.DataObject, times: int) -> None:
        """Run what was received and answer; also long after the service has given up, and in a dead session."""
        command_id = data.draw(st.sampled_from(sorted(self.received)))
        if self.kinds[command_id] == "read" or command_id not in self.runs:
            self.runs[command_id] = self.runs.get(command_id, 0) + 1
        assert self.delivery.answer("a stranger", command_id) != "taken"
        receptions = [self.delivery.answer(self.received[command_id].session, command_id) for _ in range(times)]
        if "taken" in receptions:
            assert receptions.count("taken") == 1
            assert command_id not in self.ended, "an ended command is answered"
            assert command_id not in self.abandoned
            self.ended[command_id] = "answered"
        elif self.ended.get(command_id) != "answered":
            assert "repeated" not in receptions
            if command_id in self.abandoned and receptions:
                self.ended.setdefault(command_id, "abandoned")

    @rule()
    def loop_restarts(self) -> None:
        self.loop = PluginLoop(self.loop.session, self.loop.generation + 1)
        self.settle(self.delivery.greet(self.loop, same_catalog=True))

    @rule(same_catalog=st.booleans(), dead_line=st.booleans())
    def plugin_restarts(self, same_catalog: bool, dead_line: bool) -> None:
        if dead_line:
            self.settle(self.delivery.withdraw_queued("offline"))
        self.loop = PluginLoop(f"session-{next(self.sessions)}", 0)
        self.seen = []
        self.settle(self.delivery.greet(self.loop, same_catalog=same_catalog))

    @precondition(lambda self: any(i not in self.ended for i in self.kinds))
    @rule(data=st.data())
    def caller_leaves(self, data: st.DataObject) -> None:
        command_id = data.draw(st.sampled_from(sorted(i for i in self.kinds if i not in self.ended)))
        self.delivery.abandon(command_id)
        self.abandoned.add(command_id)
        if command_id not in self.received and command_id not in self.on_the_way:
            # Withdrawn, or handed out into nothing.
            self.ended.setdefault(command_id, "abandoned")

    def arrive(self, command_id: str, loop: PluginLoop) -> None:
        if loop.session == self.loop.session and command_id not in self.seen:
            self.seen.append(command_id)
        self.received[command_id] = loop

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.settle(self.delivery.expire(self.now))
        due = self.delivery.next_due(self.now)
        assert due is None or due > self.now, "nothing overdue is left"

    @invariant()
    def what_was_answered_was_run(self) -> None:
        for command_id, how in self.ended.items():
            if how == "answered":
                assert self.runs.get(command_id)

    def teardown(self) -> None:
        if not hasattr(self, "delivery"):
            return
        self.settle(self.delivery.close())
        # Every command that somebody still waited for has ended in one way.
        assert all(i in self.ended for i in self.kinds if i not in self.abandoned)


TestDelivery = requirement("bridge.delivery")(BridgeOverABadLine.TestCase)
TestDelivery.settings = settings(stateful_step_count=80, max_examples=max(150, settings().max_examples))
