"""The tool that edits keywords, on the plug-in's own Lua."""

from __future__ import annotations

import asyncio
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safelight.errors import ToolError
from safelight.tools.keyword_paths import folded, named, names_of, path_of, resolved
from safelight.tools.write import IN_DOUBT
from tests.bridge.fake_plugin import FakePlugin, photo
from tests.requirement import requirement
from tests.tools.conftest import Studio, Workbench

CAFE, CAFE_APART = (unicodedata.normalize(form, "Café") for form in ("NFC", "NFD"))


def all_paths(studio: Studio) -> list[str]:
    keywords = studio.catalog.keywords
    return [" > ".join(keywords.path(keyword.local_id)) for keyword in keywords.all()]


@requirement("tool.list-destructive", "tool.per-photo")
async def test_keywords_are_added_below_others_and_read_back(studio: Studio) -> None:
    one, two = studio.ids(4, 5)
    before = {i: studio.keywords(i) for i in (one, two)}
    content = await studio.content("edit_keywords", photo_ids=[one, two, "nope"], add=["Travel > Lisbon", "Best"])
    assert content["applied"] == [one, two]
    assert [(f["photo_id"], "no photo with this id" in f["reason"]) for f in content["failed"]] == [("nope", True)]
    for photo_id, had in before.items():
        assert studio.keywords(photo_id) == had | {"Travel > Lisbon", "Best"}
    made = [keyword for keyword in studio.catalog.keywords.all() if keyword.name in ("Travel", "Lisbon", "Best")]
    assert len(made) == 3
    assert all(keyword.include_on_export for keyword in made)


async def test_a_name_alone_means_the_keyword_of_that_name_wherever_it_stands(studio: Studio) -> None:
    (one,) = studio.ids(4)
    tree = all_paths(studio)
    await studio.content("edit_keywords", photo_ids=[one], add=["DOG"])
    assert "animals > dog" in studio.keywords(one)
    assert all_paths(studio) == tree


async def test_a_new_path_goes_on_below_what_is_there_in_its_own_spelling(studio: Studio) -> None:
    (one,) = studio.ids(4)
    await studio.content("edit_keywords", photo_ids=[one], add=["ANIMALS > Dog > Rex"])
    assert "animals > dog > Rex" in studio.keywords(one)


async def test_a_keyword_that_differs_in_its_unicode_form_alone_is_not_made_twice(studio: Studio) -> None:
    one, two = studio.ids(4, 5)
    studio.catalog.keywords.ensure(CAFE_APART)
    tree = all_paths(studio)
    await studio.content("edit_keywords", photo_ids=[one], add=[CAFE])
    await studio.content("edit_keywords", photo_ids=[two], add=[f"{CAFE} > Terrace"])
    assert CAFE_APART in studio.keywords(one)
    assert f"{CAFE_APART} > Terrace" in studio.keywords(two)
    assert set(all_paths(studio)) - set(tree) == {f"{CAFE_APART} > Terrace"}
    await studio.content("edit_keywords", photo_ids=[one], remove=[CAFE])
    assert CAFE_APART not in studio.keywords(one)


async def test_replace_leaves_these_keywords_alone_and_an_empty_list_takes_all_away(studio: Studio) -> None:
    (one,) = studio.ids(4)
    await studio.content("edit_keywords", photo_ids=[one], replace=["Client", "animals > dog"])
    assert studio.keywords(one) == {"Client", "animals > dog"}
    content = await studio.content("edit_keywords", photo_ids=[one], replace=[])
    assert studio.keywords(one) == set()
    await studio.content("undo_change", change_id=content["change_id"])
    assert studio.keywords(one) == {"Client", "animals > dog"}


async def test_a_keyword_that_lightroom_cannot_name_stays_and_the_others_change(studio: Studio) -> None:
    (one,) = studio.ids(4)
    await studio.content("edit_keywords", photo_ids=[one], replace=["Broken", "Client"])
    studio.lightroom.break_keyword_name("Broken")
    content = await studio.content("edit_keywords", photo_ids=[one], replace=["New"])
    assert content["applied"] == [one]
    broken = studio.catalog.keywords.find("Broken").local_id
    assert broken in studio.catalog.photo(one).keywords
    assert studio.keywords(one) == {"Broken", "New"}


async def test_a_keyword_may_move_below_another(studio: Studio) -> None:
    (one,) = studio.ids(4)
    await studio.content("edit_keywords", photo_ids=[one], replace=["Porto"])
    await studio.content("edit_keywords", photo_ids=[one], add=["Portugal > Porto"], remove=["Porto"])
    assert studio.keywords(one) == {"Portugal > Porto"}


async def test_removing_a_name_takes_the_keyword_at_the_top_or_else_all_of_that_name(studio: Studio) -> None:
    one, two = studio.ids(4, 5)
    await studio.content("edit_keywords", photo_ids=[one], replace=["Toys > Bear", "Wildlife > Bear"])
    await studio.content("edit_keywords", photo_ids=[two], replace=["Bears > Grizzly", "Grizzlies > Grizzly"])
    await studio.content("edit_keywords", photo_ids=[two], replace=["Toys > Bear"])
    content = await studio.content("edit_keywords", photo_ids=[one, two], remove=["bear"])
    assert content["applied"] == [one, two]
    assert studio.keywords(one) == studio.keywords(two) == set()


