"""Files and folders as the plug-in sees them: the computer's own, with what can go wrong on a disk.

The originals of the catalog are there unless they were taken offline, also those of a drawn catalog, whose folders
stand nowhere.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from safelight.lightroom.lua_value import LuaEngine, LuaTable, text
from safelight.lightroom.metadata import LightroomRefusal

if TYPE_CHECKING:
    from safelight.lightroom.catalog import Catalog

__all__ = ("Disk",)


class Disk:
    """What ``fill`` and ``make_unwritable`` set holds for all that is written through here."""

    REFUSABLE = "read_file"
    PLAIN = "file_exists create_folder create_all_folders delete_file unique_path volume"

    def __init__(self, lua: LuaEngine, catalog: Catalog) -> None:
        self._lua = lua
        self._catalog = catalog
        self._unwritable: set[Path] = set()
        self._room: int | None = None

    # --- what can go wrong ---------------------------------------------------------------------------------------

    def fill(self, files: int) -> None:
        """So many more files fit; then the disk is full."""
        self._room = files

    def make_room(self) -> None:
        self._room = None

    def make_unwritable(self, folder: Path) -> None:
        """Nothing can be written into the folder, or below it, from now on."""
        self._unwritable.add(folder)

    # --- files ---------------------------------------------------------------------------------------------------

    def is_writable(self, folder: Path) -> bool:
        return folder.is_dir() and not self._unwritable.intersection((folder, *folder.parents))

    def write(self, path: Path, data: bytes) -> None:
        """Writes a new file whole, or nothing and raises ``LightroomRefusal``."""
        if not self.is_writable(path.parent):
            raise LightroomRefusal(f"The folder {path.parent} cannot be written to.")
        if self._room is not None:
            if self._room == 0:
                raise LightroomRefusal("There is not enough space on the disk.")
            self._room -= 1
        try:
            path.write_bytes(data)
        except OSError as error:
            raise LightroomRefusal(str(error)) from None

    def file_exists(self, path: bytes) -> bytes | bool:
        place = Path(text(path))
        originals = [photo for photo in self._catalog.photos() if photo.path == text(path)]
        if originals:
            is_there = place.is_file() or not place.parent.exists()
            return b"file" if is_there and not originals[0].is_offline else False
        if place.is_dir():
            return b"directory"
        return b"file" if place.exists() else False

    def read_file(self, path: bytes) -> bytes:
        try:
            return Path(text(path)).read_bytes()
        except OSError as error:
            raise LightroomRefusal(f"readFile: {error}") from None

    def create_folder(self, path: bytes) -> bool:
        """Whether it is there now and was not before; its parent must be."""
        place = Path(text(path))
        if not self.is_writable(place.parent) or place.exists():
            return False
        place.mkdir()
        return True

    def create_all_folders(self, path: bytes) -> bool:
        place = Path(text(path))
        if place.is_dir():
            return True
        return self.create_all_folders(str(place.parent).encode()) and self.create_folder(path)

    def delete_file(self, path: bytes) -> bool:
        place = Path(text(path))
        if not place.exists() or not self.is_writable(place.parent):
            return False
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink()
        return True

    def unique_path(self, path: bytes) -> bytes:
        """The path itself when nothing is there, else with the first free number after the name."""
        place = Path(text(path))
        number = 1
        unique = place
        while unique.exists():
            number += 1
            unique = place.with_stem(f"{place.stem}-{number}")
        return str(unique).encode()

    def volume(self, path: bytes) -> LuaTable:
        place = Path(text(path))
        while not place.exists():
            place = place.parent
        usage = shutil.disk_usage(place)
        free = 0 if self._room == 0 else usage.free
        return self._lua.table_from({b"fileSystemSize": usage.total, b"fileSystemFreeSize": free})
