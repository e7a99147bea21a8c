"""known_bugs.yaml and the tests agree: each report that can happen here has a test, which names it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
import yaml

ROOT: Final = Path(__file__).parents[1]
ROWS: Final[list[dict[str, str]]] = yaml.safe_load(
    (Path(__file__).parent / "known_bugs.yaml").read_text(encoding="utf-8")
)
NUMBERED: Final = re.compile(r"([A-Za-z][\w.-]*) ((?:#\d+(?:, )?)+)")


def reports(text: str) -> set[str]:
    """The reports that a text names: "LrGenius #2, #7" is two. A name without numbers is one as it stands."""
    found = NUMBERED.findall(" ".join(text.split()))
    return {f"{project} {number}" for project, numbers in found for number in re.findall(r"#\d+", numbers)} or {text}


def docstring(test: str) -> str:
    """Of the test with this id, without line breaks; fails where there is no such test."""
    name, _, function = test.partition("::")
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == function]
    assert found, f"there is no test {test}"
    return " ".join((ast.get_docstring(found[0]) or "").split())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['bug']}: {row['what']}")
def test_a_report_has_a_test_that_names_it_or_a_reason_why_it_cannot_happen(row: dict[str, str]) -> None:
    assert set(row) in ({"bug", "what", "test"}, {"bug", "what", "not_here"})
    assert all(text.strip() for text in row.values())
    if "not_here" in row:
        return
    said = docstring(row["test"])
    missing = {one for one in reports(row["bug"]) if one not in reports(said) and one not in said}
    assert missing == set(), f"{row['test']} does not name {sorted(missing)}"


def test_no_report_stands_there_twice() -> None:
    counted = Counter((row["bug"], row["what"]) for row in ROWS)
    assert [entry for entry, count in counted.items() if count > 1] == []