@requirement("perm.preview")
async def test_a_question_lists_the_keywords_before_and_after(studio: Studio) -> None:
    one, two = studio.ids(4, 5)
    await studio.content("edit_keywords", photo_ids=[one, two], replace=["A"])
    await studio.content("edit_keywords", photo_ids=[two], add=["B"])
    preview = await studio.preview("edit_keywords", photo_ids=[one, two], add=["B"])
    assert [(p.photo_id, p.before, p.after) for p in preview.photos] == [
        (one, {"keywords": ["A"]}, {"keywords": ["A", "B"]}),
        (two, {"keywords": ["A", "B"]}, {"keywords": ["A", "B"]}),
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "NOTHING_TO_CHANGE"),
        ({"add": ["a, b"]}, "KEYWORD_INVALID"),
        ({"add": ["a;b"]}, "KEYWORD_INVALID"),
        ({"remove": ["a|b"]}, "KEYWORD_INVALID"),
        ({"add": ["Animals > "]}, "KEYWORD_INVALID"),
        ({"replace": ["> Dog"]}, "KEYWORD_INVALID"),
        ({"add": ["  "]}, "KEYWORD_INVALID"),
        ({"add": ["A > > B"]}, "KEYWORD_INVALID"),
        ({"add": ["Bear"]}, "KEYWORD_AMBIGUOUS"),
        ({"add": ["a"], "replace": ["b"]}, "KEYWORDS_CONTRADICT"),
        ({"add": ["Dog"], "remove": ["dOG"]}, "KEYWORDS_CONTRADICT"),
        ({"add": [CAFE], "remove": [CAFE_APART]}, "KEYWORDS_CONTRADICT"),
    ],
)
async def test_keywords_that_make_no_sense_are_refused_in_words_before_anything_is_sent(
    bench: Workbench, plugin: FakePlugin, arguments: dict[str, list[str]], code: str
) -> None:
    plugin.keywords = ["Toys > Bear", "Wildlife > Bear"]
    error = await bench.error("edit_keywords", set="selection", **arguments)
    assert error.tool_code == code
    assert plugin.names("write") == []


async def test_an_ambiguous_name_lists_where_it_stands(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.keywords = ["Toys > Bear", "Wildlife > Bear"]
    error = await bench.error("edit_keywords", set="selection", add=["bear"])
    assert '"Toys > Bear", "Wildlife > Bear"' in error.message


@requirement("bridge.delivery")
async def test_what_a_failed_photo_took_in_part_is_told_and_can_be_taken_back(
    bench: Workbench, plugin: FakePlugin
) -> None:
    plugin.photos["photo-0001"] = photo(1, keywords=["A", "B"])
    refused = [{"photo_id": "photo-0001", "code": "LIGHTROOM_ERROR", "message": "keywords: refused"}]
    plugin.answer_with("edit_keywords", {"applied": [], "failed": refused, "not_attempted": []})
    plugin.ignores.add("photo-0001")
    writing = asyncio.create_task(bench.run("edit_keywords", photo_ids=["photo-0001"], remove=["A"], add=["C"]))
    await plugin.reached("edit_keywords")
    plugin.photos["photo-0001"] = photo(1, keywords=["B"])
    answer = await writing
    assert not answer.ok
    assert answer.content["failed"][0]["reason"].endswith("keywords: refused")
    change_id = answer.content["change_id"]
    (item,) = await bench.journal.items(change_id)
    assert (item.state, item.before, item.after) == ("done", {"keywords": ["A", "B"]}, {"keywords": ["B"]})
    plugin.ignores.clear()
    await bench.content("undo_change", change_id=change_id)
    assert plugin.photos["photo-0001"].keywords == ["A", "B"]


@requirement("bridge.delivery", "tool.per-photo")
async def test_a_lost_answer_is_settled_by_looking(bench: Workbench, plugin: FakePlugin) -> None:
    plugin.ignores.add("photo-0002")
    plugin.lose_next_answer("edit_keywords")
    writing = asyncio.create_task(bench.run("edit_keywords", set="selection", add=["New"]))
    await plugin.reached("edit_keywords")
    bench.clock.advance(90)
    bench.bridge.tick()
    content = (await writing).content
    assert content["applied"] == ["photo-0001", "photo-0003"]
    assert content["failed"] == [{"photo_id": "photo-0002", "reason": IN_DOUBT}]
    assert (await bench.journal.change(content["change_id"])).states == {"done": 2, "unknown": 1}


NAMES = st.text(st.sampled_from("abAB éÉ"), min_size=1, max_size=3).filter(lambda name: bool(name.strip()))
PATHS = st.lists(NAMES, min_size=1, max_size=3).map(" > ".join)


@given(st.lists(PATHS, max_size=6), PATHS)
def test_what_a_text_means_is_stable_and_never_beside_what_is_there(texts: list[str], text: str) -> None:
    tree = list(dict.fromkeys(path_of(names_of(one)) for one in texts))
    try:
        found = resolved(text, tree)
    except ToolError as error:
        assert error.tool_code == "KEYWORD_AMBIGUOUS"
        return
    assert resolved(found, [*tree, found]) == found
    wanted = folded(path_of(names_of(text)))
    assert folded(found) == wanted or folded(found).endswith(f" > {wanted}")
    if named(path_of(names_of(text)), tree):
        assert found in tree
