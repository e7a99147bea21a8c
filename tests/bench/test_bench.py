"""The committed results are whole and agree with themselves. Nothing is measured here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bench.index import QUERIES
from tests.bench.measured import RESULTS, Measured, Report, measured, percentile, read_report, write_report


@pytest.fixture(scope="module")
def report() -> Report:
    return read_report()


def test_there_are_results_and_their_names_are_unique_and_sorted(report: Report) -> None:
    names = [one.name for one in report.results]
    assert names == sorted(names)
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert names


def test_every_group_of_numbers_is_there(report: Report) -> None:
    assert {one.name.partition(":")[0] for one in report.results} == {
        "bridge", "decoding", "events", "grammar", "index", "search", "second turn", "service", "tool call",
    }  # fmt: skip


def test_ok_says_what_value_and_target_say(report: Report) -> None:
    for one in report.results:
        met = one.value <= one.target if one.better == "lower" else one.value >= one.target
        assert one.ok is met, one.name


def test_the_file_has_the_fields_that_its_readers_know() -> None:
    kept: dict[str, Any] = json.loads(RESULTS.read_bytes())
    assert set(kept) == {"machine", "results"}
    for one in kept["results"]:
        assert set(one) == {"name", "value", "unit", "target", "better", "ok", "peer"}
        assert one["value"] > 0
        assert one["target"] > 0


def test_writing_what_was_read_changes_no_byte(report: Report, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    write_report(msgspec.structs.replace(report, results=report.results[::-1]), again)
    assert again.read_bytes() == RESULTS.read_bytes()


@pytest.mark.parametrize(
    ("value", "better", "ok"), [(1.0, "lower", True), (2.1, "lower", False), (2.1, "higher", True)]
)
def test_a_number_is_held_against_its_target(value: float, better: Any, ok: bool) -> None:
    assert measured("a", value, "s", target=2, better=better) == Measured(
        name="a", value=value, unit="s", target=2, better=better, ok=ok
    )


def test_a_percentile_lies_where_it_should() -> None:
    assert percentile(list(range(101)), 95) == 95


def test_every_query_has_two_words_a_rating_and_dates() -> None:
    assert len(QUERIES) > 100
    for query in QUERIES.values():
        given: dict[str, Any] = msgspec.to_builtins(query)
        assert len(given["text"].split()) == 2
        assert {"rating_min", "rating_max"} & set(given)
        assert {"captured_from", "captured_to"} <= set(given)
