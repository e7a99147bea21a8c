"""A journal in a SQLite file of its own."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path

from safelight.catalog.database import Database
from safelight.gate.journal import JOURNAL_SCHEMA, Journal

__all__ = ("NOW", "open_journal")

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@contextlib.asynccontextmanager
async def open_journal(folder: Path) -> AsyncGenerator[Journal]:
    """The journal of this folder, as it was left; it is always the same time."""
    database = Database(folder / "journal.db", [JOURNAL_SCHEMA])
    try:
        yield Journal(database, lambda: NOW)
    finally:
        await database.close()
