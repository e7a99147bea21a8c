"""Files that are no usable catalog: each is refused in a sentence that says what to do."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from safelight.lightroom import LrcatRefused, lrcat_catalog
from tests.lightroom.made_lrcat import TABLES, write_lrcat
from tests.requirement import requirement


def refusal(path: Path) -> str:
    with pytest.raises(LrcatRefused) as refused:
        lrcat_catalog(path)
    said = str(refused.value)
    assert said.endswith(".")
    assert path.name in said
    return said


def sql(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path


@requirement("demo.folder")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"Dear diary", "is not an SQLite file: it is no Lightroom catalog, or it is encrypted or damaged"),
        (b"PK\x03\x04 and so on", "is a zip file, as Lightroom's backups are. Unpack it and name the .lrcat file"),
        (random.Random(3).randbytes(8192), "is not an SQLite file"),
        (b"SQLite format 3\x00" + b"\x00" * 4080, "is damaged"),
    ],
)
def test_a_file_that_is_no_database(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "a.lrcat"
    path.write_bytes(content)
    assert said in refusal(path)


@requirement("demo.folder")
def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.lrcat") == f"There is no file {tmp_path / 'none.lrcat'}."


@requirement("demo.folder")
def test_a_folder(tmp_path: Path) -> None:
    assert "is a folder. Name the catalog file in it" in refusal(tmp_path)


@requirement("demo.folder")
def test_a_database_without_tables_or_of_something_else(tmp_path: Path) -> None:
    assert "is empty" in refusal(sql(tmp_path / "a.db"))
    assert "no catalog of Lightroom Classic" in refusal(sql(tmp_path / "b.db", "CREATE TABLE songs (name)"))
    fake = sql(
        tmp_path / "c.db",
        "CREATE TABLE Adobe_images (id_local)",
        "CREATE VIEW Adobe_variablesTable AS SELECT 1 AS name",
    )
    assert "no catalog of Lightroom Classic" in refusal(fake)


@requirement("demo.folder")
@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("0400020", "is a catalog of Lightroom 4. Open it once in a newer Lightroom, which converts it"),
        ("0200022", "is a catalog of Lightroom 2."),
        ("soon", "does not say which version of Lightroom made it"),
        ("", "does not say which version"),
    ],
)
def test_a_version_that_is_too_old_or_not_said(tmp_path: Path, version: str, said: str) -> None:
    path = tmp_path / "old.lrcat"
    write_lrcat(path, 5, root=tmp_path)
    assert said in refusal(sql(path, f"UPDATE Adobe_variablesTable SET value = '{version}'"))


@requirement("demo.folder")
def test_a_version_that_is_newer_than_all_known_ones_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new.lrcat"
    write_lrcat(path, 14, root=tmp_path)
    sql(path, "UPDATE Adobe_variablesTable SET value = '2100003'")
    assert len(lrcat_catalog(path).photos()) == 6


@requirement("demo.folder")
@pytest.mark.parametrize("length", [1000, 5000, 20_000])
def test_a_catalog_that_was_cut_off(tmp_path: Path, length: int) -> None:
    path = tmp_path / "cut.lrcat"
    write_lrcat(path, 9, root=tmp_path)
    path.write_bytes(path.read_bytes()[:length])
    assert "is damaged" in refusal(path)


@requirement("demo.folder")
def test_a_catalog_with_holes_is_refused_or_read_but_never_ends_in_another_error(tmp_path: Path) -> None:
    path = tmp_path / "holes.lrcat"
    write_lrcat(path, 14, root=tmp_path)
    whole = path.read_bytes()
    chance = random.Random(11)
    refused = 0
    for _ in range(60):
        broken = bytearray(whole)
        for _ in range(8):
            place = chance.randrange(100, len(broken) - 64)
            broken[place : place + 64] = chance.randbytes(64)
        path.write_bytes(broken)
        try:
            lrcat_catalog(path)
        except LrcatRefused:
            refused += 1
    assert refused


@requirement("demo.folder")
@pytest.mark.parametrize(
    ("table", "column"),
    [("AgLibraryFile", "baseName"), ("AgLibraryRootFolder", "absolutePath"), ("AgLibraryFolder", "rootFolder")],
)
def test_a_column_without_which_no_photo_has_a_name(tmp_path: Path, table: str, column: str) -> None:
    path = tmp_path / "odd.lrcat"
    write_lrcat(path, 14, root=tmp_path, without={table: (column,)})
    assert f"lacks {table}.{column}, so its photos cannot be read" in refusal(path)


NEEDED = {"Adobe_variablesTable", "Adobe_images", "AgLibraryFile", "AgLibraryFolder", "AgLibraryRootFolder"}


@requirement("demo.folder")
@pytest.mark.parametrize("table", sorted(TABLES.keys() - NEEDED))
def test_any_other_table_may_be_missing(tmp_path: Path, table: str) -> None:
    path = tmp_path / "odd.lrcat"
    write_lrcat(path, 14, root=tmp_path, without={table: ()})
    assert len(lrcat_catalog(path).photos()) == 6


@requirement("demo.folder")
def test_every_other_column_may_be_missing(tmp_path: Path) -> None:
    keys = {"id_local", "id_global", "rootFile", "baseName", "extension", "folder", "pathFromRoot", "rootFolder"}
    keys |= {"absolutePath"}
    rest = {
        table: left_out
        for table, columns in TABLES.items()
        if table != "Adobe_variablesTable" and (left_out := tuple(set(columns.split()) - keys))
    }
    path = tmp_path / "bare.lrcat"
    write_lrcat(path, 5, root=tmp_path, without=rest)
    catalog = lrcat_catalog(path)
    assert [photo.local_id for photo in catalog.photos()] == [11, 12, 13, 14, 15, 16]
    assert {photo.title + photo.caption + photo.camera + photo.label for photo in catalog.photos()} == {""}
    assert (catalog.keywords.all(), catalog.collections()) == ((), ())
