"""The numbers of an evaluation: totals for each half, never single tasks (pure)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.evaluation.run import Ran
    from safelight.evaluation.tasks import TaskSet

__all__ = ("Total", "table", "total")


class Total(msgspec.Struct, frozen=True, kw_only=True):
    """What one model reached on one half. ``seconds`` is the mean of a task."""

    model: str
    half: str
    seen: bool
    rules: bool
    tasks: int
    tool_right: int
    whole_right: int
    seconds: float


def total(model: str, tasks: TaskSet, ran: Sequence[Ran], *, rules: bool) -> Total:
    """The sums over all tasks of a half."""
    return Total(
        model=model,
        half=tasks.title,
        seen=tasks.seen,
        rules=rules,
        tasks=len(ran),
        tool_right=sum(one.verdict.tool_right for one in ran),
        whole_right=sum(one.verdict.whole_right for one in ran),
        seconds=round(sum(one.seconds for one in ran) / max(1, len(ran)), 2),
    )


def table(totals: Sequence[Total]) -> str:
    """The totals as a Markdown table."""
    rows = [("model", "tasks", "seen while tuning", "rules", "tool choice", "whole task", "seconds a task")]
    rows += [
        (
            one.model,
            one.half,
            "yes" if one.seen else "no",
            "with" if one.rules else "without",
            _share(one.tool_right, one.tasks),
            _share(one.whole_right, one.tasks),
            f"{one.seconds:.2f}",
        )
        for one in totals
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    lines.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(lines)


def _share(count: int, tasks: int) -> str:
    return f"{count} of {tasks}" + (f" ({count / tasks:.0%})" if tasks else "")
