"""How the plug-in asks for commands: in held polls, and where Lightroom or the line cuts those, in short ones.

LrSocket is no way out: its answers get lost on both systems (Automaat #110, #225).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from safelight.lightroom import Catalog, ManualClock, SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge
from tests.requirement import requirement

RETRY_S = 600


@pytest.fixture
def timed(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> Generator[SimulatedLightroom]:
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as simulated:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        yield simulated
        assert simulated.errors == ()


@pytest.fixture
def short(bridge: FakeBridge, timed: SimulatedLightroom) -> SimulatedLightroom:
    """On a line that cuts held polls, after the plug-in has found that out."""
    bridge.cut_polls_held_longer_than = 0.0
    bridge.ask("get_state")
    pass_time_until(timed, lambda: holds(bridge)[-1:] == [0])
    return timed


def holds(bridge: FakeBridge) -> list[object]:
    """What each poll asked for, oldest first."""
    return [poll.hold_s for poll in bridge.polls]


def pass_time_until(lightroom: SimulatedLightroom, is_so: Callable[[], bool], limit: float = 60.0) -> float:
    passed = 0.0
    while not is_so():
        assert passed < limit, "it did not happen"
        lightroom.advance(0.25, patience=0.5)
        passed += 0.25
    return passed


@requirement("bridge.long-poll")
def test_hello_and_polls_ask_for_a_long_hold_at_first(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    assert bridge.hellos[0].hold_s == 20
    assert holds(bridge) == [20]


@requirement("bridge.long-poll")
def test_after_two_held_polls_in_a_row_that_are_cut_polls_are_short(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    bridge.cut_polls_held_longer_than = 0.0
    bridge.ask("get_state")
    passed = pass_time_until(timed, lambda: holds(bridge)[-1] == 0)
    assert len(bridge.hellos) == 3, "one after each of the two"
    assert passed < 5
    short = len(bridge.polls) - 1
    timed.advance(20, patience=2.0)
    assert set(holds(bridge)[short:]) == {0}
    assert len([line for line in timed.log if "polls are short" in line[1]]) == 1


@requirement("bridge.long-poll")
def test_one_cut_poll_between_good_ones_changes_nothing(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    for _ in range(4):
        bridge.lose_answers_to_poll = 1
        polls = len(bridge.polls)
        bridge.send("get_state", {})
        pass_time_until(timed, lambda polls=polls: len(bridge.polls) > polls)
        bridge.ask("get_state")
    assert set(holds(bridge)) == {20}


@requirement("bridge.long-poll")
def test_a_service_that_goes_away_is_no_reason_for_short_polls(
    bridge: FakeBridge, timed: SimulatedLightroom, data_folder: Path
) -> None:
    services = [bridge]
    try:
        for _ in range(3):
            services[-1].close()
            # Time for a hello that nobody answers.
            timed.advance(1.5, patience=0.5)
            services.append(FakeBridge(data_folder))
            pass_time_until(timed, lambda: bool(services[-1].polls))
            assert holds(services[-1]) == [20]
    finally:
        for service in services[1:]:
            service.close()


@requirement("bridge.long-poll")
def test_held_polls_that_come_back_far_too_late_count_as_cut(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    for _ in range(2):
        polls = len(bridge.polls)
        timed.advance(26)
        bridge.send("get_state", {})
        bridge.wait_for(lambda polls=polls: len(bridge.polls) > polls, "the next poll")
    assert holds(bridge)[-1] == 0


@requirement("bridge.long-poll")
def test_short_polls_are_close_together_only_while_commands_come(bridge: FakeBridge, short: SimulatedLightroom) -> None:
    short.advance(10, patience=2.0)
    counted = len(bridge.polls)
    short.advance(10, patience=2.0)
    assert 9 <= len(bridge.polls) - counted <= 11, "one each second"
    command = bridge.send("get_state", {})
    assert pass_time_until(short, lambda: bool(bridge.results_of(command))) <= 1
    counted = len(bridge.polls)
    short.advance(3, patience=2.0)
    assert 50 <= len(bridge.polls) - counted <= 61, "one each 50 ms"
    short.advance(10, patience=2.0)
    counted = len(bridge.polls)
    short.advance(10, patience=2.0)
    assert 9 <= len(bridge.polls) - counted <= 11, "one each second again"


@requirement("bridge.long-poll")
def test_a_new_connection_remembers_that_held_polls_are_cut(bridge: FakeBridge, short: SimulatedLightroom) -> None:
    hellos, polls = len(bridge.hellos), len(bridge.polls)
    bridge.refuse("poll", 409, code="hello_needed", detail="say hello first")
    pass_time_until(short, lambda: len(bridge.hellos) > hellos)
    short.advance(3, patience=1.0)
    assert bridge.hellos[-1].hold_s == 0
    assert set(holds(bridge)[polls:]) == {0}


@requirement("bridge.long-poll")
def test_held_polls_are_tried_again_later_and_kept_when_they_work(
    bridge: FakeBridge, short: SimulatedLightroom
) -> None:
    bridge.cut_polls_held_longer_than = None
    passed = pass_time_until(short, lambda: holds(bridge)[-1] == 20, RETRY_S + 10)
    assert passed > RETRY_S - 30
    bridge.ask("get_state")
    bridge.ask("get_state")
    assert holds(bridge)[-1] == 20


@requirement("bridge.long-poll")
def test_one_failure_is_enough_when_held_polls_are_tried_again(bridge: FakeBridge, short: SimulatedLightroom) -> None:
    pass_time_until(short, lambda: holds(bridge)[-1] == 20, RETRY_S + 10)
    tried = len(bridge.polls)
    short.advance(30, patience=2.0)
    assert set(holds(bridge)[tried:]) == {0}


@requirement("bridge.long-poll")
def test_nothing_is_tried_again_while_commands_come(bridge: FakeBridge, short: SimulatedLightroom) -> None:
    short.advance(RETRY_S - 20, patience=2.0)
    tried = len(bridge.polls)
    for _ in range(10):
        command = bridge.send("get_state", {})
        pass_time_until(short, lambda command=command: bool(bridge.results_of(command)))
        short.advance(4, patience=2.0)
    assert set(holds(bridge)[tried:]) == {0}


@requirement("bridge.long-poll")
@pytest.mark.parametrize("welcome", [{}, {"hold_s": "long", "busy_poll_s": None, "idle_poll_s": -1}, {"hold_s": 1e9}])
def test_a_welcome_that_makes_no_sense_leaves_the_usual_times(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, welcome: dict[str, object]
) -> None:
    bridge.welcome = welcome
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as timed:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        assert holds(bridge) == [20]
        assert timed.errors == ()
