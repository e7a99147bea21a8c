"""A catalog of thousands of photos; the benchmark does the same with a hundred thousand."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.large_catalog import work_a_large_catalog
from tests.requirement import requirement


@requirement("bridge.chunks", "perm.bulk", "perm.undo")
async def test_a_thousand_photos_are_rated_after_a_yes_and_are_as_before_after_an_undo(tmp_path: Path) -> None:
    await work_a_large_catalog(tmp_path, 4_000, 1_000)
