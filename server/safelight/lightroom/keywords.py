"""The keywords of a simulated catalog: a tree in which the same name may stand under several parents."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from safelight.lightroom.photo import Keyword

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ("KeywordTree", "folded")


def folded(name: str) -> str:
    """What two spellings of one keyword have in common."""
    return unicodedata.normalize("NFC", name).casefold()


class KeywordTree:
    """Keywords are only ever added; ``cut`` takes the newest away again."""

    def __init__(self, keywords: Iterable[Keyword] = ()) -> None:
        self._by_id: dict[int, Keyword] = {}
        self._children: dict[int | None, list[int]] = {}
        self._named: dict[tuple[int | None, str], int] = {}
        self._last_id = 0
        self.unreadable: set[int] = set()
        """Local ids of keywords whose children Lightroom fails to list."""
        self.nameless: set[int] = set()
        """Local ids of keywords that Lightroom fails to name."""
        for keyword in keywords:
            self._keep(keyword)

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, local_id: object) -> bool:
        return local_id in self._by_id

    def __getitem__(self, local_id: int) -> Keyword:
        return self._by_id[local_id]

    def all(self) -> tuple[Keyword, ...]:
        """Parents stand before their children."""
        return tuple(self._by_id.values())

    def children(self, parent: int | None) -> list[int]:
        return list(self._children.get(parent, ()))

    def named(self, name: str, parent: int | None) -> int | None:
        """The keyword of that name, in any case, under that parent."""
        return self._named.get((parent, folded(name)))

    def path(self, local_id: int) -> tuple[str, ...]:
        """Its names from the top."""
        names: list[str] = []
        place: int | None = local_id
        while place is not None:
            names.append(self._by_id[place].name)
            place = self._by_id[place].parent
        return tuple(reversed(names))

    def find(self, *path: str) -> Keyword:
        """The keyword with these names from the top; raises ``KeyError`` when there is none."""
        place: int | None = None
        for name in path:
            place = self._named[place, folded(name)]
        if place is None:
            raise KeyError(path)
        return self._by_id[place]

    def add(
        self, name: str, parent: int | None = None, *, synonyms: Iterable[str] = (), include_on_export: bool = True
    ) -> Keyword:
        keyword = Keyword(
            local_id=self._last_id + 1,
            name=name,
            parent=parent,
            include_on_export=include_on_export,
            synonyms=tuple(synonyms),
        )
        self._keep(keyword)
        return keyword

    def ensure(self, *path: str) -> int:
        """The local id of the keyword with these names from the top; those that are missing are added."""
        place: int | None = None
        for name in path:
            known = self.named(name, place)
            place = self.add(name, place).local_id if known is None else known
        if place is None:
            raise ValueError("a path has at least one name")
        return place

    def cut(self, count: int) -> None:
        """Leaves only the first ``count`` keywords. Their ids are not given again."""
        for local_id in list(self._by_id)[count:]:
            keyword = self._by_id.pop(local_id)
            self._children[keyword.parent].remove(local_id)
            place = (keyword.parent, folded(keyword.name))
            if self._named.get(place) == local_id:
                del self._named[place]

    def _keep(self, keyword: Keyword) -> None:
        self._by_id[keyword.local_id] = keyword
        self._children.setdefault(keyword.parent, []).append(keyword.local_id)
        self._named.setdefault((keyword.parent, folded(keyword.name)), keyword.local_id)
        self._last_id = max(self._last_id, keyword.local_id)
