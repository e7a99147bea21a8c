"""The tables of an index file. Scripts are only ever appended."""

from __future__ import annotations

from typing import Final

__all__ = ("MIGRATIONS",)

# A photo keeps its number for ever, so that sets can hold numbers and tell which of their photos have gone. Records
# stand apart so that a search reads few pages. Texts of few values stand in ``names``, folded, so that a part of one is
# looked for among few; a keyword is a name too, and 0 is none.
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
    # Everything but the numbers and the sets is read again from Lightroom.
    """
    DROP TABLE photos;
    DROP TABLE records;
    DROP TABLE words;
    CREATE TABLE photos (
        n INTEGER PRIMARY KEY REFERENCES ids (n),
        captured TEXT,
        year INTEGER,
        rating INTEGER NOT NULL,
        flag TEXT NOT NULL,
        label TEXT NOT NULL,
        file_name TEXT NOT NULL,
        file_type TEXT NOT NULL,
        camera INTEGER NOT NULL REFERENCES names (id),
        lens INTEGER NOT NULL REFERENCES names (id),
        place INTEGER NOT NULL REFERENCES names (id),
        folder INTEGER NOT NULL REFERENCES names (id),
        iso INTEGER,
        aperture REAL,
        shutter REAL,
        focal REAL,
        lat REAL,
        lon REAL,
        width INTEGER,
        height INTEGER,
        virtual_copy INTEGER NOT NULL,
        lacks INTEGER NOT NULL,
        adjusted INTEGER,
        edited REAL NOT NULL
    );
    CREATE INDEX photos_newest ON photos (captured DESC, file_name, n);
    CREATE INDEX photos_facets ON photos (rating, flag, label, year, camera, lens, file_type);
    CREATE TABLE names (
        id INTEGER PRIMARY KEY,
        field TEXT NOT NULL,
        name TEXT NOT NULL,
        folded TEXT NOT NULL,
        UNIQUE (field, name)
    );
    INSERT INTO names (id, field, name, folded) VALUES (0, '', '', '');
    CREATE TABLE photo_keywords (
        keyword INTEGER NOT NULL REFERENCES names (id),
        n INTEGER NOT NULL REFERENCES ids (n),
        PRIMARY KEY (keyword, n)
    ) WITHOUT ROWID;
    CREATE TABLE records (
        n INTEGER PRIMARY KEY REFERENCES ids (n),
        record BLOB NOT NULL
    );
    CREATE VIRTUAL TABLE words USING fts5 (
        file_name, title, caption, keywords, place, camera, lens,
        tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'"
    );
    CREATE TABLE facts (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    );
    """,
    # Vectors are 16-bit numbers. Each table is read as a whole, so the other one is not to stand in between.
    """
    CREATE TABLE embedding_models (
        id INTEGER PRIMARY KEY,
        model TEXT NOT NULL UNIQUE
    );
    CREATE TABLE text_vectors (
        n INTEGER PRIMARY KEY REFERENCES ids (n),
        model INTEGER NOT NULL REFERENCES embedding_models (id),
        made_of TEXT NOT NULL,
        vector BLOB NOT NULL
    );
    CREATE TABLE picture_vectors (
        n INTEGER PRIMARY KEY REFERENCES ids (n),
        model INTEGER NOT NULL REFERENCES embedding_models (id),
        made_of TEXT NOT NULL,
        vector BLOB NOT NULL
    );
    CREATE INDEX text_vectors_model ON text_vectors (model);
    CREATE INDEX picture_vectors_model ON picture_vectors (model);
    """,
)
