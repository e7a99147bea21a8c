"""``safelight eval`` through the whole service."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from safelight.cli import main
from safelight.evaluation.report import Total, table
from tests.evaluation.tasks import written

SMALL = "llama:smollm2-135m"

RATE = {"changed": [{"photos": {"selected": True}, "set": {"rating": 3}}]}


def a_task(task_id: str, expect: dict[str, Any], *requests: str) -> dict[str, Any]:
    return {"id": task_id, "language": "en", "steps": 1, "requests": requests, "expect": expect}


def evaluated(capsys: pytest.CaptureFixture[str], *options: str) -> list[Total]:
    assert main(["eval", *options, "--json"]) == 0
    return msgspec.json.decode(capsys.readouterr().out, type=list[Total])


def test_tasks_are_played_each_on_a_fresh_catalog_and_only_totals_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.json"
    turns = [
        {"calls": [{"tool": "set_rating", "arguments": {"set": "selection", "rating": 3}}]},
        {"text": "Rated."},
        {"calls": [{"tool": "undo_change", "arguments": {"change_id": "${change_id}"}}]},
        {"text": "Undone."},
    ]
    script.write_text(json.dumps(turns), encoding="utf-8")
    tasks = written(
        tmp_path,
        a_task("rated", RATE, "Rate them 3"),
        a_task("again", RATE, "Rate them 3"),
        a_task("flagged", {"changed": [{"photos": {"selected": True}, "set": {"flag": "pick"}}]}, "Pick them"),
        a_task("undone", {}, "Rate them 3", "Undo that"),
    )
    traces = tmp_path / "traces"
    options = ("--model", f"scripted:{script}", "--tasks", str(tasks), "--traces", str(traces), "--seed", "4")
    [total] = evaluated(capsys, *options)
    assert (total.tasks, total.tool_right, total.whole_right) == (4, 3, 3)
    assert (total.half, total.seen, total.rules) == ("mine", True, True)
    kept = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in traces.iterdir()}
    assert {name: one["whole_right"] for name, one in kept.items()} == {
        "rated": True,
        "again": True,
        "flagged": False,
        "undone": True,
    }
    assert kept["undone"]["exchanges"][1]["steps"][0]["tool"] == "undo_change"
    assert kept["flagged"]["wrong"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "none:such"], "There is no model"),
        (["--model", SMALL, "--tasks", "nowhere.json"], "cannot be read"),
    ],
)
def test_what_cannot_be_run_is_said_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    tasks = written(tmp_path, a_task("t1", {"no_call": True}, "Hi"))
    assert main(["eval", "--tasks", str(tasks), *options]) == 2
    assert said in capsys.readouterr().err


def test_the_table_has_a_row_for_each_half_and_names_no_task() -> None:
    rows = [
        Total(model="m", half="seen", seen=True, rules=True, tasks=20, tool_right=18, whole_right=12, seconds=1.5),
        Total(model="m", half="unseen", seen=False, rules=False, tasks=0, tool_right=0, whole_right=0, seconds=0.0),
    ]
    lines = table(rows).splitlines()
    assert [[cell.strip() for cell in line.strip("|").split("|")] for line in lines] == [
        ["model", "tasks", "seen while tuning", "rules", "tool choice", "whole task", "seconds a task"],
        ["-" * len(cell.strip("| ")) for cell in lines[1].strip("|").split("|")],
        ["m", "seen", "yes", "with", "18 of 20 (90%)", "12 of 20 (60%)", "1.50"],
        ["m", "unseen", "no", "without", "0 of 0", "0 of 0", "0.00"],
    ]


@pytest.mark.long
def test_both_halves_reach_what_was_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The numbers are what the model does, not what it should do; they may only rise."""
    measured = json.loads((Path(__file__).parent / "results.json").read_text(encoding="utf-8"))["after"]
    wanted = {row["seen"]: row for row in measured if row["model"] == SMALL and row["rules"]}
    for total in evaluated(capsys, "--model", SMALL, "--data-dir", str(tmp_path)):
        assert total.tool_right >= wanted[total.seen]["tool_right"], total
        assert total.whole_right >= wanted[total.seen]["whole_right"], total
