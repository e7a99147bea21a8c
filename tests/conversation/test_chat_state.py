"""The state that a page shows is a fold of the chat's events, whatever way the events came."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.chat.frames import numbered
from safelight.conversation.chat_state import (
    CallEntry,
    ChangeEntry,
    ChatState,
    ReturnedEntry,
    RunningText,
    fold,
    folded,
    open_calls,
    open_questions,
)
from safelight.conversation.closing import closing_events
from safelight.wire.models import (
    AssistantTurnEvent,
    ChangeEvent,
    DeltaEvent,
    Event,
    QueuedEvent,
    ResyncEvent,
    SnapshotEvent,
    StoppedEvent,
    UnqueuedEvent,
    UserMessageEvent,
)
from tests.conversation.event_logs import event_logs, numbered_only, seen_by_one_who_joins
from tests.requirement import requirement


def _all(*events: Event) -> list[Event]:
    return [numbered(event, place) for place, event in enumerate(events, start=1)]


@requirement("event.replay-property", "event.numbered")
@given(event_logs())
def test_a_page_that_joins_at_any_moment_comes_to_the_same_state(told: list[Event]) -> None:
    whole = folded(told)
    for place in range(len(told) + 1):
        assert folded(seen_by_one_who_joins(told, place)) == whole


@requirement("event.replay-property", "event.running-snapshot")
@given(event_logs(), st.data())
def test_a_page_that_joins_shows_what_one_that_was_there_shows_at_every_moment(
    told: list[Event], data: st.DataObject
) -> None:
    """aaif-goose/goose#3494: the question was lost when the page was left."""
    place = data.draw(st.integers(0, len(told)), label="joins at")
    there = folded(told[:place])
    seen = seen_by_one_who_joins(told, place)
    arrived = len(seen) - len(told[place:])
    joined = folded(seen[:arrived])
    assert joined == there
    for event in told[place:]:
        there, joined = fold(there, event), fold(joined, event)
        assert joined == there


@requirement("event.replay-property", "event.resync")
@given(event_logs(), st.data())
def test_a_page_that_leaves_and_comes_back_with_its_last_number_misses_nothing(
    told: list[Event], data: st.DataObject
) -> None:
    """assistant-ui/assistant-ui PR#4338: what happened while the page was away was never shown."""
    left, back = sorted(data.draw(st.tuples(*[st.integers(0, len(told))] * 2), label="away between"))
    state = fold(folded(told[:left]), ResyncEvent(reason="behind"))
    for event in seen_by_one_who_joins(told, back, after=state.head):
        state = fold(state, event)
    assert state == folded(told)


@requirement("event.replay-property")
@given(event_logs(), st.data())
def test_who_lacks_what_is_no_longer_kept_goes_on_with_the_oldest_that_is(
    told: list[Event], data: st.DataObject
) -> None:
    log = numbered_only(told)
    had = data.draw(st.integers(0, len(log)), label="had")
    erased = data.draw(st.integers(0, len(log)), label="erased")
    state = folded(log[:had])
    if data.draw(st.booleans(), label="saw a gap") and had + 1 < len(log):
        state = fold(state, log[had + 1])
    for event in seen_by_one_who_joins(log, len(log), after=had, erased=erased):
        state = fold(state, event)
    assert (state.head, state.missing) == (len(log), None)
    if erased <= had:
        assert state == folded(log)


@requirement("event.replay-property")
@given(event_logs(), st.data())
def test_what_comes_twice_changes_nothing(told: list[Event], data: st.DataObject) -> None:
    state = ChatState()
    past: list[Event] = []
    for event in told:
        state = fold(state, event)
        assert fold(state, event) is state
        if not isinstance(event, DeltaEvent):
            past.append(event)
        if past and data.draw(st.booleans(), label="again"):
            assert fold(state, data.draw(st.sampled_from(past))) is state
        if state.running is not None:
            now = SnapshotEvent(reasoning=state.running.reasoning, text=state.running.text, offset=state.running.offset)
            assert fold(state, now) is state


@requirement("event.delta")
@given(event_logs())
def test_the_pieces_make_the_turn_that_follows_them_and_leave_no_running_text(told: list[Event]) -> None:
    state = ChatState()
    for event in told:
        before, state = state, fold(state, event)
        if isinstance(event, AssistantTurnEvent):
            running = before.running or RunningText()
            assert (running.reasoning, running.text) == (event.reasoning, event.text)
            assert state.running is None
    assert state.running is None


@requirement("event.delta")
@given(event_logs())
def test_the_pieces_add_nothing_to_what_is_kept(told: list[Event]) -> None:
    assert folded(told) == folded(numbered_only(told))


@given(event_logs(), st.data())
def test_a_state_is_not_changed_by_what_follows(told: list[Event], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(told)))
    state = folded(told[:place])
    said = repr(state)
    for event in told[place:]:
        fold(state, event)
    assert repr(state) == said


@requirement("event.numbered")
@given(event_logs(), st.data())
def test_an_event_that_comes_too_early_is_refused_and_the_missing_number_is_told(
    told: list[Event], data: st.DataObject
) -> None:
    """Cloudgeni-ai/opengeni PR#43: a reader went on past a gap."""
    log = numbered_only(told)
    lost = data.draw(st.integers(0, len(log) - 2))
    state = before = folded(log[:lost])
    for event in log[lost + 1 :]:
        state = fold(state, event)
        assert (state.missing, state.entries, state.head) == (lost + 1, before.entries, lost)
    for event in log[lost:]:
        state = fold(state, event)
    assert state == folded(log)


