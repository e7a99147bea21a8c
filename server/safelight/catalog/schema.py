"""The tables of an index file. Scripts are only ever appended."""

from __future__ import annotations

from typing import Final

__all__ = ("MIGRATIONS",)

# A photo keeps its number for ever, so that sets can hold numbers and tell which of their photos have gone. Records
# stand apart so that a search reads few pages.
MIGRATIONS: Final = (
    """
    CREATE TABLE ids (
        n INTEGER PRIMARY KEY AUTOINCREMENT,
        photo_id TEXT NOT NULL UNIQUE,
        gone INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE photos (
        n INTEGER PRIMARY KEY REFERENCES ids (n),
        captured TEXT,
        rating INTEGER NOT NULL,
        flag TEXT NOT NULL,
        label TEXT NOT NULL,
        file_name TEXT NOT NULL
    );
    CREATE INDEX photos_newest ON photos (captured DESC, file_name, n);
    CREATE TABLE records (
        n INTEGER PRIMARY KEY REFERENCES ids (n),
        record BLOB NOT NULL
    );
    CREATE VIRTUAL TABLE words USING fts5 (
        file_name, title, caption, keywords, place, camera, lens,
        tokenize = 'porter unicode61 remove_diacritics 2'
    );
    CREATE TABLE sets (
        set_id TEXT PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE,
        used REAL NOT NULL,
        members BLOB NOT NULL
    );
    """,
)
