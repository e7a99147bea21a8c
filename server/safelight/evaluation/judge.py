"""Whether a conversation did what its task asks: judged by what it left behind (pure).

Tool choice is right when, for each message, the first tool called is one that the expectation needs (``needed``), and
none is called where none is needed. The whole task is right when the tool choice is and all that is expected holds,
while nothing else in the catalog has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import msgspec
from msgspec import UNSET

from safelight.evaluation.selectors import select

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from safelight.evaluation.state import Held, Seen, State
    from safelight.evaluation.tasks import Expect, Selector, Task, Values

__all__ = ("Done", "Verdict", "broken", "judge", "needed")

_FINDING: Final = frozenset({"search_photos", "get_photos"})
_TOOLS_OF: Final = {
    "rating": "set_rating",
    "flag": "set_flag",
    "label": "set_label",
    "title": "set_metadata",
    "caption": "set_metadata",
    "keywords_added": "edit_keywords",
    "keywords_removed": "edit_keywords",
}
_CHANGING: Final = frozenset(_TOOLS_OF.values()) | {"create_collection", "add_to_collection"}
_TELLING: Final = _FINDING | {"get_status", "catalog_overview", "list_collections", "list_keywords"}


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What a conversation did. ``calls`` are the tools called after each message, in order; ``found`` the photos of
    the last search or listing; ``shown`` the selected photos where ``show_photos`` worked; None where there was
    none."""

    calls: tuple[tuple[str, ...], ...]
    found: frozenset[str] | None = None
    shown: frozenset[str] | None = None
    reply: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """``wrong`` says in words what did not hold."""

    tool_right: bool
    wrong: tuple[str, ...]

    @property
    def whole_right(self) -> bool:
        return self.tool_right and not self.wrong


def judge(task: Task, before: State, after: State, done: Done) -> Verdict:
    """The verdict on a task, from the catalog before and after it."""
    expect = task.expect
    wrong = [
        *_photos_wrong(expect, before, after),
        *_collections_wrong(expect, before, after),
        *_keywords_wrong(expect, before, after),
        *_answer_wrong(expect, before, done),
    ]
    return Verdict(_tool_right(task, done), tuple(wrong))


def broken(task: Task, state: State) -> str | None:
    """Why a task cannot be judged on this catalog, None when it can: a selector that means no photo would let a model
    pass that does nothing."""
    for selector in _selectors(task.expect):
        if not select(selector, state):
            return f"{task.id}: no photo fits {msgspec.json.encode(selector).decode()}"
    return None


def needed(task: Task) -> tuple[frozenset[str], ...]:
    """For each message the tools of which one must be called first; empty where none may be called.

    Photos that are not selected have to be found before something is done with them. Of two messages that leave
    nothing changed the second takes the first one's change back.
    """
    expect = task.expect
    if expect.no_call:
        return (frozenset[str](),) * len(task.requests)
    tools = {_TOOLS_OF[name] for changed in expect.changed for name in _given(changed.set)}
    if expect.collections:
        tools |= {"create_collection", "add_to_collection"}
    if expect.shown is not UNSET:
        tools.add("show_photos")
    if expect.reply_has:
        tools |= _TELLING
    for selector in _selectors(expect):
        tools.add("search_photos" if selector.selected is UNSET else "get_photos")
    if not tools:
        return (_CHANGING | _FINDING, frozenset({"undo_change"}))[-len(task.requests) :]
    return (frozenset(tools),) * len(task.requests)


def _tool_right(task: Task, done: Done) -> bool:
    return all(
        calls[0] in wanted if wanted and calls else not wanted and not calls
        for wanted, calls in zip(needed(task), done.calls, strict=True)
    )


def _selectors(expect: Expect) -> Iterator[Selector]:
    yield from (changed.photos for changed in expect.changed)
    yield from (made.photos for made in expect.collections if made.photos is not None)
    yield from (selector for selector in (expect.found, expect.shown) if selector is not UNSET)


