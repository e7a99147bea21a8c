"""A tool's answer made small enough for a model."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.conversation.cap import LARGEST_BYTES, LEAST, SMALL, capped, capped_together, limits
from tests.requirement import requirement

LIMITS = st.integers(LEAST, 4_000)
CHARACTERS = st.characters(codec="utf-8")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(CHARACTERS),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(CHARACTERS, max_size=50), inner, max_size=12),
    max_leaves=60,
)
STRUCTURES = (st.dictionaries(st.text(CHARACTERS, max_size=20), VALUES) | st.lists(VALUES)).map(
    lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
)
GROWN = st.tuples(STRUCTURES, st.integers(1, 40)).map(lambda given: f"[{','.join([given[0]] * given[1])}]")


@requirement("context.result-cap")
@given(GROWN | STRUCTURES, LIMITS)
def test_a_structured_answer_is_within_the_limit_and_still_json(text: str, limit: int) -> None:
    shorter = capped(text, limit)
    assert len(shorter) <= limit
    assert isinstance(json.loads(shorter), dict | list)
    assert capped(shorter, limit) == shorter
    if len(text) <= min(limit, SMALL):
        assert shorter == text


@requirement("context.result-cap")
@given(st.text(CHARACTERS, min_size=1, max_size=60), st.integers(1, 400), LIMITS)
def test_a_text_keeps_its_head_and_its_tail(piece: str, times: int, limit: int) -> None:
    """charmbracelet/crush#3480, charmbracelet/crush PR#3602: the error at the end of a long result was cut off."""
    text = f"Log. {piece * times} The error stands here."
    shorter = capped(text, limit)
    assert len(shorter) <= limit
    assert capped(shorter, limit) == shorter
    if len(text) <= limit:
        assert shorter == text
        return
    head, between, tail = shorter.partition("\n(... ")
    note, _, tail = tail.partition(" ...)\n")
    assert between
    assert text.startswith(head)
    assert text.endswith(tail)
    assert tail.endswith("The error stands here.")
    count = int(note.split(" ")[0].replace(",", ""))
    assert len(head) + count + len(tail) == len(text)
    assert "the user's page has all of it" in note
    assert 2 < len(head) / len(tail) < 4


@requirement("context.result-cap")
@given(st.integers(0, 12), st.sampled_from([r"\ud83d\ude00", "\\\\", r"\n", r"\u00e4", "\ud83d\ude00"]))
def test_no_cut_goes_through_an_escape_or_a_character(shift: int, piece: str) -> None:
    """llama.cpp PR#28926: a character was cut where text was thrown away."""
    text = "x" * shift + piece * 5_000
    head, _, rest = capped(text, 1_000).partition("\n(")
    tail = rest.partition(")\n")[2]
    assert head.removeprefix("x" * shift) == piece * ((len(head) - shift) // len(piece))
    assert tail == piece * (len(tail) // len(piece))


@requirement("context.result-cap")
def test_the_report_of_a_change_to_five_thousand_photos_becomes_small() -> None:
    ids = [f"5C1B{number:032X}" for number in range(5_000)]
    report = {"applied": ids, "failed": [], "not_attempted": [], "change_id": "chg_7"}
    text = msgspec.json.encode(report).decode()
    assert len(text) > 190_000
    for limit, most in ((10**6, 10_000), (6_000, 6_000), (2_000, 2_000)):
        shorter = capped(text, limit)
        assert len(shorter) <= most
        read = json.loads(shorter)
        assert next(iter(read)) == "change_id"
        assert read["change_id"] == "chg_7"
        applied = read["applied"]
        assert (applied[0], applied[-1]) == (ids[0], ids[-1])
        left_out = [one for one in applied if "left out" in one]
        assert left_out == [f"({5_000 - len(applied) + 1} left out here; the user's page has all)"]


@requirement("context.result-cap")
def test_the_ids_that_a_model_goes_on_with_stay_whatever_goes() -> None:
    photos = [{"photo_id": f"p{n}", "caption": "long " * 400, "keywords": ["a"] * 50} for n in range(100)]
    answer = {"photos": photos, "notes": {f"n{n}": "y" * 200 for n in range(100)}, "set_id": "set_1", "count": 100}
    shorter = json.loads(capped(json.dumps(answer), 2_000))
    assert (shorter["set_id"], shorter["count"]) == ("set_1", 100)
    assert shorter["photos"][0]["photo_id"] == "p0"
    assert shorter["photos"][-1]["photo_id"] == "p99"


@requirement("context.result-cap")
@pytest.mark.parametrize("character", ["x", "ü", "日", "😀"])
def test_no_result_is_larger_than_128_kib(character: str) -> None:
    for text in (character * 5_000_000, json.dumps([character * 300_000] * 3, ensure_ascii=False)):
        assert LARGEST_BYTES // 5 < len(capped(text, 10**7).encode()) <= LARGEST_BYTES


@requirement("context.result-cap")
@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 20_000 + "1" + "}" * 20_000, '{"a":NaN,"b":"' + "x" * 9_000, "9" * 9_000]
)
def test_what_looks_like_json_and_is_none_is_cut_as_text(text: str) -> None:
    assert len(capped(text, 2_000)) <= 2_000


@requirement("context.result-cap")
def test_half_a_character_in_an_escape_can_be_encoded_afterwards() -> None:
    capped('{"a":["\\ud83d",' + '"x",' * 5_000 + '"y"]}', 2_000).encode()


@requirement("context.result-cap")
@given(st.lists(st.integers(0, 30_000), min_size=1, max_size=12), st.integers(4_000, 200_000), st.integers(0, 50_000))
def test_the_results_of_one_turn_share_their_room(sizes: list[int], window: int, left: int) -> None:
    limit, together = limits(window, left)
    texts = ["x" * size for size in sizes]
    shorter = capped_together(texts, limit, together)
    assert sum(map(len, shorter)) <= max(together, LEAST * len(texts))
    assert together <= max(LEAST, window // 2 * 3)
    fair = max(together, LEAST * len(texts)) // len(texts)
    for text, short in zip(texts, shorter, strict=True):
        assert len(short) <= limit
        if len(text) <= min(limit, fair):
            assert short == text


def test_a_result_may_have_a_quarter_of_the_window_and_a_turn_half() -> None:
    given: Any = [limits(window, window) for window in (2_000, 8_192, 100_000)]
    assert given == [(2_000, 3_000), (6_144, 12_288), (75_000, 150_000)]
    assert limits(8_192, 1_000) == (1_500, 1_500)
    assert limits(8_192, -5) == (LEAST, LEAST)
