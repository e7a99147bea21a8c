"""The rule of the history, restored from whatever a cut left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.conversation.repair import INTERRUPTED, repair
from tests.requirement import requirement

IDS = st.sampled_from(["a", "b", "c", "d"])
CALLS = st.builds(ToolCall, call_id=IDS, tool=st.just("look"), arguments=st.just({}))
RESULTS = st.builds(
    ToolResult,
    call_id=IDS,
    tool=st.just("look"),
    outcome=st.sampled_from(["success", "denied"]),
    text=st.text(max_size=3),
)
MESSAGES = (
    st.builds(UserMessage, text=st.text(max_size=3))
    | st.builds(
        AssistantTurn,
        text=st.text(max_size=3),
        calls=st.lists(CALLS, max_size=3, unique_by=lambda call: call.call_id).map(tuple),
    )
    | st.builds(ToolResults, results=st.lists(RESULTS, max_size=4).map(tuple))
)
HISTORIES = st.lists(MESSAGES, max_size=10).map(tuple)


def holds_the_rule(history: History) -> bool:
    for place, message in enumerate(history):
        if isinstance(message, AssistantTurn) and message.calls:
            following = history[place + 1] if place + 1 < len(history) else None
            if not isinstance(following, ToolResults):
                return False
            if [result.call_id for result in following.results] != [call.call_id for call in message.calls]:
                return False
        elif isinstance(message, ToolResults):
            before = history[place - 1] if place else None
            if not isinstance(before, AssistantTurn) or not before.calls:
                return False
    return True


@requirement("context.repair", "session.every-call-has-a-result")
@given(HISTORIES)
def test_after_repair_each_call_has_exactly_one_result_right_behind_its_turn(history: History) -> None:
    assert holds_the_rule(repair(history))


@requirement("context.repair")
@given(HISTORIES)
def test_repair_is_idempotent_and_leaves_what_is_right_as_it_is(history: History) -> None:
    once = repair(history)
    assert repair(once) == once
    if holds_the_rule(history):
        assert once == history


@requirement("context.repair")
@given(HISTORIES)
def test_nothing_that_was_said_is_lost_or_moved(history: History) -> None:
    def said(messages: History) -> History:
        return tuple(message for message in messages if not isinstance(message, ToolResults))

    assert said(repair(history)) == said(history)


@requirement("context.repair", "prompt.stable-prefix")
@given(HISTORIES, HISTORIES)
def test_what_comes_later_changes_nothing_of_what_was_repaired_before(history: History, later: History) -> None:
    whole = (*repair(history), *later)
    start = repair(history)
    assert repair(whole)[: len(start)] == start


@requirement("context.repair")
@given(HISTORIES)
def test_a_result_is_never_given_to_a_call_that_it_does_not_name(history: History) -> None:
    given_out = {(r.call_id, r.text) for m in history if isinstance(m, ToolResults) for r in m.results}
    for message in repair(history):
        for result in message.results if isinstance(message, ToolResults) else ():
            made_up = result.outcome == "interrupted" and result.text == INTERRUPTED
            assert made_up or (result.call_id, result.text) in given_out
