"""What the journal knows of changes, whatever dies in between."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from safelight.errors import ToolError
from safelight.gate.journal import ChangeRecord, Entry, Journal
from tests.gate.journal import NOW, open_journal
from tests.requirement import requirement


def stars(photo_id: str, before: int, after: int, name: str = "") -> Entry:
    return Entry(item_id=photo_id, name=name or f"{photo_id}.jpg", before={"rating": before}, after={"rating": after})


def begun(journal: Journal, undoes: str | None = None, by: str = "chat chat_1") -> ChangeRecord:
    return journal.begin(tool="set_rating", by=by, catalog_id="c1", kind="values", undoes=undoes)


async def made(journal: Journal, *entries: Entry, undoes: str | None = None) -> str:
    record = begun(journal, undoes)
    await record.intend(entries)
    await record.settle({entry.item_id: entry for entry in entries})
    assert record.change_id is not None
    return record.change_id


@requirement("change.journal")
async def test_a_change_stands_with_who_when_what_before_and_after(journal: Journal) -> None:
    change_id = await made(journal, stars("a", 1, 5), stars("b", 0, 5))
    change = await journal.change(change_id)
    assert (change.time, change.tool, change.by) == (NOW.isoformat(), "set_rating", "chat chat_1")
    assert (change.catalog_id, change.kind, change.changed, change.left) == ("c1", "values", 2, 2)
    first, second = await journal.items(change_id)
    assert (first.item_id, first.name, first.before, first.after) == ("a", "a.jpg", {"rating": 1}, {"rating": 5})
    assert (first.state, second.before) == ("done", {"rating": 0})
    assert await journal.items(change_id, 1) == (first,)


@requirement("perm.undo", "change.journal")
async def test_what_was_sent_when_the_service_died_is_unknown_afterwards(tmp_path: Path) -> None:
    async with open_journal(tmp_path) as journal:
        record = begun(journal)
        await record.intend([stars("a", 1, 5), stars("b", 2, 5)])
        await record.settle({"a": stars("a", 1, 5)})
        await record.intend([stars("c", 3, 5)])
    async with open_journal(tmp_path) as journal:
        ((change,), following) = await journal.changes()
        assert (change.change_id, following) == (record.change_id, None)
        assert change.states == {"done": 1, "unknown": 2}
        items = await journal.items(change.change_id)
        assert [(i.item_id, i.before["rating"], i.state) for i in items] == [
            ("a", 1, "done"),
            ("b", 2, "unknown"),
            ("c", 3, "unknown"),
        ]


async def test_a_change_that_came_to_nothing_has_no_id_and_is_not_listed(journal: Journal) -> None:
    record = begun(journal)
    await record.intend([stars("a", 1, 5)])
    await record.settle({}, ["a"])
    assert record.change_id is None
    assert await journal.changes() == ((), None)


async def test_nothing_is_written_before_something_is_about_to_be_sent(journal: Journal) -> None:
    record = begun(journal)
    await record.settle({})
    assert record.change_id is None
    assert await journal.changes() == ((), None)


async def test_an_item_may_get_an_id_of_its_own_once_it_is_made(journal: Journal) -> None:
    record = begun(journal)
    await record.intend([stars("Trips > Rome", 0, 0)])
    await record.settle({"Trips > Rome": stars("collection-7", 0, 0)})
    assert record.change_id is not None
    (item,) = await journal.items(record.change_id)
    assert (item.item_id, item.state) == ("collection-7", "done")


@requirement("perm.undo")
async def test_what_is_taken_back_is_undone_in_the_change_that_it_came_from(journal: Journal) -> None:
    change_id = await made(journal, stars("a", 1, 5), stars("b", 2, 5), stars("c", 3, 5))
    undo = begun(journal, undoes=change_id)
    await undo.held_already(["c", "x"])
    await undo.intend([stars("a", 5, 1), stars("b", 5, 2)])
    await undo.settle({"a": stars("a", 5, 1)}, ["b"])
    assert (await journal.change(change_id)).states == {"undone": 2, "done": 1}
    assert undo.change_id is not None
    assert (await journal.change(undo.change_id)).undoes == change_id
    held = (await journal.items(undo.change_id))[-1]
    assert (held.item_id, held.before, held.after, held.state) == ("c", {"rating": 3}, {"rating": 3}, "done")
    late = begun(journal, undoes=change_id)
    await late.held_already(["a", "c"])
    assert late.change_id is None


@requirement("perm.undo")
async def test_what_is_done_again_is_in_force_and_can_be_taken_back_again(journal: Journal) -> None:
    first = await made(journal, stars("a", 1, 5), stars("b", 2, 5))
    undo = await made(journal, stars("a", 5, 1), stars("b", 5, 2), undoes=first)
    redo = await made(journal, stars("a", 1, 5), undoes=undo)
    assert (await journal.change(first)).states == {"done": 1, "undone": 1}
    assert (await journal.change(undo)).states == {"undone": 1, "done": 1}
    await made(journal, stars("a", 5, 1), undoes=redo)
    assert [(await journal.change(i)).left for i in (first, undo, redo)] == [0, 2, 0]


async def test_an_unknown_change_is_an_error_in_words(journal: Journal) -> None:
    for asking in (journal.change("change_x"), journal.subject("change_x")):
        with pytest.raises(ToolError) as caught:
            await asking
        assert caught.value.tool_code == "CHANGE_UNKNOWN"


@requirement("change.journal")
async def test_changes_are_listed_newest_first_page_by_page(journal: Journal) -> None:
    ids = [await made(journal, stars("a", n, n + 1)) for n in range(5)]
    first, following = await journal.changes(limit=2)
    second, rest = await journal.changes(limit=3, before=following)
    assert [change.change_id for change in (*first, *second)] == ids[::-1]
    assert rest is None
    assert await journal.changes(before="change_x") == ((), None)


@requirement("change.journal")
async def test_changes_are_found_by_words_of_tool_maker_names_and_values(journal: Journal) -> None:
    change_id = await made(journal, stars("a", 1, 5, name="Straße in Tromsø.jpg"))
    await made(journal, stars("b", 1, 4))
    for query in ("tromso", "STRASSE", "set_rating chat_1 tromsø", '"rating":5'):
        found, _ = await journal.changes(query=query)
        assert [change.change_id for change in found] == [change_id], query
    assert (await journal.changes(query="tromso 4"))[0] == ()
    assert len((await journal.changes(query="set_rating"))[0]) == 2


@requirement("change.journal")
async def test_a_search_goes_through_all_items_and_all_changes_page_by_page(journal: Journal) -> None:
    ids: list[str] = []
    for n in range(6):
        many = [stars(f"{i:04}", 0, 1, name=f"{'odd' if n % 2 else 'even'} {i}") for i in range(501)]
        ids.append(await made(journal, *many))
    first, following = await journal.changes(limit=2, query="odd 500")
    rest, none = await journal.changes(limit=2, before=following, query="500 ODD")
    assert [change.change_id for change in (*first, *rest)] == [ids[5], ids[3], ids[1]]
    assert none is None
    assert (await journal.changes(limit=3, query="odd"))[1] is None


async def test_a_long_search_lets_others_use_the_database_in_between(journal: Journal) -> None:
    change_id = await made(journal, *(stars(f"{i:04}", 0, 1) for i in range(3_000)))
    searching = asyncio.create_task(journal.changes(query="nowhere"))
    await asyncio.sleep(0)
    await journal.subject(change_id)
    assert not searching.done()
    assert await searching == ((), None)
