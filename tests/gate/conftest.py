"""What tests of the gate share."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from safelight.gate.journal import Journal
from tests.gate.journal import open_journal


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncGenerator[Journal]:
    async with open_journal(tmp_path) as journal:
        yield journal
