"""Develop settings by the names that people use, and what Lightroom calls them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.tools.develop_table import GROUPS, NAMES, alike, copied, in_lightroom, in_words, slider_of

PRESENT, OLD = {"ProcessVersion": "15.4"}, {"ProcessVersion": "5.7"}


@pytest.mark.parametrize("settings", [PRESENT, OLD])
@pytest.mark.parametrize("raw", [True, False])
@given(value=st.floats(-1e6, 1e6))
def test_what_a_slider_takes_goes_there_and_back(settings: dict[str, Any], raw: bool, value: float) -> None:
    for name in NAMES:
        slider = slider_of(name, settings, raw=raw)
        if slider is None:
            assert settings is OLD
            continue
        kept = slider.limited(value)
        assert slider.low <= kept <= slider.high
        assert slider.limited(kept) == kept
        written = in_lightroom({name: kept}, settings, raw=raw)
        assert in_words({**settings, **written}, raw=raw)[name] == kept


def test_every_name_belongs_to_one_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names if name in NAMES]
    assert sorted(grouped) == sorted(NAMES)


def test_a_white_balance_found_automatically_is_copied_as_it_was_found() -> None:
    auto = {"WhiteBalance": "Auto", "temperature": 4100, "tint": 3}
    assert copied(auto, frozenset({"white_balance"})) == {**auto, "WhiteBalance": "Custom"}
    assert copied({"AutoTone": True, "exposure": 1, "HasCrop": True}, frozenset()) == {"exposure": 1}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (0.5, 0.50001, True),
        (0.5, 0.51, False),
        (True, 1, False),
        ("a", "a", True),
        ([1, 2.0], [1, 2], True),
        ([1], [1, 2], False),
        ({"a": [1]}, {"a": [1.00001]}, True),
        ({"a": 1}, {"b": 1}, False),
        (None, {}, True),
        ([], {}, True),
        (None, 0, False),
    ],
)
def test_values_are_alike_but_for_how_lightroom_rounds(one: Any, other: Any, same: bool) -> None:
    assert alike(one, other) is same
    assert alike(other, one) is same
