"""A large catalog through the whole service: the real plug-in in the simulated Lightroom, over loopback."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

from tests.bench.measured import Measured, measured
from tests.e2e.large_catalog import work_a_large_catalog

__all__ = ("measure", "measure_large")

PHOTOS: Final = 100_000


def measure() -> list[Measured]:
    """A rating on 1,000 photos of a catalog that does not matter."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(work_a_large_catalog(Path(folder), 3_000, 1_000))
    return [
        measured("bridge: a rating on 1,000 photos, from the yes to the result", figures.rate_s, "s", target=2),
        measured("bridge: taking it back", figures.undo_s, "s", target=2),
    ]


def measure_large() -> list[Measured]:
    """100,000 photos: the first index, and a rating on 5,000 of them."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(work_a_large_catalog(Path(folder), PHOTOS, 5_000))
    which = f"{PHOTOS:,} photos, simulated plug-in"
    return [
        measured(f"index: first full index of {which}", figures.index_s, "s", target=60),
        measured(f"index: peak memory of the service that worked {which}", figures.service_mb, "MB", target=400),
        measured(f"search: three searches by HTTP, each, in {which}", figures.search_ms, "ms", target=100),
        measured("bridge: a rating on 5,000 of them, from the yes to the result", figures.rate_s, "s", target=10),
        measured("bridge: taking that back", figures.undo_s, "s", target=10),
    ]
