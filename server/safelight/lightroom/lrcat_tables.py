"""The tables of a catalog file. Each version of Lightroom has some more; what a file lacks reads as nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from safelight.lightroom.lrcat_copy import LrcatRefused

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ("Joined", "LrcatTables")

OLDEST: Final = 5

_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "Adobe_images": ("id_local", "id_global", "rootFile"),
    "AgLibraryFile": ("id_local", "baseName", "extension", "folder"),
    "AgLibraryFolder": ("id_local", "pathFromRoot", "rootFolder"),
    "AgLibraryRootFolder": ("id_local", "absolutePath"),
}


class Joined(Struct, frozen=True):
    """A table that is joined to others: ``alias.on = its own column key``."""

    table: str
    key: str
    on: str


class LrcatTables:
    """Reads with what is there. Names of tables and columns come from this program, never from the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._columns: dict[str, frozenset[str]] = {}

    def check(self, path: Path) -> None:
        """Raises ``LrcatRefused`` when it is not the catalog of a version that can be read."""
        if not self._columns_of("Adobe_variablesTable") or not self._columns_of("Adobe_images"):
            raise LrcatRefused(f"{path} is an SQLite file, but no catalog of Lightroom Classic.")
        version = self.version()
        if version is None:
            raise LrcatRefused(f"{path} does not say which version of Lightroom made it, so it is not read.")
        if version < OLDEST:
            raise LrcatRefused(
                f"{path} is a catalog of Lightroom {version}. Open it once in a newer Lightroom, which converts it."
            )
        for table, needed in _NEEDED.items():
            for column in needed:
                if column not in self._columns_of(table):
                    raise LrcatRefused(f"{path} lacks {table}.{column}, so its photos cannot be read.")

    def version(self) -> int | None:
        """The major version of Lightroom that the file says: 5 for 0500006."""
        for row in self.rows("Adobe_variablesTable", "name", "value"):
            if row["name"] == "Adobe_DBVersion":
                digits = str(row["value"])
                return int(digits[:-5]) if len(digits) > 5 and digits.isascii() and digits.isdigit() else None
        return None

    def rows(self, table: str, *columns: str, order: Sequence[str] = ()) -> Iterator[sqlite3.Row]:
        """The named columns of every row; NULL for one that the file lacks, no rows without the table."""
        here = self._columns_of(table)
        if not here:
            return
        wanted = ", ".join(column if column in here else f"NULL AS {column}" for column in columns)
        sort = [column for column in order if column in here]
        ordered = f" ORDER BY {', '.join(sort)}" if sort else ""
        yield from self._connection.execute(f"SELECT {wanted} FROM {table}{ordered}")  # noqa: S608 - own names

    def joined(
        self, first: str, joins: Mapping[str, Joined], columns: Mapping[str, str], order: str
    ) -> Iterator[sqlite3.Row]:
        """Rows of ``first`` (alias ``i``) with what is joined to them; ``columns`` are named ``alias.column``."""
        tables = {"i": first} | {alias: joined.table for alias, joined in joins.items()}
        used: dict[str, str] = {"i": f"{first} AS i"}
        for alias, joined in joins.items():
            if joined.key in self._columns_of(joined.table) and self._is_there(joined.on, tables, used):
                used[alias] = f"LEFT JOIN {joined.table} AS {alias} ON {alias}.{joined.key} = {joined.on}"
        wanted = ", ".join(
            f"{column if self._is_there(column, tables, used) else 'NULL'} AS {name}"
            for name, column in columns.items()
        )
        yield from self._connection.execute(
            f"SELECT {wanted} FROM {' '.join(used.values())} ORDER BY {order}"  # noqa: S608 - own names
        )

    def has(self, table: str, column: str) -> bool:
        return column in self._columns_of(table)

    def _is_there(self, column: str, tables: Mapping[str, str], used: Mapping[str, Any]) -> bool:
        alias, _, name = column.partition(".")
        return alias in used and name in self._columns_of(tables[alias])

    def _columns_of(self, table: str) -> frozenset[str]:
        """None when there is no such table, or when it is a view."""
        if table not in self._columns:
            is_table = self._connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'", (table,)
            ).fetchone()
            found = self._connection.execute(f"PRAGMA table_info({table})") if is_table else ()
            self._columns[table] = frozenset(row["name"] for row in found)
        return self._columns[table]
