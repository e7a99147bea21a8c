"""How long the service takes to be ready without a model, and what it then takes of the memory."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench.machine import resident_mb
from tests.bench.measured import Measured, measured

__all__ = ("measure",)

STARTS: Final = 9


def measure() -> list[Measured]:
    """``safelight serve`` as a process of its own, from its start to its ready line, on a data folder that is there.
    Memory is taken when that line has come; what the service loads afterwards is not in it."""
    with tempfile.TemporaryDirectory() as folder:
        _start(Path(folder))  # makes the data folder, and fills the disk's cache
        starts = [_start(Path(folder)) for _ in range(STARTS)]
    seconds, megabytes = zip(*starts, strict=True)
    return [
        measured("service: start to ready, no model", statistics.median(seconds), "s", target=0.5),
        measured("service: memory when ready, no model", statistics.median(megabytes), "MB", target=75),
    ]


def _start(folder: Path) -> tuple[float, float]:
    command = [sys.executable, "-m", "safelight", "serve", "--port", "0", "--data-dir", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = time.perf_counter() - began
        megabytes = resident_mb(process.pid)
        assert json.loads(line)["event"] == "ready"
        process.terminate()
    assert process.returncode == 0
    return seconds, megabytes
