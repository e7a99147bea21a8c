"""Smart collections that the plug-in makes: their rules as Lightroom takes them, and the rules that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from safelight.lightroom import SimulatedLightroom
from tests.plugin.fake_bridge import FakeBridge, Refused
from tests.requirement import requirement


@requirement("bridge.chunks")
def test_a_smart_collection_is_filled_by_its_rules(bridge: FakeBridge, lightroom: SimulatedLightroom) -> None:
    catalog = lightroom.catalog
    rules = [
        {"criteria": "rating", "operation": "in", "number": 3, "number2": 5},
        {"criteria": "captureTime", "operation": "in", "text": "2023-01-01", "text2": "2024-12-31"},
        {"criteria": "pick", "operation": "!=", "number": -1},
    ]
    made = bridge.ask("create_smart_collection", {"path": ["Trips", "Good ones"], "rules": rules})
    assert (made["kind"], made["path"], made["name"]) == ("smart", ["Trips"], "Good ones")
    assert catalog.undo_names == ("Create Smart Collection Good ones",)
    expected = [
        photo.uuid
        for photo in catalog.photos()
        if (photo.rating or 0) >= 3 and photo.captured and photo.captured.year in (2023, 2024) and photo.pick != -1
    ]
    assert expected
    assert [catalog.by_id(one).uuid for one in catalog.photos_in(int(made["collection_id"]))] == expected


@requirement("bridge.chunks")
@pytest.mark.parametrize(
    "rule",
    [
        {"criteria": "labelColor", "operation": "==", "number": 1},
        {"criteria": "labelColor", "operation": "!=", "text": "none"},
        {"criteria": "captureTime", "operation": ">", "text": "2024-05-31"},
        {"criteria": "captureTime", "operation": "<", "text": "2024-05-31"},
        {"criteria": "keywords", "operation": "words", "text": "dog"},
        {"criteria": "camera", "operation": "==", "text": "Canon EOS R5"},
        {"criteria": "lens", "operation": "all", "text": "50mm"},
        {"criteria": "rating", "operation": "<=", "number": 2},
        {"criteria": "pick", "operation": "==", "number": -1},
    ],
    ids=str,
)
def test_every_kind_of_rule_is_one_that_lightroom_takes(
    bridge: FakeBridge, lightroom: SimulatedLightroom, rule: dict[str, Any]
) -> None:
    made = bridge.ask("create_smart_collection", {"path": ["New"], "rules": [rule]})
    assert made["kind"] == "smart"


@requirement("bridge.delivery")
@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ({"criteria": "captureTime", "operation": "inRange", "text": "2024-01-01"}, "operation must be one of"),
        ({"criteria": "stars", "operation": "==", "number": 5}, "criteria must be one of"),
        ({"criteria": "captureTime", "operation": ">=", "text": "2024-01-01"}, "captureTime knows no operation >="),
        ({"criteria": "captureTime", "operation": "==", "text": "1.5.2024"}, "a date such as 2024-05-31"),
        ({"criteria": "captureTime", "operation": "==", "text": "2024-13-01"}, "a date such as 2024-05-31"),
        ({"criteria": "captureTime", "operation": "in", "text": "2024-01-01"}, "a date such as 2024-05-31"),
        ({"criteria": "rating", "operation": "==", "text": "5"}, "a number from 0 to 5"),
        ({"criteria": "rating", "operation": "==", "number": 6}, "a number from 0 to 5"),
        ({"criteria": "rating", "operation": "any", "number": 5}, "rating knows no operation any"),
        ({"criteria": "rating", "operation": "==", "number": 5, "text": "5"}, "a number from 0 to 5"),
        ({"criteria": "rating", "operation": "==", "number": 1, "number2": 5}, "only the operation in has two values"),
        ({"criteria": "rating", "operation": "=="}, "a number from 0 to 5"),
        ({"criteria": "pick", "operation": "==", "number": 2}, "1, 0 or -1"),
        ({"criteria": "labelColor", "operation": "==", "text": "red"}, "1 to 5, none or custom"),
        ({"criteria": "labelColor", "operation": ">", "number": 1}, "labelColor knows no operation >"),
        ({"criteria": "keywords", "operation": "==", "text": "dog"}, "keywords knows no operation =="),
        ({"criteria": "keywords", "operation": "all", "text": " "}, "a text"),
        ({"criteria": "camera", "operation": "==", "number": 5}, "a text"),
    ],
)
def test_a_rule_that_lightroom_would_ignore_without_a_word_is_refused(
    bridge: FakeBridge, lightroom: SimulatedLightroom, rule: dict[str, Any], says: str
) -> None:
    good = {"criteria": "rating", "operation": "==", "number": 5}
    with pytest.raises(Refused) as refused:
        bridge.ask("create_smart_collection", {"path": ["Sets", "New"], "rules": [good, rule]})
    assert refused.value.code == "BAD_ARGUMENTS"
    assert says in refused.value.message
    assert "rules[2]" in refused.value.message
    assert lightroom.catalog.undo_names == ()
