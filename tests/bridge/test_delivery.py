"""The rules by which commands are delivered, on plain values."""

from __future__ import annotations

import pytest

from safelight.bridge.delivery import READS_BEFORE_A_CHANGE, Cause, Delivery, Ending, Kind, PluginLoop

LOOP = PluginLoop("session-1", 1)


def delivery_with(*commands: tuple[str, Kind], now: float = 0.0, deadline_s: float = 30.0) -> Delivery:
    delivery = Delivery()
    for command_id, kind in commands:
        delivery.add(command_id, name=kind, kind=kind, arguments={}, deadline_s=deadline_s, now=now)
    return delivery


def take(delivery: Delivery, loop: PluginLoop = LOOP, now: float = 0.0) -> str | None:
    handout = delivery.take(loop, now)
    return None if handout is None else handout.command_id


def ends(*endings: tuple[str, Kind, Cause]) -> tuple[Ending, ...]:
    return tuple(Ending(*ending) for ending in endings)


def test_commands_are_handed_out_in_the_order_in_which_they_came() -> None:
    delivery = delivery_with(("a", "read"), ("b", "read"))
    assert [take(delivery), take(delivery), take(delivery)] == ["a", "b", None]


def test_a_command_has_its_whole_deadline_from_the_moment_it_is_taken() -> None:
    delivery = delivery_with(("a", "write"), deadline_s=30.0)
    handout = delivery.take(LOOP, 25.0)
    assert handout is not None
    assert handout.deadline_s == 30.0
    assert delivery.expire(54.9) == ()
    assert delivery.expire(55.0) == ends(("a", "write", "unknown"))


def test_only_one_change_is_under_way_and_reads_pass_those_that_wait() -> None:
    delivery = delivery_with(("w1", "write"), ("w2", "write"), ("v", "view"), ("r", "read"))
    assert [take(delivery), take(delivery), take(delivery)] == ["r", "w1", None]
    assert delivery.answer(LOOP.session, "w1") == "taken"
    assert take(delivery) == "w2"


def test_between_the_pieces_of_a_long_job_reads_go_first_and_the_job_still_goes_on() -> None:
    reads: list[tuple[str, Kind]] = [(f"r{n}", "read") for n in range(100)]
    delivery = delivery_with(("w0", "write"), *reads)
    order: list[str] = []
    for piece in range(1, 6):
        while order[-1:] != [f"w{piece - 1}"]:
            order.append(take(delivery) or "nothing is left")
            assert delivery.answer(LOOP.session, order[-1]) == "taken"
        delivery.add(f"w{piece}", name="write", kind="write", arguments={}, deadline_s=30.0, now=0.0)
    waited = [i for i, command_id in enumerate(order) if command_id.startswith("w")]
    step = READS_BEFORE_A_CHANGE + 1
    assert waited == [step * piece - 1 for piece in range(1, 6)]


@pytest.mark.parametrize("kind", ["read", "view", "write"])
def test_what_the_plugin_has_not_received_is_delivered_again(kind: Kind) -> None:
    delivery = delivery_with(("a", kind))
    assert take(delivery) == "a"
    delivery.heard(LOOP, seen=[])
    assert take(delivery) == "a"


@pytest.mark.parametrize("kind", ["view", "write"])
def test_a_change_that_the_plugin_has_received_is_never_delivered_again(kind: Kind) -> None:
    delivery = delivery_with(("a", kind))
    assert take(delivery) == "a"
    for now in (1.0, 16.0, 29.0):
        delivery.heard(LOOP, seen=["a"])
        assert take(delivery, now=now) is None


def test_a_read_that_was_received_and_stays_unanswered_is_delivered_again_within_its_deadline() -> None:
    delivery = delivery_with(("a", "read"), deadline_s=30.0)
    assert take(delivery, now=0.0) == "a"
    delivery.heard(LOOP, seen=["a"])
    assert take(delivery, now=14.9) is None
    assert delivery.next_due(14.9) == 15.0
    handout = delivery.take(LOOP, 20.0)
    assert handout is not None
    assert handout.deadline_s == 10.0
    assert delivery.expire(30.0) == ends(("a", "read", "timeout"))


def test_absence_from_a_short_list_is_no_proof_once_the_list_may_have_forgotten_it() -> None:
    reads: list[tuple[str, Kind]] = [(f"r{n}", "read") for n in range(40)]
    delivery = delivery_with(("w", "write"), *reads)
    assert [take(delivery) for _ in range(41)].index("w") == READS_BEFORE_A_CHANGE
    delivery.heard(LOOP, seen=[f"r{n}" for n in range(30, 40)])
    again = [take(delivery) for _ in range(41)]
    assert "w" not in again, "ten newer ids say nothing about one delivered forty commands before"


def test_absence_from_a_list_that_reaches_further_back_is_proof() -> None:
    reads: list[tuple[str, Kind]] = [(f"r{n}", "read") for n in range(40)]
    delivery = delivery_with(("first", "read"), ("w", "write"), *reads)
    for _ in range(42):
        take(delivery)
    delivery.heard(LOOP, seen=["first", *(f"r{n}" for n in range(40))])
    assert take(delivery) == "w"


