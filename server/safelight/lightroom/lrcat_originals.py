"""Where the originals of a catalog file are on this computer, if they are there."""

from __future__ import annotations

import unicodedata
from pathlib import Path

__all__ = ("Originals",)


class Originals:
    """Looks into each folder once. Names match in either form of Unicode, since a catalog that was made on another
    system, or files that were copied from one, may have the other."""

    def __init__(self, catalog_folder: Path) -> None:
        self._catalog_folder = catalog_folder
        self._roots: dict[tuple[str, str], str] = {}
        self._files: dict[str, dict[str, str]] = {}

    def root(self, absolute: str, relative: str) -> str:
        """A root folder's path, with a slash at its end: as the catalog says or, when it is not there, relative to the
        catalog, since people move both together."""
        key = (absolute, relative)
        if key not in self._roots:
            self._roots[key] = _folder(self._found_root(absolute, relative))
        return self._roots[key]

    def file(self, folder: str, name: str) -> str | None:
        """The path of a file in a folder whose path ends in a slash; None when it is not there."""
        if folder not in self._files:
            self._files[folder] = _files_in(folder)
        found = self._files[folder].get(unicodedata.normalize("NFC", name))
        return None if found is None else folder + found

    def _found_root(self, absolute: str, relative: str) -> str:
        if relative and not _is_folder(absolute):
            beside = self._catalog_folder / relative
            if _is_folder(str(beside)):
                return beside.resolve().as_posix()
        return absolute


def _folder(path: str) -> str:
    return path if path.endswith("/") or not path else f"{path}/"


def _is_folder(path: str) -> bool:
    # A path of another system is not absolute here, and must not be looked for below the current folder.
    return Path(path).is_absolute() and "\0" not in path and Path(path).is_dir()


def _files_in(folder: str) -> dict[str, str]:
    if not _is_folder(folder):
        return {}
    try:
        return {unicodedata.normalize("NFC", entry.name): entry.name for entry in Path(folder).iterdir()}
    except OSError:
        return {}
