"""The bridge's loop: from Lightroom's start to its end, through every way a connection can fail.

Several of these tests stand for what other plug-ins for Lightroom have been through, in public: each names the report.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.lightroom import Catalog, ManualClock, MenuRefused, SimulatedLightroom, drawn_catalog
from tests.plugin.fake_bridge import FakeBridge, outcome
from tests.requirement import requirement


def rating(photo_id: str, stars: int) -> dict[str, Any]:
    return {"undo_name": "Rate", "changes": [{"photo_id": photo_id, "rating": stars}]}


@pytest.fixture
def timed(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> Generator[SimulatedLightroom]:
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as simulated:
        bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
        yield simulated
        assert simulated.errors == ()


def pass_time_until(lightroom: SimulatedLightroom, is_so: Any, limit: float = 60.0) -> float:
    """Moves the clock in short steps until it is so; returns how long that took in virtual seconds."""
    passed = 0.0
    while not is_so():
        assert passed < limit, "it did not happen"
        lightroom.advance(0.25, patience=0.5)
        passed += 0.25
    return passed


@requirement("bridge.long-poll", "plugin.always-on")
def test_lightroom_says_hello_when_it_starts_and_polls(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    """simongaoai-coder's lightroom-mcp: nothing answered before an item of its menu was used."""
    (hello,) = bridge.hellos
    assert (hello.protocol, hello.plugin_version, hello.lightroom_version) == (1, "0.1.0", "14.1")
    assert hello.catalog_path == lightroom.catalog.path
    assert hello.catalog_id == lightroom.catalog.properties["catalogId"]
    assert bridge.polls[0].session == hello.session
    assert bridge.polls[0].generation == hello.generation
    assert bridge.polls[0].seen == []