def _given(values: Values) -> dict[str, object]:
    return {name: value for name, value in msgspec.structs.asdict(values).items() if value is not UNSET}


# --- what is left behind -----------------------------------------------------------------------------------------


def _photos_wrong(expect: Expect, before: State, after: State) -> Iterator[str]:
    wanted: dict[str, dict[str, object]] = {uuid: {} for uuid in before.photos}
    for changed in expect.changed:
        for uuid in select(changed.photos, before):
            wanted[uuid] |= _given(changed.set)
    if after.photos.keys() != before.photos.keys():
        yield "photos were added or taken away"
    for uuid, values in wanted.items():
        if uuid not in after.photos:
            continue
        should, does = _values(before.photos[uuid], values), _values(after.photos[uuid], {})
        different = sorted(name for name in should if should[name] != does[name])
        if different:
            yield f"{before.photos[uuid].photo.file_name}: {', '.join(different)}"


def _values(seen: Seen, changes: Mapping[str, object]) -> dict[str, object]:
    """All that counts of a photo, with the expected changes made."""
    photo = msgspec.structs.asdict(seen.photo)
    for irrelevant in ("last_edit", "keywords", "rating", "pick", "label"):
        del photo[irrelevant]
    values = photo | {"rating": seen.rating, "flag": seen.flag, "label": seen.label} | dict(changes)
    keywords = {name.casefold() for name in seen.keywords}
    keywords |= _folded(values.pop("keywords_added", ()))
    return values | {"keywords": keywords - _folded(values.pop("keywords_removed", ()))}


def _folded(names: object) -> set[str]:
    return {name.casefold() for name in cast("tuple[str, ...]", names or ())}


def _collections_wrong(expect: Expect, before: State, after: State) -> Iterator[str]:
    wanted = {made.name: made.photos for made in expect.collections}
    kept = {number: held for number, held in before.collections.items() if held.name not in wanted}
    for number, held in kept.items():
        if after.collections.get(number) != held:
            yield f"the collection {held.name} has changed"
    others = [held for number, held in after.collections.items() if number not in kept]
    for name, selector in wanted.items():
        photos = frozenset[str]() if selector is None else select(selector, before)
        yield from _collection_wrong(name, photos, [held for held in others if held.name == name])
    yield from (f"a collection {held.name} was made" for held in others if held.name not in wanted)


def _collection_wrong(name: str, photos: frozenset[str], there: list[Held]) -> Iterator[str]:
    if [held.kind for held in there] != ["collection"]:
        yield f"there is no collection {name}"
    elif there[0].photos != photos:
        yield f"the collection {name} holds {len(there[0].photos)} photos in place of {len(photos)}"


def _keywords_wrong(expect: Expect, before: State, after: State) -> Iterator[str]:
    added = {name for changed in expect.changed for name in _folded(_given(changed.set).get("keywords_added"))}
    for path in sorted(after.keywords - before.keywords):
        if path[-1].casefold() not in added:
            yield f"the keyword {path[-1]} was made"


def _answer_wrong(expect: Expect, before: State, done: Done) -> Iterator[str]:
    for what, selector, photos in (("found", expect.found, done.found), ("shown", expect.shown, done.shown)):
        if selector is UNSET:
            continue
        wanted = select(selector, before)
        if photos is None:
            yield f"nothing was {what}"
        elif photos != wanted:
            yield f"{what}: {_differ(photos, wanted)}"
    yield from (f"the reply lacks {words}" for words in _lacking(expect.reply_has, done.reply))


def _differ(photos: frozenset[str], wanted: frozenset[str]) -> str:
    return f"{len(photos)} photos, {len(photos - wanted)} too many, {len(wanted - photos)} lacking"


def _lacking(expected: Iterable[str], reply: str) -> Iterator[str]:
    yield from (words for words in expected if words.casefold() not in reply.casefold())
