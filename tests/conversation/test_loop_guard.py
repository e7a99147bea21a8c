"""Calls compared by what they mean, not by how they are written."""

from __future__ import annotations

import json
import random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.loop_guard import LoopGuard
from safelight.conversation.normal_form import canonical, digest_of, normalised
from safelight.conversation.parts import Outcome, ToolCall, ToolResult
from tests.requirement import requirement

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
ARGUMENTS = st.dictionaries(st.text(max_size=3), VALUES, max_size=4)


def shuffled(value: Any, dice: random.Random) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, dict):
        items = [(key, shuffled(item, dice)) for key, item in cast("dict[str, Any]", value).items()]
        dice.shuffle(items)
        return dict(items)
    if isinstance(value, list):
        return [shuffled(item, dice) for item in cast("list[Any]", value)]
    return value


@requirement("session.repeat-refused")
@given(arguments=ARGUMENTS, dice=st.randoms(use_true_random=False))
def test_the_order_of_keys_makes_no_other_call(arguments: dict[str, Any], dice: random.Random) -> None:
    again = shuffled(arguments, dice)
    assert digest_of(again) == digest_of(arguments)
    assert LoopGuard().with_call("look", arguments).seen("look", again)


@given(one=ARGUMENTS, other=ARGUMENTS)
def test_other_arguments_are_another_call(one: dict[str, Any], other: dict[str, Any]) -> None:
    guard = LoopGuard().with_call("look", one)
    assert guard.seen("look", other) == (canonical(normalised(one)) == canonical(normalised(other)))
    assert not guard.seen("rate", one)


@given(arguments=ARGUMENTS)
def test_the_normal_form_is_json_of_the_same_value_and_its_own_normal_form(arguments: dict[str, Any]) -> None:
    form = canonical(arguments)
    assert json.loads(form) == arguments
    assert canonical(json.loads(form)) == form


@requirement("session.repeat-refused")
@given(cycle=st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_a_cycle_of_any_length_is_seen_at_its_second_beginning(cycle: list[int]) -> None:
    """NousResearch/hermes-agent#512, NousResearch/hermes-agent PR#69695: cycles of several calls were not seen."""
    guard = LoopGuard()
    made: list[int] = []
    for n in cycle * 2:
        if guard.seen("look", {"n": n}):
            break
        guard = guard.with_call("look", {"n": n})
        made.append(n)
    assert made == list(dict.fromkeys(cycle))[: len(made)]
    assert len(made) <= len(cycle)


def test_a_guard_does_not_change() -> None:
    guard = LoopGuard()
    guard.with_call("look", {})
    assert not guard.seen("look", {})


@requirement("session.repeat-refused")
@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ({"n": 4}, {"n": 4.0}, True),
        ({"n": 0}, {"n": -0.0}, True),
        ({"n": [1, {"m": 2.0}]}, {"n": [1.0, {"m": 2}]}, True),
        ({"word": "Z\u00fcrich"}, {"word": "Zu\u0308rich"}, True),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"n": 4}, {"n": 4.5}, False),
        ({"n": 4}, {"n": "4"}, False),
        ({"n": 1}, {"n": True}, False),
        ({"n": None}, {}, False),
        ({"word": "sea"}, {"word": "Sea"}, False),
        ({"word": "sea"}, {"word": "sea "}, False),
        ({"ids": ["a", "b"]}, {"ids": ["b", "a"]}, False),
        ({"n": 2.0**60}, {"n": 2**60}, False),
    ],
)
def test_what_is_merely_written_otherwise_is_the_same_call(
    one: dict[str, Any], other: dict[str, Any], alike: bool
) -> None:
    """HKUDS/nanobot PR#5344, hackerai PR#360: a call that was written otherwise counted as another."""
    assert LoopGuard().with_call("look", one).seen("look", other) == alike
    assert LoopGuard().with_call("look", other).seen("look", one) == alike


@given(value=VALUES | st.floats(allow_nan=False, allow_infinity=False))
def test_to_normalise_twice_changes_no_more(value: Any) -> None:
    once = normalised(value)
    assert canonical(normalised(once)) == canonical(once)


@requirement("session.repeat-refused")
@pytest.mark.parametrize(
    ("outcome", "text", "told"),
    [
        ("success", "two photos", ["It succeeded", "Use that result"]),
        ("failed", "NO_SELECTION: Select photos first.", ["It failed: NO_SELECTION", "Change what the error names"]),
        ("denied", "The user did not allow this.", ["It was not allowed", "Do without it"]),
        ("interrupted", "It was cut.", ["It did not get through: It was cut.", "what was not done"]),
    ],
)
def test_a_refusal_says_what_was_tried_how_it_ended_and_what_to_do_instead(
    outcome: Outcome, text: str, told: list[str]
) -> None:
    tried = ToolCall(call_id="c1", tool="look", arguments={"word": "x" * 500, "n": 1})
    guard = LoopGuard().with_call(tried.tool, tried.arguments)
    guard = guard.with_result(tried, ToolResult(call_id="c1", tool="look", outcome=outcome, text=text))
    refusal = guard.refusal("look", {"n": 1.0, "word": "x" * 500})
    assert refusal.startswith('You called look with {"n":1,"word":"xxx')
    assert all(part in refusal for part in told)
    assert "circles" not in refusal
    assert len(refusal) < 700


@requirement("session.repeat-refused")
def test_a_refusal_within_a_cycle_names_the_calls_that_lie_between() -> None:
    guard = LoopGuard()
    for tool in ("look", "show", "list"):
        made = ToolCall(call_id=tool, tool=tool, arguments={})
        done = ToolResult(call_id=tool, tool=tool, outcome="success", text="ok")
        guard = guard.with_call(tool, {}).with_result(made, done)
    assert "After it you called show, list: you are going in circles." in guard.refusal("look", {})
