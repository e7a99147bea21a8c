"""agent_bugs.yaml and the tests agree: each report that can happen here has a test, which names it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest
import yaml

from tests.test_known_bugs import docstring

ROWS: Final[list[dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "agent_bugs.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['bug']}: {row['what']}")
def test_a_report_has_a_test_that_names_it_or_a_reason_why_it_cannot_happen(row: dict[str, str]) -> None:
    assert set(row) in ({"bug", "what", "test"}, {"bug", "what", "not_here"})
    assert all(text.strip() for text in row.values())
    if "not_here" in row:
        return
    said = docstring(row["test"])
    missing = [report for report in row["bug"].split(", ") if report not in said]
    assert missing == [], f"{row['test']} does not name {missing}"


def test_no_report_stands_there_twice() -> None:
    counted = Counter((report, row["what"]) for row in ROWS for report in row["bug"].split(", "))
    assert [entry for entry, count in counted.items() if count > 1] == []
