"""A large catalog streams into its index."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirement import requirement

ROOT = Path(__file__).parents[2]


@requirement("bridge.chunks")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process its peak at any time")
def test_a_hundred_thousand_photos_are_indexed_in_little_memory(tmp_path: Path) -> None:
    """LrGenius #192, #132, #108: 62,000 photos at once used up the memory."""
    command = [sys.executable, "-m", "tests.catalog.hundred_thousand", str(tmp_path)]
    grown_by = float(subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=180).stdout)
    assert 0 < grown_by < 50, "MiB; all of them at once would be more than 100"
