"""Collections by name or by path, "Trips > Rome", as people and models write them: pure."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from safelight.catalog.fold import fold
from safelight.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.wire.bridge_models import CollectionRecord

__all__ = ("chosen", "full_path", "matching", "path_of", "shown", "whole", "with_known_sets")

Path = tuple[str, ...]

_DEEPEST: Final = 10
_LONGEST: Final = 200
_NAMED: Final = 5
_SIMILAR: Final = 3
_KINDS: Final = {"collection": "collection", "smart": "smart collection", "set": "collection set"}


def path_of(text: str) -> Path:
    """The names from the top. Raises ``ToolError`` BAD_ARGUMENTS."""
    path = tuple(" ".join(name.split()) for name in text.split(">"))
    if not all(path):
        raise ToolError(
            "BAD_ARGUMENTS",
            f'"{text}" names no collection: each name needs a visible character, as in "Rome" or "Trips > Rome".',
        )
    if len(path) > _DEEPEST or any(len(name) > _LONGEST for name in path):
        raise ToolError(
            "BAD_ARGUMENTS", f"Take at most {_DEEPEST} names of at most {_LONGEST} characters for a collection's path."
        )
    return path


def full_path(record: CollectionRecord) -> Path:
    """The names of the sets above a collection, then its own."""
    return (*record.path, record.name)


def shown(path: Iterable[str]) -> str:
    """A path as one text."""
    return " > ".join(path)


def whole(path: Iterable[str]) -> str:
    """A path as one text that means the collection at this very place alone; see ``chosen``."""
    return f"> {shown(path)}"


def matching(records: Sequence[CollectionRecord], query: str) -> list[CollectionRecord]:
    """Those whose path holds ``query``, without regard to case and accents."""
    wanted = fold(shown(" ".join(part.split()) for part in query.split(">")))
    return [record for record in records if wanted in fold(shown(full_path(record)))]


def chosen(records: Sequence[CollectionRecord], text: str) -> CollectionRecord:
    """The one that ``text`` means: its whole path, or the end of it; first as written, then without regard to case and
    accents. With a ">" before it, it is the whole path as written. Raises ``ToolError`` COLLECTION_AMBIGUOUS, naming
    the paths, or COLLECTION_NOT_FOUND, naming similar ones.
    """
    is_whole = text.lstrip().startswith(">")
    wanted = shown(path_of(text.lstrip().removeprefix(">")))
    for alike in (str,) if is_whole else (str, fold):
        for is_meant in (_is,) if is_whole else (_is, _ends_with):
            found = [r for r in records if is_meant(_normal(alike(shown(full_path(r)))), alike(wanted))]
            if len(found) == 1:
                return found[0]
            if found:
                raise _ambiguous(found, wanted)
    raise ToolError("COLLECTION_NOT_FOUND", _suggestion(records, wanted))


def with_known_sets(records: Sequence[CollectionRecord], path: Path) -> tuple[Path, int]:
    """A path for a new collection in the sets that are there, also where their names are written with another case;
    and how many sets of it are missing."""
    above: Path = ()
    for place, name in enumerate(path[:-1]):
        sets = [r.name for r in records if r.kind == "set" and tuple(r.path) == above]
        known = [s for s in sets if s == name] or [s for s in sets if fold(s) == fold(name)]
        if not known:
            return (*above, *path[place:]), len(path) - 1 - place
        above = (*above, known[0])
    return (*above, path[-1]), 0


def _normal(text: str) -> str:
    """Names may hold the separator or more space than is written."""
    return " > ".join(" ".join(part.split()) for part in text.split(">"))


def _is(path: str, wanted: str) -> bool:
    return path == wanted


def _ends_with(path: str, wanted: str) -> bool:
    return path.endswith(f" > {wanted}")


def _ambiguous(found: Sequence[CollectionRecord], wanted: str) -> ToolError:
    paths = [f'"{shown(full_path(record))}" ({_KINDS[record.kind]})' for record in found[:_NAMED]]
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ToolError(
        "COLLECTION_AMBIGUOUS",
        f'"{wanted}" may mean {", ".join(paths)}{more}. Give the whole path; where that is the same, ask the user to '
        "rename one.",
    )


def _suggestion(records: Sequence[CollectionRecord], wanted: str) -> str:
    by_name = {fold(spelling): record for record in records for spelling in (record.name, shown(full_path(record)))}
    similar = difflib.get_close_matches(fold(wanted), list(by_name), _SIMILAR)
    named = ", ".join(dict.fromkeys(f'"{shown(full_path(by_name[name]))}"' for name in similar))
    if named:
        return (
            f'There is no collection "{wanted}". Similar ones are {named}. Otherwise create it with create_collection.'
        )
    return f'There is no collection "{wanted}". Create it first with create_collection.'
