"""Calls compared by what they mean, not by how they are written."""

from __future__ import annotations

import json
import random
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.loop_guard import LoopGuard
from safelight.conversation.normal_form import canonical, digest_of
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
    assert guard.seen("look", other) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
    assert not guard.seen("rate", one)


@given(arguments=ARGUMENTS)
def test_the_normal_form_is_json_of_the_same_value_and_its_own_normal_form(arguments: dict[str, Any]) -> None:
    form = canonical(arguments)
    assert json.loads(form) == arguments
    assert canonical(json.loads(form)) == form


@requirement("session.repeat-refused")
@given(cycle=st.lists(st.integers(0, 3), min_size=1, max_size=5))
def test_a_cycle_of_any_length_is_seen_at_its_second_beginning(cycle: list[int]) -> None:
    guard = LoopGuard()
    made: list[int] = []
    for n in cycle * 2:
        if guard.seen("look", {"n": n}):
            break
        guard = guard.with_call("look", {"n": n})
        made.append(n)
    assert made == list(dict.fromkeys(cycle))[: len(made)]
    assert len(made) <= len(cycle)


def test_a_guard_does_not_change_and_its_refusal_names_the_tool() -> None:
    guard = LoopGuard()
    guard.with_call("look", {})
    assert not guard.seen("look", {})
    assert "look" in LoopGuard.refusal("look")
