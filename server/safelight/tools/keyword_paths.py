"""Keywords by their paths, "Animals > Dog", as people and models write them: pure."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from safelight.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ("SEPARATOR", "folded", "is_under", "names_of", "path_of", "resolved")

SEPARATOR: Final = " > "
_MARKS: Final = ",;|"
"""Lightroom's own separators: a keyword with one of them would become two, or fall apart on export."""
_NAMED: Final = 5


def names_of(text: str) -> tuple[str, ...]:
    """The names of a path from the top. Raises ``ToolError`` KEYWORD_INVALID."""
    names = tuple(" ".join(unicodedata.normalize("NFC", name).split()) for name in text.split(">"))
    if not all(names):
        raise ToolError("KEYWORD_INVALID", f'"{text}" is no keyword: write a name, or a path like "Animals > Dog".')
    for mark in _MARKS:
        if mark in text:
            raise ToolError(
                "KEYWORD_INVALID",
                f'"{text}" is no keyword: Lightroom takes "{mark}" as the end of one. Give several keywords as a list.',
            )
    return names


def path_of(names: Iterable[str]) -> str:
    """The path as one text."""
    return SEPARATOR.join(names)


def folded(path: str) -> str:
    """For comparing: Lightroom takes keywords that differ in case alone as one."""
    return unicodedata.normalize("NFC", path).casefold()


def is_under(path: str, wanted: str) -> bool:
    """Whether a photo's keyword is the wanted one: the same path, or, for a name alone, the same name at the end."""
    one, other = folded(path), folded(wanted)
    return one == other or (SEPARATOR not in other and one.rsplit(SEPARATOR, 1)[-1] == other)


def resolved(text: str, tree: Sequence[str]) -> str:
    """The path that ``text`` means in a catalog with these keywords; a path of its own when there is none like it.

    A name alone means the one keyword of that name, wherever it stands, so that nothing is made twice. Raises
    ``ToolError`` KEYWORD_INVALID, or KEYWORD_AMBIGUOUS when there are several and none of them stands at the top.
    """
    path = path_of(names_of(text))
    matching = [known for known in tree if is_under(known, path)]
    exact = [known for known in matching if folded(known) == folded(path)]
    if exact:
        return exact[0]
    if len(matching) > 1:
        choices = ", ".join(f'"{known}"' for known in matching[:_NAMED])
        raise ToolError("KEYWORD_AMBIGUOUS", f'There are {len(matching)} keywords "{path}": {choices}. Give the path.')
    return matching[0] if matching else path
