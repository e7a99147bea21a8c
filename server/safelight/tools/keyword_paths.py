"""Keywords by their paths, "Animals > Dog", as people and models write them: pure."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from safelight.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ("SEPARATOR", "folded", "names_of", "named", "path_of", "resolved")

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


def named(path: str, among: Iterable[str]) -> tuple[str, ...]:
    """The keywords that ``path`` means: those with this path or else, for a name alone, all with this name. There are
    several where spellings differ in case or Unicode form, or where a name stands in several places."""
    wanted, known = folded(path), tuple(among)
    exact = tuple(one for one in known if folded(one) == wanted)
    if exact or SEPARATOR in wanted:
        return exact
    return tuple(one for one in known if folded(one).rsplit(SEPARATOR, 1)[-1] == wanted)


def resolved(text: str, tree: Sequence[str]) -> str:
    """The path that ``text`` means in a catalog with these keywords; a path of its own when there is none like it.

    A name alone means the one keyword of that name, wherever it stands, and a new path goes on below what is there
    already, in its own spelling, so that nothing is made twice. Raises ``ToolError`` KEYWORD_INVALID, or
    KEYWORD_AMBIGUOUS when a name stands in several places and none of them is the top.
    """
    names = names_of(text)
    path = path_of(names)
    matching = named(path, tree)
    places = {folded(known) for known in matching}
    if len(places) > 1:
        choices = ", ".join(f'"{known}"' for known in matching[:_NAMED])
        raise ToolError("KEYWORD_AMBIGUOUS", f'There are {len(places)} keywords "{path}": {choices}. Give the path.')
    if matching:
        return path if path in matching else matching[0]
    return path if len(names) == 1 else path_of((_above(names[:-1], tree), names[-1]))


def _above(names: Sequence[str], tree: Sequence[str]) -> str:
    """The path with as much of it as there is in the spelling that it has there."""
    path = path_of(names)
    there = [known for known in tree if folded(known) == folded(path)]
    if there:
        return path if path in there else there[0]
    return path if len(names) == 1 else path_of((_above(names[:-1], tree), names[-1]))
