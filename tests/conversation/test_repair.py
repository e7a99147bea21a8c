"""The rule of the history, restored from whatever a cut left."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.parts import AssistantTurn, History, ToolCall, ToolResult, ToolResults, UserMessage
from safelight.conversation.repair import INTERRUPTED, repair
from tests.requirement import requirement

IDS = st.sampled_from(["a", "b", "c", "a_2"])
TOOLS = st.sampled_from(["look", "rate"])
TEXTS = st.sampled_from(["", " \n", "ja", "one", "two"])
CALLS = st.builds(ToolCall, call_id=IDS, tool=TOOLS, arguments=st.just({}))
RESULTS = st.builds(ToolResult, call_id=IDS, tool=TOOLS, outcome=st.sampled_from(["success", "denied"]), text=TEXTS)
MESSAGES = (
    st.builds(UserMessage, text=TEXTS)
    | st.builds(AssistantTurn, reasoning=TEXTS, text=TEXTS, calls=st.lists(CALLS, max_size=3).map(tuple))
    | st.builds(ToolResults, results=st.lists(RESULTS, max_size=4).map(tuple))
)
HISTORIES = st.lists(MESSAGES, max_size=10).map(tuple)


@st.composite
def right_histories(draw: st.DrawFn) -> History:
    """Histories that hold the rule already."""
    history: list[UserMessage | AssistantTurn | ToolResults] = []
    for _ in range(draw(st.integers(0, 4))):
        history.append(UserMessage(text=draw(st.sampled_from(["hi", "more"]))))
        for _ in range(draw(st.integers(0, 2))):
            place = len(history)
            calls = tuple(
                ToolCall(call_id=f"c{place}.{n}", tool=draw(TOOLS), arguments={})
                for n in range(draw(st.integers(1, 3)))
            )
            results = tuple(
                ToolResult(call_id=call.call_id, tool=call.tool, outcome="success", text=draw(TEXTS)) for call in calls
            )
            history += (AssistantTurn(calls=calls), ToolResults(results=results))
        history.append(AssistantTurn(text="So."))
    return tuple(history)


def blank(message: UserMessage | AssistantTurn) -> bool:
    return not message.text.strip() and not (isinstance(message, AssistantTurn) and message.calls)


def holds_the_rule(history: History) -> bool:
    seen: set[str] = set()
    for place, message in enumerate(history):
        if isinstance(message, ToolResults):
            before = history[place - 1] if place else None
            if not isinstance(before, AssistantTurn) or not before.calls:
                return False
        elif blank(message):
            return False
        elif isinstance(message, AssistantTurn) and message.calls:
            following = history[place + 1] if place + 1 < len(history) else None
            if not isinstance(following, ToolResults):
                return False
            called = [(call.call_id, call.tool) for call in message.calls]
            if [(result.call_id, result.tool) for result in following.results] != called:
                return False
            ids = {call_id for call_id, _ in called}
            if len(ids) < len(called) or ids & seen:
                return False
            seen |= ids
    return True


def encoded(history: History) -> bytes:
    return msgspec.json.encode(history)


@requirement("context.repair", "session.every-call-has-a-result")
@given(HISTORIES)
def test_after_repair_each_call_has_exactly_one_result_right_behind_its_turn(history: History) -> None:
    assert holds_the_rule(repair(history))


@requirement("context.repair")
@given(HISTORIES)
def test_repair_is_idempotent(history: History) -> None:
    once = repair(history)
    assert encoded(repair(once)) == encoded(once)


@requirement("context.repair", "prompt.stable-prefix")
@given(right_histories())
def test_what_is_right_stays_byte_for_byte(history: History) -> None:
    assert holds_the_rule(history)
    assert encoded(repair(history)) == encoded(history)


@requirement("context.repair")
@given(HISTORIES)
def test_nothing_that_was_said_is_lost_or_moved(history: History) -> None:
    def said(messages: History) -> list[tuple[str, list[str]]]:
        return [
            (message.text, [call.tool for call in getattr(message, "calls", ())])
            for message in messages
            if not isinstance(message, ToolResults) and not blank(message)
        ]

    assert said(repair(history)) == said(history)


@requirement("context.repair", "prompt.stable-prefix")
@given(HISTORIES, HISTORIES)
def test_what_comes_later_changes_nothing_of_what_was_repaired_before(history: History, later: History) -> None:
    start = repair(history)
    whole = (*start, *later)
    assert encoded(repair(whole)[: len(start)]) == encoded(start)


@requirement("context.repair", "prompt.stable-prefix")
@given(right_histories(), HISTORIES)
def test_the_repair_of_a_complete_prefix_is_the_prefix_of_the_repair(history: History, later: History) -> None:
    whole = repair((*history, *later))
    for place in range(len(whole) + 1):
        if place == len(whole) or not isinstance(whole[place], ToolResults):
            assert encoded(repair(whole[:place])) == encoded(whole[:place])
    assert encoded(whole[: len(history)]) == encoded(history)


@requirement("context.repair")
@given(HISTORIES)
def test_a_result_is_never_given_twice_and_never_to_a_call_that_it_does_not_name(history: History) -> None:
    left = [(result.call_id, result.text) for m in history if isinstance(m, ToolResults) for result in m.results]
    for message in repair(history):
        for result in message.results if isinstance(message, ToolResults) else ():
            if result.outcome == "interrupted" and result.text == INTERRUPTED:
                continue
            named = [one for one in left if one[1] == result.text and result.call_id.startswith(one[0])]
            assert named
            left.remove(named[0])


def turn(*ids: str) -> AssistantTurn:
    return AssistantTurn(calls=tuple(ToolCall(call_id=call_id, tool="look", arguments={}) for call_id in ids))


def given_for(*ids: str) -> ToolResults:
    return ToolResults(
        results=tuple(ToolResult(call_id=i, tool="look", outcome="success", text=f"of {i}") for i in ids)
    )


def texts(history: History) -> list[list[str]]:
    return [
        [f"{result.call_id}: {result.text}" for result in message.results]
        for message in history
        if isinstance(message, ToolResults)
    ]


HI = UserMessage(text="hi")
LOST = INTERRUPTED


@requirement("context.repair", "session.every-call-has-a-result")
@pytest.mark.parametrize(
    ("history", "results"),
    [
        ((turn("a"), HI), [[f"a: {LOST}"]]),
        ((given_for("a"), HI), []),
        ((turn("a", "b"), given_for("b")), [[f"a: {LOST}", "b: of b"]]),
        ((turn("a"), HI, given_for("a")), [["a: of a"]]),
        ((turn("a", "b"), given_for("b", "a", "z")), [["a: of a", "b: of b"]]),
        ((turn("a"), turn("b"), given_for("a", "b")), [[f"a: {LOST}"], ["b: of b"]]),
        ((turn("a"), given_for("a"), turn("b"), given_for("a")), [["a: of a"], [f"b: {LOST}"]]),
        ((turn("a", "a"), given_for("a", "a")), [["a: of a", "a_2: of a"]]),
        ((turn("a", "a"), given_for("a")), [["a: of a", f"a_2: {LOST}"]]),
        ((turn("a"), given_for("a"), turn("a"), given_for("a")), [["a: of a"], ["a_2: of a"]]),
        ((turn("a", "a_2", "a"), given_for("a", "a_2", "a")), [["a: of a", "a_2: of a_2", "a_3: of a"]]),
        ((turn("a"), AssistantTurn(), given_for("a")), [["a: of a"]]),
    ],
)
def test_what_other_agents_died_of_is_put_right(history: History, results: list[list[str]]) -> None:
    """anthropics/claude-code#2261, anthropics/claude-code#2157, anthropics/claude-code#8867: a call without its
    result made the chat unusable. openclaw/openclaw#10911: a result of a call that was gone stayed."""
    assert texts(repair(history)) == results


@requirement("context.repair")
def test_turns_and_messages_that_say_nothing_are_left_out() -> None:
    history = (
        HI,
        AssistantTurn(reasoning="Hm."),
        AssistantTurn(text=" \n"),
        UserMessage(text=""),
        UserMessage(text="x"),
    )
    assert repair(history) == (HI, UserMessage(text="x"))


@requirement("context.repair")
def test_a_result_bears_the_name_of_the_tool_that_was_called() -> None:
    foreign = ToolResults(results=(ToolResult(call_id="a", tool="", outcome="success", text="7"),))
    (_, answered) = repair((turn("a"), foreign))
    assert isinstance(answered, ToolResults)
    assert answered.results[0].tool == "look"