@requirement("bridge.identity")
def test_the_catalog_keeps_its_id_and_each_start_has_a_session_of_its_own(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    for count in (1, 2):
        with SimulatedLightroom(catalog, data_folder=data_folder):
            bridge.wait_for(lambda count=count: len(bridge.hellos) == count, "hello")
    assert bridge.hellos[0].catalog_id == bridge.hellos[1].catalog_id
    assert bridge.hellos[0].session != bridge.hellos[1].session
    assert catalog.undo_names == ()


@requirement("bridge.identity")
def test_other_catalogs_have_other_ids(bridge: FakeBridge, data_folder: Path) -> None:
    for count in (1, 2):
        with SimulatedLightroom(drawn_catalog(3), data_folder=data_folder):
            bridge.wait_for(lambda count=count: len(bridge.hellos) == count, "hello")
    assert bridge.hellos[0].catalog_id != bridge.hellos[1].catalog_id


@requirement("bridge.identity")
def test_hello_waits_for_the_catalog_when_its_id_cannot_be_stored_yet(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    timed = SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock())
    timed.scheduler.gate.busy_for(12)
    with timed:
        pass_time_until(timed, lambda: bridge.hellos)
        assert bridge.hellos[0].catalog_id == catalog.properties["catalogId"]
        assert timed.errors == ()


@requirement("bridge.long-poll")
def test_a_command_is_answered_at_once_while_a_poll_is_held(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    """Polling in fixed intervals made every call take 3 s (Automaat #21)."""
    bridge.ask("get_state")
    spent: list[float] = []
    for _ in range(9):
        begun = time.perf_counter()
        bridge.ask("find_collections", {"name": "none"})
        spent.append(time.perf_counter() - begun)
    assert sorted(spent)[4] < 0.1


@requirement("bridge.long-poll")
def test_an_empty_poll_is_followed_by_the_next(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.hold = 0.3
    bridge.ask("get_state")
    count = len(bridge.polls)
    bridge.wait_for(lambda: len(bridge.polls) >= count + 3, "three more polls")
    assert len(bridge.hellos) == 1


@requirement("bridge.long-poll")
def test_polls_that_are_not_held_do_not_become_a_busy_loop(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    bridge.hold = 0.0
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as timed:
        bridge.wait_for(lambda: len(bridge.polls) == 1, "the first poll")
        timed.advance(10, patience=5.0)
        assert 15 <= len(bridge.polls) <= 22


@requirement("bridge.long-poll")
def test_while_the_service_is_away_the_plugin_asks_ever_less_often(
    bridge: FakeBridge, timed: SimulatedLightroom, data_folder: Path
) -> None:
    bridge.refuse("hello", 503, times=100)
    bridge.refuse("poll", 503, times=100)
    bridge.send("get_state", {})
    bridge.wait_for(lambda: bool(bridge.results), "the last answer")
    left = len(bridge.refusals["hello"])
    timed.advance(60, patience=5.0)
    asked = left - len(bridge.refusals["hello"])
    assert 11 <= asked <= 16, "1, 2, 4, then every 5 seconds"


@requirement("bridge.long-poll")
def test_a_service_that_comes_back_elsewhere_is_found(
    bridge: FakeBridge, timed: SimulatedLightroom, data_folder: Path
) -> None:
    """Fixed ports clash with other plug-ins (MIDI2LR #708), and a host that restarts leaves connections that are
    stale or split (Automaat #151, #164, #215): the address is read anew for each connection."""
    bridge.close()
    other = FakeBridge(data_folder)
    try:
        passed = pass_time_until(timed, lambda: other.polls)
        assert passed <= 6
        assert other.hellos[0].session == bridge.hellos[0].session
    finally:
        other.close()


@requirement("bridge.long-poll")
def test_without_any_service_nothing_is_asked_and_nothing_fails(catalog: Catalog, data_folder: Path) -> None:
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as timed:
        timed.advance(30)
        assert timed.errors == ()
        assert [level for level, _ in timed.log if level in ("warn", "error")] == []


@requirement("bridge.long-poll")
@pytest.mark.parametrize(
    "runtime",
    [
        b"{",
        b"[]",
        b'{"url": 5}',
        b'{"url": "http://example.org:80"}',
        b'{"url": "http://127.0.0.1@example.org:80"}',
        b'{"url": "https://127.0.0.1:80/x"}',
        b"\xff\xfe",
    ],
)
def test_a_runtime_file_that_names_no_address_of_this_computer_is_not_followed(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path, runtime: bytes
) -> None:
    """A stale or wrong address is the usual reason why a plug-in's server is not found (LrGenius #3, #58,
    #91); here it leads nowhere and is read again."""
    (data_folder / "runtime.json").write_bytes(runtime)
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as timed:
        timed.advance(3)
        assert bridge.hellos == []
        bridge.appear()
        pass_time_until(timed, lambda: bridge.polls)
        assert timed.errors == ()


@requirement("bridge.delivery")
def test_a_write_that_comes_again_is_answered_from_the_journal_and_not_run_again(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    """Bridges that take a command off their queue as they hand it out lose it with the answer; those that hand it out
    again run it twice. Neither happens with ids on both sides."""
    photo = lightroom.catalog.photos()[0]
    command = bridge.send("write_photos", rating(photo.uuid, 2))
    first = bridge.result(command)
    lightroom.catalog.change_photo(photo.local_id, rating=5)
    bridge.send("write_photos", rating(photo.uuid, 2), again=command)
    assert bridge.result(command, 2) == first
    assert lightroom.catalog.photo(photo.uuid).rating == 5
    assert lightroom.catalog.undo_names == ("Rate",)


@requirement("bridge.delivery")
def test_a_command_that_got_lost_on_its_way_is_not_reported_as_seen(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    bridge.lose_answers_to_poll = 1
    polls = len(bridge.polls)
    lost = bridge.send("write_photos", rating(lightroom.catalog.photos()[0].uuid, 2))
    bridge.wait_for(lambda: len(bridge.polls) > polls, "the next poll")
    seen = bridge.send("get_state", {})
    bridge.result(seen)
    bridge.wait_for(lambda: seen in bridge.polls[-1].seen, "the command among the seen ones")
    assert lost not in bridge.polls[-1].seen


@requirement("bridge.delivery")
def test_the_newest_256_commands_are_reported_as_seen(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    sent = [bridge.send("find_collections", {"name": "none"}) for _ in range(300)]
    bridge.result(sent[-1])
    bridge.wait_for(lambda: bridge.polls[-1].seen[-1:] == [sent[-1]], "the last poll")
    assert bridge.polls[-1].seen == sent[-256:]


@requirement("bridge.delivery")
def test_a_write_whose_answer_is_no_longer_kept_is_not_run_again(
    bridge: FakeBridge, lightroom: SimulatedLightroom
) -> None:
    photo = lightroom.catalog.photos()[0]
    command = bridge.send("write_photos", rating(photo.uuid, 2))
    bridge.result(command)
    for number in range(40):
        bridge.ask("find_collections", {"name": f"none {number}"})
    bridge.send("write_photos", rating(photo.uuid, 2), again=command)
    again = bridge.result(command, 2)
    assert not isinstance(again.error, msgspec.UnsetType)
    assert (again.error.code, again.error.retriable) == ("TIMEOUT_UNKNOWN_OUTCOME", False)
    assert lightroom.catalog.undo_names == ("Rate",)


@requirement("bridge.delivery")
def test_a_result_is_posted_until_it_is_taken(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    bridge.refuse("result", 503, times=3)
    command = bridge.send("get_state", {})
    pass_time_until(timed, lambda: bridge.results_of(command))
    assert len(bridge.results_of(command)) == 1
    assert len(bridge.hellos) == 1


@requirement("bridge.delivery")
def test_a_result_that_nobody_takes_is_given_up_after_the_deadline(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    bridge.refuse("result", 503, times=1000)
    command = bridge.send("get_state", {}, deadline=6)
    bridge.wait_for(lambda: len(bridge.refusals["result"]) < 1000, "the first try")
    polls = len(bridge.polls)
    passed = pass_time_until(timed, lambda: len(bridge.polls) > polls)
    assert 5 <= passed <= 12
    assert bridge.results_of(command) == []


@requirement("bridge.delivery")
def test_a_result_that_is_refused_is_not_posted_again(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("result", 400, code="invalid_body", detail="broken")
    command = bridge.send("get_state", {})
    bridge.ask("get_state")
    assert bridge.results_of(command) == []
    assert ("warn", "a result was refused: broken") in lightroom.log


@requirement("bridge.delivery")
def test_a_result_that_is_too_large_becomes_an_error(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    bridge.refuse("result", 413, code="too_large", detail="too large")
    result = bridge.result(bridge.send("get_state", {}))
    assert not isinstance(result.error, msgspec.UnsetType)
    assert result.error.message == "the answer is too large"


@requirement("bridge.long-poll")
def test_a_restarted_service_is_greeted_again_at_once(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    bridge.refuse("poll", 409, code="hello_needed", detail="say hello first")
    bridge.send("get_state", {})
    # the held poll takes the command; the next one is told to say hello, without any time passing
    bridge.wait_for(lambda: len(bridge.hellos) == 2, "the second hello")
    bridge.ask("get_state")


@requirement("bridge.long-poll")
def test_a_loop_that_another_lightroom_replaced_ends_until_the_menu_is_used(
    bridge: FakeBridge, timed: SimulatedLightroom
) -> None:
    bridge.refuse("poll", 409, code="superseded", detail="this loop ends")
    bridge.ask("get_state")
    bridge.wait_for(lambda: not bridge.refusals["poll"], "the refusal")
    polls, hellos = len(bridge.polls), len(bridge.hellos)
    timed.advance(60)
    assert (len(bridge.polls), len(bridge.hellos)) == (polls, hellos)
    assert any("works with another Lightroom now" in view.title for view in timed.manager_section())
    timed.choose_menu_item("Chat with Your Catalog...")
    bridge.wait_for(lambda: len(bridge.polls) > polls, "a new loop")
    assert any("Connected to the Safelight service" in view.title for view in timed.manager_section())
    assert bridge.hellos[-1].generation > bridge.hellos[0].generation


@requirement("bridge.long-poll")
def test_a_service_of_another_protocol_is_named_in_the_manager_and_instead_of_a_chat(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    """An old version on one side was a server that is "not found" (LrGenius #3, #91)."""
    detail = "Update the Safelight plug-in in Lightroom: it is older."
    bridge.refuse("hello", 409, code="wrong_protocol", detail=detail, times=100)
    with SimulatedLightroom(catalog, data_folder=data_folder) as lightroom:
        bridge.wait_for(lambda: len(bridge.refusals["hello"]) < 100, "hello")
        bridge.wait_for(
            lambda: any("Update the Safelight plug-in" in view.title for view in lightroom.manager_section()),
            "the status",
        )
        with pytest.raises(MenuRefused, match="Update the Safelight plug-in in Lightroom"):
            lightroom.choose_menu_item("Chat with Your Catalog...")
    assert bridge.chats == []


@requirement("bridge.long-poll")
def test_after_a_reload_only_the_new_loop_goes_on(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    """Loops and listeners of the old plug-in that live on freeze Lightroom or hold the port (MIDI2LR #342, #433,
    #454; Automaat #28, #50, #62)."""
    bridge.hold = 0.2
    timed.reload_plugin()
    bridge.wait_for(lambda: len(bridge.hellos) == 2, "the hello of the reloaded plug-in")
    old, new = bridge.hellos
    assert (new.session != old.session, new.generation > old.generation) == (True, True)
    bridge.ask("get_state")
    by_old = [poll.generation for poll in bridge.polls].count(old.generation)
    for _ in range(3):
        timed.advance(10)
        bridge.ask("get_state")
    assert [poll.generation for poll in bridge.polls].count(old.generation) == by_old


@requirement("bridge.long-poll")
def test_lightroom_quits_at_once_while_a_poll_is_held(bridge: FakeBridge, catalog: Catalog, data_folder: Path) -> None:
    """Open connections and long sleeps kept Lightroom from quitting (Automaat #195, #209, #212;
    MIDI2LR #838)."""
    bridge.hold = 20.0
    lightroom = SimulatedLightroom(catalog, data_folder=data_folder)
    lightroom.start()
    bridge.wait_for(lambda: bool(bridge.polls), "the first poll")
    begun = time.perf_counter()
    lightroom.close()
    assert time.perf_counter() - begun < 0.5
    assert lightroom.errors == ()


@requirement("bridge.long-poll")
def test_a_stopped_loop_ends_within_half_a_second_of_any_pause(catalog: Catalog, data_folder: Path) -> None:
    """PaulWaldo's lightroom_mcp: Lightroom took 10 to 28 s to quit, while tasks slept."""
    with SimulatedLightroom(catalog, data_folder=data_folder, clock=ManualClock()) as timed:
        timed.advance(20)
        timed.run_menu_script("ShutdownPlugin.lua")
        timed.advance(0.5)
        assert timed.live_tasks == 0


@requirement("bridge.identity")
def test_another_catalog_is_noticed_before_a_command_is_run(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    photo = lightroom.catalog.photos()[0]
    lightroom.catalog.path = "/Users/you/Pictures/Other.lrcat"
    result = bridge.result(bridge.send("write_photos", rating(photo.uuid, 1)))
    assert not isinstance(result.error, msgspec.UnsetType)
    assert result.error.code == "CATALOG_CHANGED"
    bridge.wait_for(lambda: len(bridge.hellos) == 2, "a new hello")
    assert bridge.hellos[1].catalog_path == "/Users/you/Pictures/Other.lrcat"
    assert lightroom.catalog.undo_names == ()


@requirement("bridge.delivery")
def test_answers_that_make_no_sense_do_not_end_the_loop(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    bridge.refuse("poll", 200, code="nothing of the contract")
    bridge.ask("get_state")
    timed.advance(1)
    assert outcome("get_state", bridge.result(bridge.send("get_state", {})))["photo_count"] == 60


@requirement("plugin.always-on")
def test_the_token_never_reaches_the_log(bridge: FakeBridge, timed: SimulatedLightroom) -> None:
    bridge.refuse("poll", 403, code="forbidden", detail="no")
    bridge.ask("get_state")
    pass_time_until(timed, lambda: len(bridge.hellos) == 2)
    assert not [text for _, text in timed.log if "agent-token-of-a-test" in text]


@requirement("bridge.delivery")
def test_an_answer_that_cannot_be_written_becomes_an_error(
    bridge: FakeBridge, catalog: Catalog, data_folder: Path
) -> None:
    def break_state(file: str, source: str) -> str:
        return source.replace("#catalog:getAllPhotos()", "0 / 0") if file == "ReadCommands.lua" else source

    with SimulatedLightroom(catalog, data_folder=data_folder, transform=break_state):
        result = bridge.result(bridge.send("get_state", {}))
    assert not isinstance(result.error, msgspec.UnsetType)
    assert "cannot be sent: a number that JSON cannot hold" in result.error.message