def test_a_proof_of_another_loop_counts_for_nothing() -> None:
    delivery = delivery_with(("w", "write"))
    assert take(delivery) == "w"
    newer = PluginLoop("session-1", 2)
    assert delivery.greet(newer, same_catalog=True) == ()
    delivery.heard(newer, seen=[])
    assert take(delivery, newer) is None


def test_the_older_loop_of_a_session_may_still_answer_its_write() -> None:
    delivery = delivery_with(("w", "write"))
    take(delivery)
    delivery.greet(PluginLoop("session-1", 2), same_catalog=True)
    assert delivery.answer("session-1", "w") == "taken"


def test_another_session_gets_the_reads_of_a_dead_one_and_its_writes_end_unknown() -> None:
    delivery = delivery_with(("r", "read"), ("w", "write"), ("waiting", "write"))
    assert [take(delivery), take(delivery)] == ["r", "w"]
    newer = PluginLoop("session-2", 1)
    assert delivery.greet(newer, same_catalog=True) == ends(("w", "write", "unknown"))
    assert [take(delivery, newer), take(delivery, newer)] == ["r", "waiting"]


def test_with_another_catalog_nothing_of_the_old_one_is_delivered() -> None:
    delivery = delivery_with(("r", "read"), ("w", "write"), ("waiting", "write"))
    take(delivery)
    take(delivery)
    newer = PluginLoop("session-2", 1)
    assert delivery.greet(newer, same_catalog=False) == ends(
        ("r", "read", "catalog_changed"), ("w", "write", "unknown"), ("waiting", "write", "catalog_changed")
    )
    assert take(delivery, newer) is None


def test_the_same_loop_with_another_catalog_ends_what_is_under_way() -> None:
    delivery = delivery_with(("w", "write"))
    take(delivery)
    delivery.add("waiting", name="read", kind="read", arguments={}, deadline_s=30.0, now=0.0)
    assert delivery.greet(LOOP, same_catalog=False) == ends(
        ("w", "write", "unknown"), ("waiting", "read", "catalog_changed")
    )


def test_a_command_that_no_poll_took_is_withdrawn_at_its_deadline() -> None:
    delivery = delivery_with(("w", "write"), ("r", "read"), deadline_s=30.0)
    assert delivery.expire(30.0) == ends(("w", "write", "withdrawn"), ("r", "read", "withdrawn"))
    assert take(delivery, now=30.0) is None


def test_a_write_that_never_arrived_and_is_too_late_to_send_again_is_withdrawn() -> None:
    delivery = delivery_with(("w", "write"), deadline_s=30.0)
    take(delivery, now=20.0)
    delivery.heard(LOOP, seen=[])
    assert take(delivery, now=35.0) is None
    assert delivery.expire(35.0) == ends(("w", "write", "withdrawn"))


def test_a_result_is_taken_once_and_acknowledged_again() -> None:
    delivery = delivery_with(("a", "read"))
    take(delivery)
    assert [delivery.answer(LOOP.session, "a"), delivery.answer(LOOP.session, "a")] == ["taken", "repeated"]


def test_a_result_after_the_deadline_a_foreign_one_and_an_unknown_one_are_late() -> None:
    delivery = delivery_with(("a", "read"), ("b", "read"), ("c", "read"), deadline_s=5.0)
    take(delivery)
    take(delivery)
    assert delivery.answer("session-9", "b") == "late"
    assert delivery.answer(LOOP.session, "c") == "late", "it was never delivered"
    delivery.expire(5.0)
    assert [delivery.answer(LOOP.session, i) for i in ("a", "nonsense")] == ["late", "late"]


def test_an_answer_counts_even_when_the_command_was_thought_lost() -> None:
    delivery = delivery_with(("w", "write"))
    take(delivery)
    delivery.heard(LOOP, seen=[])
    assert delivery.answer(LOOP.session, "w") == "taken"
    assert take(delivery) is None


def test_an_abandoned_command_is_withdrawn_or_keeps_its_place_until_it_is_over() -> None:
    delivery = delivery_with(("w1", "write"), ("w2", "write"), ("w3", "write"))
    take(delivery)
    delivery.abandon("w1")
    delivery.abandon("w2")
    assert take(delivery) is None, "the change that nobody waits for may still be running"
    assert delivery.answer(LOOP.session, "w1") == "late"
    assert take(delivery) == "w3"


@pytest.mark.parametrize("kind", ["read", "view", "write"])
def test_what_nobody_waits_for_is_not_sent_again_when_it_turns_out_to_be_lost(kind: Kind) -> None:
    delivery = delivery_with(("a", kind))
    take(delivery)
    delivery.abandon("a")
    delivery.heard(LOOP, seen=[])
    assert take(delivery) is None
    assert not delivery.in_flight


def test_closing_ends_everything_and_says_what_may_have_happened() -> None:
    delivery = delivery_with(("w1", "write"), ("r", "read"), ("w2", "write"))
    take(delivery)
    take(delivery)
    assert delivery.close() == ends(("w1", "write", "unknown"), ("r", "read", "closing"), ("w2", "write", "closing"))
    assert (delivery.in_flight, delivery.queued, delivery.next_due(0.0)) == (False, False, None)
