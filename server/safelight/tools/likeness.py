"""Searches by meaning, and what is done instead where there is no model for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import UNSET

from safelight.catalog.text_query import text_query
from safelight.errors import NotByMeaning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.catalog.index import Found
    from safelight.catalog.meaning import Meaning
    from safelight.wire.tool_models import SearchPhotosArguments

__all__ = ("find_by_meaning", "why_no_pictures")

NO_IMAGE_MODEL: Final = "No image model is installed"
NEAR_IN_MEANING: Final = (
    "No photo that fits has these words, so these are photos whose titles, captions, keywords and places come nearest "
    "in meaning."
)
_SIGNS: Final = re.compile(r'["*]|\bOR\b')


async def find_by_meaning(
    meaning: Meaning, catalog: OpenCatalog, search: SearchPhotosArguments, members: Sequence[str] | None
) -> tuple[Found, list[str]]:
    """As ``PhotoIndex.find``, with ``shows``, and with sentences about what could not be used.

    ``shows`` keeps at most 100 photos, those that stand out among the whole catalog, best first unless ``sort`` says
    otherwise. ``text`` always means its words; with sort=best their meaning also counts for the order, and photos of
    like meaning are found where none has the words.
    """
    if search.shows is not UNSET:
        return await _showing(meaning, catalog, search, search.shows, members)
    if search.sort == "best" and search.text is not UNSET:
        return await _best(meaning, catalog, search, search.text, members)
    return await catalog.index.find(search, members=members), []


def why_no_pictures(error: NotByMeaning) -> str:
    """Why pictures cannot be compared: the beginning of a sentence."""
    return NO_IMAGE_MODEL if error.tool_code == "NO_MODEL" else error.message.removesuffix(".")


async def _showing(
    meaning: Meaning, catalog: OpenCatalog, search: SearchPhotosArguments, shows: str, members: Sequence[str] | None
) -> tuple[Found, list[str]]:
    rest = msgspec.structs.replace(search, shows=UNSET)
    try:
        near = await meaning.of_pictures(catalog, shows)
        warnings = await _not_seen(catalog, near.model_id)
    except NotByMeaning as error:
        why = why_no_pictures(error)
        try:
            near = await meaning.of_texts(catalog, shows)
        except NotByMeaning:
            words = shows if search.text is UNSET else f"{search.text} {shows}"
            found = await catalog.index.find(msgspec.structs.replace(rest, text=words), members=members)
            return found, [f"{why}, so shows was looked for in the photos' texts only."]
        warnings = [f"{why}, so shows was compared with the meaning of titles, captions, keywords and places only."]
    ranked = near.nearest if search.sort in (UNSET, "best") else near.only_nearest
    return await catalog.index.find(rest, members=members, ranked=ranked), warnings


async def _best(
    meaning: Meaning, catalog: OpenCatalog, search: SearchPhotosArguments, text: str, members: Sequence[str] | None
) -> tuple[Found, list[str]]:
    query = text_query(text)
    try:
        near = await meaning.of_texts(catalog, _SIGNS.sub(" ", text))
    except NotByMeaning:
        return await catalog.index.find(search, members=members), []
    found = await catalog.index.find(search, members=members, ranked=near.fused)
    if found.count or query is None or query.without:
        return found, []
    instead = msgspec.structs.replace(search, text=UNSET)
    like = await catalog.index.find(instead, members=members, ranked=near.nearest)
    return (like, [NEAR_IN_MEANING]) if like.count else (found, [])


async def _not_seen(catalog: OpenCatalog, model_id: str) -> list[str]:
    photos = await catalog.index.count()
    missing = photos - await catalog.vectors.count("pictures", model_id)
    if missing <= 0:
        return []
    return [f"{missing} of {photos} pictures have not been indexed yet; index_photos with pictures does it."]
