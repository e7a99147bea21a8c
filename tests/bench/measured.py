"""What a benchmark gives: named numbers with their targets, and the file that they are kept in."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

__all__ = ("RESULTS", "Machine", "Measured", "Report", "measured", "percentile", "read_report", "write_report")

RESULTS: Final = Path(__file__).with_name("results.json")

Better = Literal["lower", "higher"]


class Measured(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One number. ``ok`` says whether the target was met, ``peer`` what another program reached at the same task in
    the same run, where one was measured."""

    name: str
    value: float
    unit: str
    target: float
    better: Better
    ok: bool
    peer: float | None = None


class Machine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where it was measured. ``load`` is the load average of the minute before: above zero, something else ran."""

    cpu: str
    cores: int
    memory_gb: float
    system: str
    load: float
    python: str
    versions: dict[str, str]


class Report(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run of all benchmarks."""

    machine: Machine
    results: list[Measured]


def measured(name: str, value: float, unit: str, *, target: float, better: Better = "lower") -> Measured:
    """A number with four digits that count, held against its target."""
    value = float(f"{value:.4g}")
    target = float(target)  # an int would be written otherwise than it is read back
    ok = value <= target if better == "lower" else value >= target
    return Measured(name=name, value=value, unit=unit, target=target, better=better, ok=ok)


def percentile(samples: Sequence[float], percent: int) -> float:
    """The value below which so many of a hundred samples lie."""
    return statistics.quantiles(samples, n=100, method="inclusive")[percent - 1]


def read_report(path: Path = RESULTS) -> Report:
    """The report as it is kept; raises ``msgspec.ValidationError`` for one of another shape."""
    report = msgspec.json.decode(path.read_bytes(), type=Report)
    if any(not math.isfinite(number) for one in report.results for number in (one.value, one.target)):
        raise msgspec.ValidationError("a value or a target is no number")
    return report


def write_report(report: Report, path: Path = RESULTS) -> None:
    """Keep a report, its results in the order of their names."""
    ordered = msgspec.structs.replace(report, results=sorted(report.results, key=lambda one: one.name))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(ordered), indent=2) + b"\n")
