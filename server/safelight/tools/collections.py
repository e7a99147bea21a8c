"""Tools for collections."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from safelight.errors import BridgeError, ToolError
from safelight.gate.tool import ToolAnswer
from safelight.tools.arguments import parse
from safelight.tools.reach import OnNoPhotos, OnPhotos
from safelight.tools.targets import resolve_target, target_of
from safelight.tools.write import ChunkOutcome, PreparedChunk, change_photos, failures_of
from safelight.wire import bridge_models as bridge
from safelight.wire.models import Preview, PreviewPhoto
from safelight.wire.tool_models import AddToCollectionArguments, Collection, CreateCollectionArguments
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from safelight.catalog.catalogs import Catalogs, OpenCatalog

__all__ = ("AddToCollection", "CreateCollection")

PREVIEWED: Final = 20
SIMILAR: Final = 3


class CreateCollection(OnNoPhotos):
    """Makes an empty collection."""

    spec = TOOLS["create_collection"]

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """Create it. Raises NAME_EXISTS when there is one with this name."""
        name = _name(parse(arguments, CreateCollectionArguments).collection)
        catalog = await self._catalogs.present()
        try:
            made = await catalog.source.command(
                bridge.CreateCollectionArguments(name=name), bridge.CreateCollectionOutcome
            )
        except BridgeError as error:
            if error.tool_code != "NAME_EXISTS":
                raise
            message = f'A collection "{name}" is there already. Fill it with add_to_collection or choose another name.'
            raise ToolError("NAME_EXISTS", message) from error
        answer = Collection(collection_id=made.collection_id, name=made.name, kind=made.kind)
        return ToolAnswer(content=msgspec.to_builtins(answer))


class AddToCollection(OnPhotos):
    """Adds photos to a collection that is there."""

    spec = TOOLS["add_to_collection"]

    async def preview(self, arguments: dict[str, Any]) -> Preview | None:
        """Where the first 20 photos would go; whether they are there already is not known before."""
        parsed = parse(arguments, AddToCollectionArguments)
        target = target_of(parsed)
        catalog = await self._catalogs.present()
        collection = await _find(catalog, _name(parsed.collection))
        photo_ids = (await resolve_target(self._catalogs, catalog, target)).photo_ids
        records = await catalog.source.read(photo_ids[:PREVIEWED])
        after = {"collection": collection.name}
        photos = [
            PreviewPhoto(photo_id=i, file_name=records[i].file_name, before={}, after=after)
            for i in photo_ids[:PREVIEWED]
            if i in records
        ]
        return Preview(photos=photos, more=max(0, len(photo_ids) - PREVIEWED))

    async def run(self, arguments: dict[str, Any]) -> ToolAnswer:
        """Add the photos. Raises COLLECTION_NOT_FOUND (naming similar ones), COLLECTION_AMBIGUOUS,
        SMART_COLLECTION_READONLY and what a target may raise."""
        parsed = parse(arguments, AddToCollectionArguments)
        target = target_of(parsed)
        catalog = await self._catalogs.present()
        collection = await _find(catalog, _name(parsed.collection))
        resolved = await resolve_target(self._catalogs, catalog, target)
        if not resolved.photo_ids:
            raise ToolError("NO_PHOTOS", "There are no photos to add: the set is empty.")
        return await change_photos(_Adder(catalog, collection.collection_id), resolved.photo_ids, resolved.warnings)


class _Adder:
    def __init__(self, catalog: OpenCatalog, collection_id: str) -> None:
        self._catalog = catalog
        self._collection_id = collection_id

    async def prepare(self, photo_ids: Sequence[str]) -> PreparedChunk:
        return PreparedChunk(todo=tuple(photo_ids))

    async def write(self, photo_ids: Sequence[str]) -> ChunkOutcome:
        outcome = await self._catalog.source.command(
            bridge.AddToCollectionArguments(collection_id=self._collection_id, photo_ids=list(photo_ids)),
            bridge.AddToCollectionOutcome,
        )
        return ChunkOutcome(
            applied=tuple(outcome.applied),
            failed=failures_of(outcome.failed),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
        )

    async def applied_after_all(self, photo_ids: Sequence[str]) -> frozenset[str]:
        """The plug-in has no command that lists a collection's photos."""
        return frozenset()


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not name:
        raise ToolError("BAD_ARGUMENTS", "The collection needs a name with at least one visible character.")
    return name


async def _find(catalog: OpenCatalog, name: str) -> bridge.CollectionRecord:
    """The one collection with this name that takes photos."""
    named = (await _collections(catalog, name)).collections
    fillable = [c for c in named if c.kind == "collection"]
    if len(fillable) == 1:
        return fillable[0]
    if fillable:
        raise ToolError(
            "COLLECTION_AMBIGUOUS",
            f'There are {len(fillable)} collections named "{name}" in different collection sets. '
            "Ask the user to rename one, or create a collection with another name.",
        )
    if any(c.kind == "smart" for c in named):
        raise ToolError(
            "SMART_COLLECTION_READONLY",
            f'"{name}" is a smart collection; it finds its photos by rules and takes none by hand. Use another one.',
        )
    if named:
        raise ToolError("COLLECTION_NOT_FOUND", f'"{name}" is a collection set; it holds collections, not photos.')
    raise ToolError("COLLECTION_NOT_FOUND", await _suggestion(catalog, name))


async def _suggestion(catalog: OpenCatalog, name: str) -> str:
    everything = (await _collections(catalog, None)).collections
    names = {c.name.casefold(): c.name for c in everything if c.kind == "collection"}
    similar = [names[n] for n in difflib.get_close_matches(name.casefold(), list(names), SIMILAR)]
    if similar:
        named = ", ".join(f'"{n}"' for n in similar)
        return f'There is no collection "{name}". Similar ones are {named}. Otherwise create it with create_collection.'
    return f'There is no collection "{name}". Create it first with create_collection.'


async def _collections(catalog: OpenCatalog, name: str | None) -> bridge.FindCollectionsOutcome:
    arguments = bridge.FindCollectionsArguments(name=UNSET if name is None else name)
    return await catalog.source.command(arguments, bridge.FindCollectionsOutcome)
