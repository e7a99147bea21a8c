"""Tasks and states for the tests of the evaluation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from safelight.evaluation.state import State, state_of
from safelight.evaluation.tasks import Task, read
from safelight.lightroom import Catalog, drawn_catalog

__all__ = ("START", "after", "task", "written")

START: State = state_of(drawn_catalog(60))


def written(folder: Path, *tasks: dict[str, Any], **more: Any) -> Path:
    """A file of tasks."""
    path = folder / "tasks.json"
    path.write_text(json.dumps({"title": "mine", "seen": True, "tasks": tasks, **more}), encoding="utf-8")
    return path


def task(folder: Path, expect: dict[str, Any], *requests: str) -> Task:
    """A task with this expectation."""
    one = {"id": "t1", "language": "en", "steps": 1, "requests": requests or ("Do it",), "expect": expect}
    return read(written(folder, one)).tasks[0]


class after:  # noqa: N801 - it reads as a word
    """The state of a catalog after what the block does to it in a gate."""

    def __init__(self) -> None:
        self.catalog: Catalog = drawn_catalog(60)

    def __enter__(self) -> after:
        self.catalog.open_gate("test")
        return self

    def __exit__(self, *exception: object) -> None:
        self.catalog.close_gate(commit=True)

    @property
    def state(self) -> State:
        return state_of(self.catalog)
