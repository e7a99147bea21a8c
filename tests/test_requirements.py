"""requirements.yaml and the tests agree: each row has a test, and each id that a test names is a row."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

TESTS: Final = Path(__file__).parent
SOURCES: Final = {"agent-chat", "tool-loop", "ours"}
NEEDED: Final = {"id", "from", "rule"}
ALLOWED: Final = NEEDED | {"later", "proven"}

ROWS: Final[list[dict[str, Any]]] = yaml.safe_load((TESTS / "requirements.yaml").read_text(encoding="utf-8"))
IDS: Final = {row["id"] for row in ROWS}


def marked_ids() -> dict[str, list[str]]:
    """Id -> where tests name it. Read from the source, so that no test module has to be imported."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        name = str(path.relative_to(TESTS))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and is_marker(node.func):
                for argument in node.args:
                    where = f"{name}:{node.lineno}"
                    assert isinstance(argument, ast.Constant), f"{where}: an id is written out, not computed"
                    found.setdefault(str(argument.value), []).append(where)
    return found


def is_marker(function: ast.expr) -> bool:
    """``requirement(...)`` or ``pytest.mark.requirement(...)``."""
    if isinstance(function, ast.Attribute):
        return function.attr == "requirement"
    return isinstance(function, ast.Name) and function.id == "requirement"


def test_ids_are_unique() -> None:
    counted = Counter(row["id"] for row in ROWS)
    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_row_has_the_right_fields(row: dict[str, Any]) -> None:
    assert set(row) >= NEEDED
    assert set(row) <= ALLOWED
    assert row["from"] in SOURCES
    assert row["rule"].strip()
    assert row.get("later", True) is True, "later is true or left out"
    assert row.get("proven", "how").strip(), "proven says how"


def test_each_row_that_is_built_has_a_test() -> None:
    marked = marked_ids()
    due = [row["id"] for row in ROWS if not row.get("later") and not row.get("proven")]
    assert [name for name in due if name not in marked] == []


def test_each_id_that_a_test_names_is_a_row() -> None:
    assert {name: places for name, places in marked_ids().items() if name not in IDS} == {}
