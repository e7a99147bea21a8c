"""Tools that look at the catalog as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.catalog.fold import fold
from safelight.errors import BridgeError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.collection_paths import full_path, shown
from safelight.tools.collection_source import counted
from safelight.tools.keyword_paths import folded
from safelight.tools.keywords import keyword_tree
from safelight.tools.reach import OnNoPhotos
from safelight.wire.tool_models import (
    CatalogOverviewAnswer,
    Count,
    Facet,
    Keyword,
    ListKeywordsAnswer,
    ListKeywordsArguments,
)
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog
    from safelight.gate.running import RunningCall

__all__ = ("CatalogOverview", "ListKeywords")

COUNTED: Final = 100
"""Collections whose photos are counted; more would keep Lightroom busy."""

LISTED: Final = 10
KEYWORDS: Final = 50


class CatalogOverview(OnNoPhotos):
    """Counts photos from the index, and those of collections from Lightroom."""

    spec = TOOLS["catalog_overview"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """The facets with their ten commonest values. Says so when the index could not be brought up to date."""
        del arguments, call
        catalog = await self._catalogs.present()
        stale = await catalog.sync.freshen()
        overview = await catalog.index.overview()
        collections, warnings = await _collections(catalog)
        warnings += [stale] if stale else []
        answer = CatalogOverviewAnswer(
            count=overview.count,
            first=UNSET if overview.first is None else overview.first,
            last=UNSET if overview.last is None else overview.last,
            facets=[*overview.facets, *collections],
            warnings=warnings or UNSET,
        )
        return ToolAnswer(content=msgspec.to_builtins(answer))


class ListKeywords(OnNoPhotos):
    """The keywords of Lightroom's list, also those that no photo has; the numbers of photos are the index's."""

    spec = TOOLS["list_keywords"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any], call: RunningCall) -> ToolAnswer:
        """A page of 50, or ``limit``, by path. Without Lightroom, those that photos had when it was last seen."""
        del call
        given = parse(arguments, ListKeywordsArguments)
        catalog = await self._catalogs.present()
        stale = await catalog.sync.freshen()
        warnings = [stale] if stale else []
        used = await catalog.index.keywords()
        try:
            tree: Sequence[str] = await keyword_tree(catalog)
        except BridgeError as error:
            tree = ()
            warnings.append(f"Keywords that no photo has are left out. {error.message}")
        keywords = _with_photos(used, tree)
        if given.query is not UNSET:
            wanted = fold(given.query).strip()
            keywords = [keyword for keyword in keywords if wanted in fold(keyword.keyword)]
        first = 0 if given.offset is UNSET else given.offset
        end = first + (KEYWORDS if given.limit is UNSET else given.limit)
        answer = ListKeywordsAnswer(count=len(keywords), keywords=keywords[first:end], warnings=warnings or UNSET)
        return ToolAnswer(content=msgspec.to_builtins(answer))


def _with_photos(used: Iterable[Keyword], tree: Iterable[str]) -> list[Keyword]:
    """Every keyword once, by path, spelled as in Lightroom's list."""
    known = {folded(path): Keyword(keyword=path, photos=0) for path in tree}
    for keyword in used:
        same = folded(keyword.keyword)
        spelled = known.get(same, keyword)
        known[same] = Keyword(keyword=spelled.keyword, photos=keyword.photos)
    return sorted(known.values(), key=lambda keyword: fold(keyword.keyword))


async def _collections(catalog: OpenCatalog) -> tuple[list[Facet], list[str]]:
    """The facet of the collections, none when Lightroom cannot be asked; and a sentence about what was left out."""
    try:
        records = await counted(catalog, 0, COUNTED)
    except BridgeError as error:
        return [], [f"Collections are left out. {error.message}"]
    having = [record for record in records if record.kind != "set"]
    counts = [(shown(full_path(record)), record.photos) for record in having if record.photos is not UNSET]
    largest = sorted(((name, photos) for name, photos in counts if photos), key=lambda count: (-count[1], count[0]))
    listed = [Count(value=name, photos=photos) for name, photos in largest[:LISTED]]
    facet = Facet(name="collection", counts=listed, more=len(having) - len(listed))
    uncounted = len(having) - len(counts)
    return [facet], [f"{uncounted} collections were not counted."] if uncounted else []
