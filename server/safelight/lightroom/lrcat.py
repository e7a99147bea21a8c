"""A catalog from a copy of a Lightroom catalog file: what ``safelight demo --lrcat`` works on.

Nothing ever goes back into the file.
"""

from __future__ import annotations

import itertools
import logging
from datetime import date
from typing import TYPE_CHECKING

from safelight.lightroom.catalog import Catalog
from safelight.lightroom.lrcat_copy import LrcatRefused, opened_copy
from safelight.lightroom.lrcat_originals import Originals
from safelight.lightroom.lrcat_photos import read_photos
from safelight.lightroom.lrcat_rules import rules_search
from safelight.lightroom.lrcat_sets import LrcatCollection, read_collections, read_keyword_photos, read_keywords
from safelight.lightroom.lrcat_tables import LrcatTables
from safelight.lightroom.metadata import LightroomRefusal
from safelight.lightroom.pictures import OriginalPictures

if TYPE_CHECKING:
    from pathlib import Path

    from safelight.lightroom.search_description import SearchDescription

__all__ = ("LrcatRefused", "lrcat_catalog")

_log = logging.getLogger(__name__)


def lrcat_catalog(path: Path) -> Catalog:
    """The photos, keywords and collections of the file as they were last saved, also while Lightroom has it open.

    The file is copied and not opened itself; of the originals only those are looked at whose picture is asked for.

    Raises:
        LrcatRefused: the file is no catalog of Lightroom 5 or newer, or cannot be read; the message says why.
    """
    path = path.absolute()
    with opened_copy(path) as connection:
        tables = LrcatTables(connection)
        tables.check(path)
        keywords = read_keywords(tables)
        photos = read_photos(tables, Originals(path.parent), read_keyword_photos(tables, keywords))
        collections = read_collections(tables, {photo.local_id: photo for photo in photos})
    catalog = Catalog(photos, OriginalPictures(), path=str(path), keywords=keywords)
    _add_collections(catalog, collections)
    _log.info("%s: %d photos, %d keywords, %d collections", path, len(photos), len(keywords), len(collections))
    return catalog


def _add_collections(catalog: Catalog, collections: list[LrcatCollection]) -> None:
    numbers: dict[int | None, int | None] = {None: None}
    for collection in collections:
        parent = numbers[collection.parent]
        name = _free_name(collection.name, {child.name for child in catalog.children(parent)})
        search = _search(collection)
        added = catalog.add_collection(name, collection.kind, parent, collection.photo_ids, search)
        numbers[collection.local_id] = added.local_id


def _search(collection: LrcatCollection) -> SearchDescription | None:
    """What a smart collection looks for; None for rules that are not simulated, and then it stays empty."""
    if collection.kind != "smart":
        return None
    try:
        return rules_search(collection.rules, date.today())  # noqa: DTZ011 - as the person counts days
    except LightroomRefusal as error:
        _log.warning("The smart collection %s stays empty: %s", collection.name, error)
        return None


def _free_name(name: str, taken: set[str]) -> str:
    """The name, with a number where a damaged catalog has it twice in one place."""
    numbered = (f"{name} ({number})" for number in itertools.count(2))
    return name if name not in taken else next(one for one in numbered if one not in taken)
