"""What happened in a task, as a file to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

    from safelight.evaluation.run import Ran

__all__ = ("write_trace",)


def write_trace(folder: Path, ran: Ran) -> None:
    """A JSON file, named after the task; one of the same name is replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "task": ran.task,
        "exchanges": ran.exchanges,
        "tool_right": ran.verdict.tool_right,
        "whole_right": ran.verdict.whole_right,
        "wrong": ran.verdict.wrong,
        "seconds": round(ran.seconds, 2),
    }
    text = msgspec.json.format(msgspec.json.encode(told), indent=2)
    (folder / f"{ran.task.id}.json").write_bytes(text + b"\n")
