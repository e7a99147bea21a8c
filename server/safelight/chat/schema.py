"""The scripts of ``safelight.db`` in their order. A file counts those that have run: they are only ever appended, and
none that was ever released is changed."""

from __future__ import annotations

from typing import Final

from safelight.chat.keyed_store import KEYED_SCHEMA
from safelight.chat.log_days import LOG_DAYS_SCHEMA
from safelight.chat.standing import STANDING_SCHEMA
from safelight.chat.store import SCHEMA
from safelight.gate.journal import JOURNAL_SCHEMA
from safelight.guard.tokens import TOKENS_SCHEMA

__all__ = ("MIGRATIONS",)

MIGRATIONS: Final = (
    TOKENS_SCHEMA + SCHEMA,
    JOURNAL_SCHEMA,
    STANDING_SCHEMA,
    KEYED_SCHEMA,
    LOG_DAYS_SCHEMA,
)
