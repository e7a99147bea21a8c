"""The tool that edits keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import UNSET, structs

from safelight.errors import BridgeError, ToolError
from safelight.tools.arguments import parse
from safelight.tools.keyword_paths import SEPARATOR, folded, named, names_of, path_of, resolved
from safelight.tools.reach import ChangesPhotos
from safelight.tools.write import ChunkOutcome, Plan, Planned, failures_of, no_such_photo
from safelight.wire import bridge_models as bridge
from safelight.wire.tool_models import EditKeywordsArguments, Failure
from safelight.wire.tool_table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from safelight.catalog.catalogs import OpenCatalog
    from safelight.gate.journal import ChangeKind

__all__ = ("EditKeywords", "KeywordWriter", "keyword_tree")

PAGE: Final = 5000

Keywords = tuple[str, ...]


class KeywordWriter:
    """Gives photos keywords. ``wanted_of`` tells the paths that a photo shall have, from its id and those it has."""

    kind: ChangeKind = "keywords"
    chunk = 200

    def __init__(self, catalog: OpenCatalog, wanted_of: Callable[[str, Keywords], Keywords], undo_name: str) -> None:
        self.subject: dict[str, Any] = {}
        self._catalog = catalog
        self._wanted_of = wanted_of
        self._undo_name = undo_name

    async def plan(self, photo_ids: Sequence[str]) -> Plan:
        """The keywords before and after."""
        records = await self._catalog.source.read(photo_ids)
        planned = [self._planned(records[i]) for i in photo_ids if i in records]
        return Plan(
            todo=tuple(p for p in planned if not _same(p.before["keywords"], p.after["keywords"])),
            done=tuple(p for p in planned if _same(p.before["keywords"], p.after["keywords"])),
            failed=tuple(no_such_photo(i) for i in photo_ids if i not in records),
        )

    async def write(self, planned: Sequence[Planned]) -> ChunkOutcome:
        """Add and remove what differs, compare what was read back, and tell the index."""
        changes = [_change(p) for p in planned]
        outcome = await self._catalog.source.command(
            bridge.EditKeywordsArguments(undo_name=self._undo_name, changes=changes), bridge.EditKeywordsOutcome
        )
        expected = {p.photo_id: p for p in planned}
        refused = [f for f in outcome.failed if f.photo_id in expected]
        try:
            again = await self._catalog.source.read([f.photo_id for f in refused])
        except BridgeError:
            refused, again = [], {}  # they stay in doubt
        records = [record for record in (*outcome.applied, *again.values()) if record.photo_id in expected]
        await self._catalog.take_over(records)
        now = {record.photo_id: _keywords(record) for record in records}
        kept = {i: has for i, has in now.items() if not _same(has, expected[i].after["keywords"])}
        reasons = {f.photo_id: f for f in failures_of(refused)}
        return ChunkOutcome(
            applied=tuple(i for i in now if i not in kept),
            failed=(
                *(reasons.pop(i, Failure(photo_id=i, reason=_kept_reason(has))) for i, has in kept.items()),
                *(failure for i, failure in reasons.items() if i not in now),
            ),
            not_attempted=tuple(outcome.not_attempted),
            stopped=outcome.stopped,
            settled={
                i: structs.replace(expected[i], after={"keywords": list(has)})
                for i, has in kept.items()
                if not _same(has, expected[i].before["keywords"])
            },
        )

    async def applied_after_all(self, planned: Sequence[Planned]) -> frozenset[str]:
        """Read the photos again."""
        records = await self._catalog.source.read([p.photo_id for p in planned])
        await self._catalog.take_over(tuple(records.values()))
        wanted = {p.photo_id: p.after["keywords"] for p in planned}
        return frozenset(i for i, record in records.items() if _same(_keywords(record), wanted[i]))

    def _planned(self, record: bridge.PhotoRecord) -> Planned:
        before = _keywords(record)
        after = self._wanted_of(record.photo_id, before)
        return Planned(
            photo_id=record.photo_id,
            file_name=record.file_name,
            before={"keywords": list(before)},
            after={"keywords": list(after)},
        )


class EditKeywords(ChangesPhotos):
    """Adds, removes or replaces keywords. Keywords that no photo has any more stay in the catalog's list."""

    spec = TOOLS["edit_keywords"]

    async def freeze(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same call on the photos that its target has now, with the paths of the keywords that are meant now.
        Raises as ``writer``."""
        given = parse(arguments, EditKeywordsArguments)
        paths = await _paths(await self._catalogs.present(), given)
        meant = {name: list(paths) for name, paths in paths.items() if getattr(given, name) is not UNSET}
        return {**await super().freeze(arguments), **meant}

    async def writer(self, catalog: OpenCatalog, arguments: dict[str, Any]) -> KeywordWriter:
        """Raises ``ToolError`` NOTHING_TO_CHANGE, KEYWORDS_CONTRADICT, KEYWORD_INVALID or KEYWORD_AMBIGUOUS."""
        given = parse(arguments, EditKeywordsArguments)
        paths = await _paths(catalog, given)
        if given.replace is not UNSET:
            return KeywordWriter(catalog, lambda photo_id, has: paths["replace"], "Safelight: replace keywords")

        def wanted_of(photo_id: str, has: Keywords) -> Keywords:
            del photo_id
            removed = {path for one in paths["remove"] for path in named(one, has)}
            return _once([*(path for path in has if path not in removed), *paths["add"]])

        return KeywordWriter(catalog, wanted_of, "Safelight: keywords")


async def keyword_tree(catalog: OpenCatalog) -> tuple[str, ...]:
    """The paths of all keywords of the catalog, also of those that no photo has. Raises ``BridgeError``."""
    paths: list[str] = []
    offset = 0
    while True:
        page = await catalog.source.command(
            bridge.ListKeywordsArguments(offset=offset, limit=PAGE), bridge.ListKeywordsOutcome
        )
        paths += (path_of(keyword.path) for keyword in page.keywords)
        # a page may be shorter, by the keywords that Lightroom fails to name
        offset += PAGE
        if offset >= page.total:
            return tuple(paths)


async def _paths(catalog: OpenCatalog, given: EditKeywordsArguments) -> dict[str, Keywords]:
    """What is to be added and removed, or put in the place of all others, by the names of the arguments. What is to be
    removed is as it was written, since it depends on what a photo has."""
    if given.replace is not UNSET:
        if given.add is not UNSET or given.remove is not UNSET:
            raise ToolError("KEYWORDS_CONTRADICT", "Give replace alone, or add and remove.")
        return {"replace": await _resolved(catalog, given.replace)}
    remove = tuple(path_of(names_of(text)) for text in _given(given.remove))
    add = await _resolved(catalog, _given(given.add))
    if not add and not remove:
        raise ToolError("NOTHING_TO_CHANGE", "Give keywords to add, to remove, or to replace all others with.")
    asked = {folded(path) for path in (*add, *(path_of(names_of(text)) for text in _given(given.add)))}
    if both := [path for path in remove if folded(path) in asked]:
        raise ToolError("KEYWORDS_CONTRADICT", f'"{both[0]}" cannot be added and removed by the same call.')
    return {"add": add, "remove": remove}


async def _resolved(catalog: OpenCatalog, texts: Sequence[str]) -> Keywords:
    tree = await keyword_tree(catalog) if texts else ()
    return _once([resolved(text, tree) for text in texts])


def _given(texts: Any) -> list[str]:
    return [] if texts is UNSET else list(texts)


def _once(paths: Sequence[str]) -> Keywords:
    return tuple({folded(path): path for path in reversed(paths)}.values())[::-1]


def _keywords(record: bridge.PhotoRecord) -> Keywords:
    return () if record.keywords is UNSET else tuple(record.keywords)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return {folded(path) for path in one} == {folded(path) for path in other}


def _kept_reason(has: Keywords) -> str:
    return f"Lightroom did not take it; the photo has {', '.join(has) or 'no keywords'}."


def _change(planned: Planned) -> bridge.KeywordChange:
    before, after = planned.before["keywords"], planned.after["keywords"]
    had, gets = {folded(path) for path in before}, {folded(path) for path in after}
    return bridge.KeywordChange(
        photo_id=planned.photo_id,
        add=[path.split(SEPARATOR) for path in after if folded(path) not in had],
        remove=[path.split(SEPARATOR) for path in before if folded(path) not in gets],
    )
