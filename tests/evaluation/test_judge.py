"""A task is judged by what is left behind, and by nothing having happened beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from safelight.evaluation.judge import Done, Verdict, judge, needed
from safelight.evaluation.selectors import select
from safelight.evaluation.state import State
from safelight.evaluation.tasks import Selector
from tests.evaluation.tasks import START, after, task

RATE = {"changed": [{"photos": {"selected": True}, "set": {"rating": 3}}]}
MADE = {"collections": [{"name": "Trip", "photos": {"word": "dog"}}]}


def verdict(folder: Path, expect: dict[str, Any], state: State, *calls: str, **done: Any) -> Verdict:
    return judge(task(folder, expect), START, state, Done(calls=(calls,), **done))


def rated(*ids: int, stars: int = 3) -> State:
    with after() as changed:
        for local_id in ids:
            changed.catalog.change_photo(local_id, rating=stars, last_edit=1.0)
    return changed.state


def test_a_change_of_exactly_the_photos_meant_is_right(tmp_path: Path) -> None:
    assert verdict(tmp_path, RATE, rated(1, 2, 3), "set_rating").whole_right


@pytest.mark.parametrize("state", [START, rated(1, 2), rated(1, 2, 3, 5), rated(1, 2, 3, stars=4)])
def test_too_few_too_many_or_other_changes_are_wrong(tmp_path: Path, state: State) -> None:
    found = verdict(tmp_path, RATE, state, "set_rating")
    assert found.tool_right
    assert found.wrong
    assert not found.whole_right


def test_nothing_else_of_a_photo_may_change(tmp_path: Path) -> None:
    with after() as changed:
        for local_id in (1, 2, 3):
            changed.catalog.change_photo(local_id, rating=3, title="Oh")
    assert verdict(tmp_path, RATE, changed.state, "set_rating").wrong[0] == "IMG_4001.jpg: title"


def test_keywords_may_be_added_and_removed_in_any_case_and_no_others_made(tmp_path: Path) -> None:
    expect = {"changed": [{"photos": {"word": "img_4001"}, "set": {"keywords_added": ["Sand"]}}]}
    with after() as changed:
        photo = changed.catalog.by_id(1)
        sand = changed.catalog.keywords.ensure("sand")
        changed.catalog.change_photo(1, keywords=(*photo.keywords, sand))
    assert verdict(tmp_path, expect, changed.state, "search_photos").whole_right
    with after() as more:
        ids = [more.catalog.keywords.ensure(name) for name in ("sand", "heap")]
        more.catalog.change_photo(1, keywords=(*photo.keywords, *ids))
    assert verdict(tmp_path, expect, more.state, "search_photos").wrong == (
        "IMG_4001.jpg: keywords",
        "the keyword heap was made",
    )
    removed = {"changed": [{"photos": {"word": "img_4001"}, "set": {"keywords_removed": ["SEA"]}}]}
    with after() as fewer:
        kept = [number for number in photo.keywords if fewer.catalog.keywords[number].name != "sea"]
        fewer.catalog.change_photo(1, keywords=tuple(kept))
    assert verdict(tmp_path, removed, fewer.state, "search_photos").whole_right


def made(name: str, ids: list[int]) -> State:
    with after() as changed:
        changed.catalog.add_collection(name, photo_ids=ids)
    return changed.state


DOGS = [START.photos[uuid].photo.local_id for uuid in select(Selector(word="dog"), START)]


@pytest.mark.parametrize(
    ("name", "ids", "wrong"),
    [
        ("Trip", DOGS, ()),
        ("Trip", DOGS[1:], ("the collection Trip holds 3 photos in place of 4",)),
        ("Tripp", DOGS, ("there is no collection Trip", "a collection Tripp was made")),
    ],
)
def test_a_collection_is_judged_by_its_name_and_all_its_photos(
    tmp_path: Path, name: str, ids: list[int], wrong: tuple[str, ...]
) -> None:
    assert verdict(tmp_path, MADE, made(name, ids), "create_collection").wrong == wrong


def test_a_collection_of_before_must_stay_as_it_was(tmp_path: Path) -> None:
    with after() as changed:
        favourites = changed.catalog.collection("Favourites")
        changed.catalog.add_to_collection(favourites.local_id, (1,))
    assert verdict(tmp_path, {"no_call": True}, changed.state).wrong == ("the collection Favourites has changed",)


def test_what_was_found_and_shown_is_exact(tmp_path: Path) -> None:
    dogs = select(Selector(word="dog"), START)
    for what in ("found", "shown"):
        expect = {what: {"word": "dog"}}
        assert verdict(tmp_path, expect, START, "search_photos", **{what: dogs}).whole_right
        assert verdict(tmp_path, expect, START, "search_photos").wrong == (f"nothing was {what}",)
        fewer = verdict(tmp_path, expect, START, "search_photos", **{what: frozenset(list(dogs)[1:])})
        assert fewer.wrong == (f"{what}: 3 photos, 0 too many, 1 lacking",)


def test_a_reply_must_hold_its_facts_in_any_case(tmp_path: Path) -> None:
    expect = {"reply_has": ["drawn photos"]}
    assert verdict(tmp_path, expect, START, "get_status", reply="It is Drawn Photos.").whole_right
    assert not verdict(tmp_path, expect, START, "get_status", reply="It is open.").whole_right


def test_small_talk_must_be_answered_without_a_call(tmp_path: Path) -> None:
    assert verdict(tmp_path, {"no_call": True}, START, reply="Hi").whole_right
    assert not verdict(tmp_path, {"no_call": True}, START, "get_status", reply="Hi").tool_right


@pytest.mark.parametrize(
    ("expect", "tools"),
    [
        (RATE, {"set_rating", "get_photos"}),
        ({"changed": [{"photos": {"label": "red"}, "set": {"flag": "pick"}}]}, {"set_flag", "search_photos"}),
        (MADE, {"create_collection", "add_to_collection", "search_photos"}),
        ({"collections": [{"name": "Trip", "photos": None}]}, {"create_collection", "add_to_collection"}),
        ({"shown": {"word": "dog"}}, {"show_photos", "search_photos"}),
        ({"found": {"selected": True}}, {"get_photos"}),
        ({"no_call": True}, set[str]()),
    ],
)
def test_the_first_tool_called_must_be_one_that_the_expectation_needs(
    tmp_path: Path, expect: dict[str, Any], tools: set[str]
) -> None:
    one = task(tmp_path, expect)
    assert needed(one) == (tools,)
    for tool in ("set_rating", "search_photos", "delete_collection"):
        assert judge(one, START, START, Done(calls=((tool,),))).tool_right == (tool in tools)
    assert judge(one, START, START, Done(calls=((),))).tool_right == (not tools)


def test_of_two_messages_that_leave_nothing_changed_the_second_undoes_the_first(tmp_path: Path) -> None:
    one = task(tmp_path, {}, "Rate these 3", "Undo that")

    def right(*calls: tuple[str, ...]) -> bool:
        return judge(one, START, START, Done(calls=calls)).whole_right

    assert right(("set_rating",), ("undo_change",))
    assert not right((), ()), "who does nothing has not done it"
    assert not right(("set_rating",), ("set_rating",))