@given(event_logs())
def test_every_log_that_has_come_to_its_end_leaves_nothing_open(told: list[Event]) -> None:
    state = folded(told)
    assert not state.busy
    assert open_questions(state) == open_calls(state) == ()
    assert closing_events(ChatState(entries=state.entries)) == []


@requirement("event.replay-property")
@given(event_logs(), st.data())
def test_a_log_cut_anywhere_is_closed_by_its_closing_events(told: list[Event], data: st.DataObject) -> None:
    log = numbered_only(told)
    state = folded(log[: data.draw(st.integers(0, len(log)))])
    waited = state.queue
    for event in closing_events(state):
        state = fold(state, numbered(event, state.head + 1))
    assert (state.busy, state.queue, open_questions(state), open_calls(state)) == (False, (), (), ())
    given_back = [entry.text for entry in state.entries if isinstance(entry, ReturnedEntry)]
    assert given_back[len(given_back) - len(waited) :] == [queued.text for queued in waited]
    assert closing_events(state) == []


@given(event_logs())
def test_calls_that_run_side_by_side_do_not_touch_each_other(told: list[Event]) -> None:
    log = numbered_only(told)
    pairs = [place for place in range(len(log) - 1) if _of_two_calls(log[place], log[place + 1])]
    for place in pairs:
        swapped = [*log[:place], numbered(log[place + 1], place + 1), numbered(log[place], place + 2)]
        one, other = folded(log[: place + 2]), folded(swapped)
        assert [_ended(entry) for entry in one.entries] == [_ended(entry) for entry in other.entries]


def _of_two_calls(one: Any, other: Any) -> bool:
    ids = {getattr(event, "call_id", None) for event in (one, other)}
    announces = any(event.__struct_config__.tag == "tool_call" for event in (one, other))
    return len(ids) == 2 and None not in ids and not announces


def _ended(entry: Any) -> Any:
    if not isinstance(entry, CallEntry):
        return entry
    parts = (entry.question, entry.resolved, entry.result, entry.skipped)
    return (entry.call, entry.status, entry.changed, [part and numbered(part, 1) for part in parts])


@pytest.mark.parametrize(
    ("offset", "text", "shown"),
    [
        pytest.param(0, "Good mor", "Good mor", id="what is there already is dropped"),
        pytest.param(5, "morning", "Good morning", id="an overlap is trimmed"),
        pytest.param(8, "ning", "Good morning", id="the next one is added"),
        pytest.param(9, "ing", "Good mor", id="one beyond is ignored"),
    ],
)
def test_a_piece_counts_as_far_as_it_is_new(offset: int, text: str, shown: str) -> None:
    """arthurzengg/opencui#585: the full text was added to the part that was shown."""
    state = fold(ChatState(), SnapshotEvent(reasoning="", text="Good mor", offset=8))
    running = fold(state, DeltaEvent(kind="text", text=text, offset=offset)).running
    assert running is not None
    assert running.text == shown
    assert running.offset == len(shown)


def test_the_text_of_a_turn_that_was_stopped_is_dropped() -> None:
    state = fold(ChatState(), DeltaEvent(kind="text", text="Half a", offset=0))
    assert fold(state, StoppedEvent(seq=1, reason="user")).running is None


def test_a_message_that_is_given_back_stays_in_the_conversation_and_one_that_was_taken_out_does_not() -> None:
    waiting = [QueuedEvent(seq=0, message_id=name, text=f"text of {name}") for name in ("m1", "m2", "m3")]
    state = folded(
        _all(
            *waiting,
            UnqueuedEvent(seq=0, message_id="m1", reason="removed"),
            UnqueuedEvent(seq=0, message_id="m2", reason="delivered"),
            UserMessageEvent(seq=0, message_id="m2", text="text of m2"),
            UnqueuedEvent(seq=0, message_id="m3", reason="returned"),
        )
    )
    assert state.queue == ()
    assert state.entries == (
        UserMessageEvent(seq=6, message_id="m2", text="text of m2"),
        ReturnedEntry(seq=7, message_id="m3", text="text of m3"),
    )


def test_a_change_is_undone_until_the_undo_is_taken_back() -> None:
    def undone(*changes: tuple[str, str]) -> list[bool]:
        events = [ChangeEvent(seq=0, change_id=own, tool="t", photos=1, undoes=other) for own, other in changes]
        state = folded(_all(ChangeEvent(seq=0, change_id="a", tool="t", photos=1), *events))
        return [entry.undone for entry in state.entries if isinstance(entry, ChangeEntry)]

    assert undone() == [False]
    assert undone(("b", "a")) == [True, False]
    assert undone(("b", "a"), ("c", "b")) == [False, True, False]
    assert undone(("b", "unknown")) == [False, False]


def test_an_event_of_a_call_that_nobody_announced_shows_nothing() -> None:
    assert folded(_all(AssistantTurnEvent(seq=0, reasoning="", text="So."))).entries
    orphan = closing_events(ChatState(busy=True))[0]
    assert folded(_all(orphan)).entries == (StoppedEvent(seq=1, reason="restart"),)
